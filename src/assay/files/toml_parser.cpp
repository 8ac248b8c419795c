#include "assay/files/toml_parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

/// The parser descends once for every part of a dotted key and every opening bracket, without a
/// limit of its own; and its test for white space outside ASCII is undefined for most letters.
void require_parsable(std::string_view text, const std::string& name) {
    constexpr std::size_t deepest = 64;
    std::size_t parts = 0;  // of the dotted key read so far
    std::string open;       // brackets
    bool in_key = true;
    bool in_word = false;  // a text cannot begin here
    int line = 1;
    char quote = 0;  // that a string on this line began with
    bool is_comment = false;
    const auto require = [&](bool holds, const char* otherwise) {
        if (!holds) throw FileError(name, line, otherwise);
    };
    const auto require_ascii = [&](char c) {
        require(static_cast<unsigned char>(c) < 0x80,
                "has a letter outside ASCII that is in no text or comment");
    };
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            parts = 0;
            quote = 0;
            is_comment = in_word = false;
            in_key = open.empty();
        } else if (is_comment || c == ' ' || c == '\t' || c == '\r') {
            if (is_comment || quote == 0) continue;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"' && ++i < text.size()) require_ascii(text[i]);
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            // Elsewhere, or three at a time, it does not begin what it seems to.
            require(!in_word, "has a quotation mark within a word");
            require(!text.substr(i).starts_with(std::string(3, c)), "has a text of several lines");
            quote = c;
            in_word = true;
        } else if (c == '#') {
            is_comment = true;
        } else if (c == ',' || (c == '=' && in_key)) {
            parts = 0;
            in_word = false;
            in_key = c == ',' && !open.empty() && open.back() == '{';
        } else if (c == '.') {
            ++parts;
            in_word = !in_key;
        } else if (c == '[' || c == '{') {
            require(!in_word, "has a bracket within a word");
            open += c;
            in_word = false;
            in_key = c == '{';
        } else {
            if ((c == ']' || c == '}') && !open.empty()) open.pop_back();
            in_word = true;
        }
        if (quote == 0 && !is_comment) require_ascii(c);
        require(parts <= deepest && open.size() <= deepest, "is nested more than 64 deep");
    }
}

/// The parser reads a number below the least double as 0.
void require_doubles(std::string_view text, const std::string& name) {
    const std::string_view small = number_in(text, is_underflow);
    if (small.empty()) return;
    const auto lines = std::count(text.data(), small.data(), '\n');
    throw FileError(name, static_cast<int>(lines) + 1,
                    fmt::format("{} is neither 0 nor a double: the least is 4.9e-324", small));
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
    require_parsable(text, name);
    require_doubles(text, name);
    try {
        return toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        throw FileError(name, static_cast<int>(error.source().begin.line),
                        std::string(error.description()));
    } catch (const Error& error) {
        throw FileError(name, 0, error.what());
    }
}

}  // namespace assay
