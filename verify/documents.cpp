#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

#include "assay/files/atomic_file.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/commands.hpp"
#include "verify/errata.hpp"
#include "verify/tables_command.hpp"

namespace assay::verify {

namespace {

constexpr const char* errata_help =
    R"(Tries every known mistake of the papers again and writes what came out.

Examples:
  assay-verify errata --check
  assay-verify errata --out build/errata.json
)";

struct ErrataOptions {
    std::filesystem::path out = "results/reference/errata.json";
    bool check = false;
};

/// Writes both documents, or compares them with what is there: 1 when they differ.
int errata(const ErrataOptions& options) {
    std::filesystem::path table = options.out;
    table.replace_extension(".md");
    if (table == options.out)
        throw FileError(options.out.string(), 0, "is the name of the table beside the JSON");
    if (options.check)
        for (const auto& file : {options.out, table}) (void)open_file(file);
    else
        require_writable_folder(options.out.has_parent_path() ? options.out.parent_path() : ".");
    if (std::filesystem::exists(options.out) && !std::filesystem::is_regular_file(options.out))
        throw FileError(options.out.string(), 0, "cannot be written: it is no regular file");
    std::optional<WorkingNotice> notice(std::in_place, std::cerr, "trying the errata");
    const std::vector<Erratum> found = errata_on_trial();
    notice.reset();
    const std::string json = errata_json(found);
    const std::string markdown = errata_markdown(found);
    if (!options.check) {
        write_file_atomically(options.out, json);
        write_file_atomically(table, markdown);
        fmt::print("{} statements: {}, {}\n", found.size(), options.out.string(), table.string());
        return 0;
    }
    const std::vector<std::string> lines = errata_differences(read_file(options.out), json);
    for (const std::string& line : lines) fmt::print("{}\n", line);
    const bool same_table = read_file(table) == markdown;
    if (!same_table) fmt::print("{} differs\n", table.string());
    if (!lines.empty() || !same_table) return 1;
    fmt::print("{} statements: as in {}\n", found.size(), options.out.string());
    return 0;
}

}  // namespace

void add_document_commands(CLI::App& app, int& result) {
    auto* command = app.add_subcommand("errata", errata_help);
    const auto options = std::make_shared<ErrataOptions>();
    command->add_option("--out", options->out, "JSON; the table goes beside it as .md")
        ->capture_default_str();
    command->add_flag("--check", options->check,
                      "compare with the files that are there; exit 1 when they differ");
    command->callback([options, &result] { result = errata(*options); });
    add_tables_command(app, result);
}

}  // namespace assay::verify
