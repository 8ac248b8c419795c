#include "assay/cli/response_file.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "assay/files/bounded_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// 0 for category 1. Throws DomainError: the caller knows the line.
int read_category(std::string_view text, int categories) {
    const int category = read_integer<int>(text).value_or(0);
    if (category < 1 || category > categories)
        throw DomainError("category", std::string(text),
                          fmt::format("an integer from 1 to {}", categories));
    return category - 1;
}

CategorySubset read_subset(std::string_view text, int categories) {
    std::vector<int> members;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
        members.push_back(read_category(text.substr(0, blank), categories));
        text.remove_prefix(blank);
    }
    return {categories, members};
}

bool next_line(std::istream& in, const std::string& name, int number, std::string& line) {
    try {
        const bool is_there = read_line(in, line, largest_response_line);
        if (line.size() > largest_response_line) throw Error(too_long(largest_response_line));
        return is_there;
    } catch (const Error& error) {
        throw FileError(name, number + 1, error.what());
    }
}

}  // namespace

ResponseSummary read_responses(std::istream& in, const std::string& name, int categories,
                               const TakeResponse& take) {
    ResponseSummary summary;
    // The polynomial of ECMA-182.
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693, ~0ULL, ~0ULL, true, true> digest;
    int number = 0;
    CategorySubset subset(categories);
    std::string subset_text;  // what `subset` was read from: sets often repeat
    for (std::string line; next_line(in, name, number, line);) {
        ++number;
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
        if (number == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
            throw FileError(name, number, "is UTF-16: answers are read from UTF-8 or plain text");
        const std::string_view text = trimmed(line);
        const bool is_heading = number == 1 && (text == "response,subset" || text == "y,S");
        if (text.empty() || text.starts_with('#') || is_heading) continue;
        const std::size_t comma = text.find(',');
        if (comma == text.npos)
            throw FileError(name, number,
                            text.find('\t') == text.npos
                                ? "no comma: an answer is \"y,S\", with S empty \"y,\""
                                : "a tab and no comma: an answer is \"y,S\", a comma after y, "
                                  "blanks or tabs within S");
        try {
            const int response = read_category(trimmed(text.substr(0, comma)), categories);
            const std::string_view members = text.substr(comma + 1);
            if (members != subset_text) {
                subset = read_subset(members, categories);
                subset_text = members;
            }
            ++summary.answers;
            digest.process_bytes(text.data(), text.size());
            digest.process_byte('\n');
            summary.digest = digest.checksum();
            take(subset, response, summary);
        } catch (const DomainError& error) {
            throw FileError(name, number, error.what());
        }
    }
    if (in.bad()) throw FileError(name, number, "cannot be read further");
    return summary;
}

std::string members_text(const CategorySubset& subset) {
    std::string text;
    for (int i = 0; i < subset.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : " ", subset.member(i) + 1);
    return text;
}

}  // namespace assay::cli
