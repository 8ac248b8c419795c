#include "assay/files/toml_parser.hpp"

namespace assay {

namespace {

/// A text can begin behind these.
bool ends_a_word(char c) {
    return std::string_view(" \t\r\n=,.[{").find(c) != std::string_view::npos;
}

/// The parser descends once for every part of a dotted key and every opening bracket, without a
/// limit of its own; and its test for white space outside ASCII is undefined for most letters.
void require_parsable(std::string_view text, const std::string& name) {
    constexpr int deepest = 64;
    int parts = 0;  // of the dotted key read so far
    int brackets = 0;
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
            is_comment = false;
        } else if (is_comment) {
            continue;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"' && ++i < text.size()) require_ascii(text[i]);
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            // Elsewhere, or three at a time, it does not begin what it seems to.
            require(i == 0 || ends_a_word(text[i - 1]), "has a quotation mark within a word");
            require(!text.substr(i).starts_with(std::string(3, c)), "has a text of several lines");
            quote = c;
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
        if (quote == 0 && !is_comment) require_ascii(c);
        require(parts <= deepest && brackets <= deepest, "is nested more than 64 deep");
    }
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
    require_parsable(text, name);
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
