#include "assay/help/wrap.hpp"

#include <algorithm>

namespace assay {

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

}  // namespace assay
