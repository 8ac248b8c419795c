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

/// Refuses what the parser does not bear. It descends once for every part of a dotted key and every
/// opening bracket, without a limit of its own; and its test for white space outside ASCII is
/// undefined for most letters, so that comments alone may hold them. Texts of several lines, in
/// which a comment cannot be told, are refused: no field of a phase needs either.
void require_parsable(std::string_view text, const std::string& name) {
    constexpr int deepest = 64;
    int parts = 0;  // of the dotted key read so far
    int brackets = 0;
    int line = 1;
    char quote = 0;  // that a string on this line began with
    bool is_comment = false;
    const auto require_ascii = [&](char c) {
        if (static_cast<unsigned char>(c) >= 0x80)
            throw FileError(name, line, "has a letter outside ASCII that is in no comment");
    };
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            parts = 0;
            quote = 0;
            is_comment = false;
        } else if (is_comment) {
            continue;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"' && ++i < text.size()) require_ascii(text[i]);
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
            if (text.substr(i).starts_with(std::string(3, c)))
                throw FileError(name, line, "has a text of several lines");
        } else if (c == '#') {
            is_comment = true;
        } else if (c == ',' || c == '=') {
            parts = 0;
        } else if (c == '.') {
            ++parts;
        } else if (c == '[' || c == '{') {
            ++brackets;
        } else if ((c == ']' || c == '}') && brackets > 0) {
            --brackets;
        }
        if (!is_comment) require_ascii(c);
        if (parts > deepest || brackets > deepest)
            throw FileError(name, line, "is nested more than 64 deep");
    }
}

PhaseFields fields_of(const toml::table& table, const std::string& file) {
    PhaseFields fields;
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
    require_parsable(text, name);
    toml::table root;
    try {
        root = toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        throw FileError(name, static_cast<int>(error.source().begin.line),
                        std::string(error.description()));
    } catch (const Error& error) {
        throw FileError(name, 0, error.what());
    }
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
        const PhaseFields fields = fields_of(*element.as_table(), name);
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
