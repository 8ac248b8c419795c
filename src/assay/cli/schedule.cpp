#include "assay/cli/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assay/files/bounded_input.hpp"
#include "assay/files/toml_parser.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

int line_of(const toml::node& node) {
    return static_cast<int>(node.source().begin.line);
}

Fields fields_of(const toml::table& table, const std::string& file) {
    Fields fields;
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        const auto fail = [&, &at = node](const std::string& reason) {
            throw FileError(file, line_of(at), fmt::format("{} {}", name, reason));
        };
        if (std::find(phase_keys.begin(), phase_keys.end(), name) == phase_keys.end())
            fail(fmt::format("is no field of a phase: {}", fmt::join(phase_keys, ", ")));
        if (const auto* text = node.as_string())
            fields[name] = text->get();
        else if (const auto* integer = node.as_integer())
            fields[name] = fmt::format("{}", integer->get());
        else if (const auto* number = node.as_floating_point())
            fields[name] = fmt::format("{}", number->get());
        else
            fail("is neither a number nor a text");
    }
    return fields;
}

}  // namespace

void parse_schedule(std::string_view text, const std::string& name, const TakePhase& take) {
    const toml::table root = parse_toml(text, name);
    for (const auto& [key, node] : root)
        if (key.str() != "phase")
            throw FileError(name, line_of(node),
                            std::string(key.str()) + " is no part of a schedule: [[phase]]");
    const toml::array* list = root.get_as<toml::array>("phase");
    if (list == nullptr || !list->is_array_of_tables())
        throw FileError(name, 0, "has no [[phase]] table");
    std::size_t number = 0;
    for (const toml::node& element : *list) {
        ++number;
        const Fields fields = fields_of(*element.as_table(), name);
        try {
            take(fields);
        } catch (const Error& error) {
            throw FileError(name, line_of(element),
                            fmt::format("phase {}: {}", number, error.what()));
        }
    }
}

void read_schedule(const std::filesystem::path& file, const TakePhase& take) {
    parse_schedule(read_file_of_at_most(file, largest_schedule), file.string(), take);
}

}  // namespace assay::cli
