#include "assay/cli/wrap.hpp"

#include <algorithm>

namespace assay::cli {

std::string wrapped(std::string_view paragraph, std::string_view first, std::size_t hanging) {
    std::string text;
    std::string row(first);
    bool is_begun = false;  // whether the row has a word
    while (!paragraph.empty()) {
        // A word with the blanks before it.
        const std::size_t word = std::min(paragraph.find_first_not_of(' '), paragraph.size());
        const std::size_t end = std::min(paragraph.find(' ', word), paragraph.size());
        std::string_view piece = paragraph.substr(0, end);
        if (is_begun && row.size() + piece.size() > terminal_columns) {
            text += row + '\n';
            row.assign(hanging, ' ');
            piece = piece.substr(word);
        }
        row += piece;
        is_begun = true;
        paragraph.remove_prefix(end);
    }
    return text + row + '\n';
}

std::string wrapped_help(std::string_view help) {
    std::string text;
    bool is_list = false;  // of options and commands, after the usage line
    while (!help.empty()) {
        const std::size_t length = std::min(help.find('\n'), help.size());
        const std::string_view line = help.substr(0, length);
        is_list = is_list || line.starts_with("Usage:");
        if (is_list && line.starts_with("  ") && line.size() > terminal_columns)
            text += wrapped(line, "", 30);
        else
            text += std::string(line) + '\n';
        help.remove_prefix(std::min(length + 1, help.size()));
    }
    return text;
}

}  // namespace assay::cli
