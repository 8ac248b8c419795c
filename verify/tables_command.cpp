#include "verify/tables_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "assay/files/atomic_file.hpp"
#include "assay/files/working_notice.hpp"
#include "verify/option_values.hpp"
#include "verify/tables.hpp"

namespace assay::verify {

namespace {

constexpr const char* tables_help =
    R"(Writes tables of certified values for other libraries to test against.

Examples:
  assay-verify tables --out build/certified
  assay-verify tables --check
  assay-verify tables --check --sample 1000 --seed 7
)";

struct Options {
    std::string out = "results/reference/certified";
    bool check = false;
    std::size_t sample = 200;
    std::uint64_t seed = 1;
    int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
};

int check_tables(const Options& options) {
    std::optional<WorkingNotice> notice(std::in_place, std::cerr, "computing lines anew");
    const auto complaints = complaints_about(certified_tables(), options.out, options.sample,
                                             options.seed, options.threads);
    notice.reset();
    for (const std::string& complaint : complaints) fmt::print("{}\n", complaint);
    if (!complaints.empty()) return 1;
    fmt::print("{} tables are as the oracles say: every hash fits, {} lines computed anew\n",
               certified_tables().size(), options.sample);
    return 0;
}

int run(const Options& options) {
    if (options.check) return check_tables(options);
    require_writable_folder(options.out);
    std::optional<WorkingNotice> notice(std::in_place, std::cerr, "computing the tables");
    const std::size_t lines = write_tables(certified_tables(), options.out, options.threads);
    notice.reset();
    fmt::print("{} certified values in {} tables: {}\n", lines, certified_tables().size(),
               options.out);
    return 0;
}

}  // namespace

void add_tables_command(CLI::App& app, int& result) {
    const auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("tables", tables_help);
    command->add_option("--out", options->out, "their folder")->capture_default_str();
    command->add_flag("--check", options->check,
                      "compare what is there with the oracles; exit 1 when it differs");
    command->add_option("--sample", options->sample, "lines that --check computes anew")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "chooses those lines")
        ->check(is_seed)
        ->capture_default_str();
    command->add_option("--threads", options->threads, "lines do not depend on it")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command->callback([options, &result] { result = run(*options); });
}

}  // namespace assay::verify
