#include "assay/cli/monte_carlo_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "assay/cli/option_text.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

constexpr std::int64_t largest_index = 1'000'000'000'000;
constexpr std::size_t most_indices = 1'000'000;

[[noreturn]] void refuse_index(std::string_view item) {
    throw DomainError("orders", std::string(item),
                      "indices from 1 as 1,2,5 or first-last or first-last:step, at most 1000000 "
                      "of them, or the name of a list");
}

std::int64_t read_index(std::string_view text, std::string_view item) {
    const std::int64_t value = read_integer<std::int64_t>(text).value_or(0);
    if (value < 1 || value > largest_index) refuse_index(item);
    return value;
}

void append_item(std::vector<std::int64_t>& indices, std::string_view item) {
    const std::size_t colon = std::min(item.find(':'), item.size());
    const std::string_view range = item.substr(0, colon);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const std::int64_t first = read_index(range.substr(0, dash), item);
    const bool is_range = dash < range.size();
    if (!is_range && colon < item.size()) refuse_index(item);
    const std::int64_t last = is_range ? read_index(range.substr(dash + 1), item) : first;
    const std::int64_t step = colon < item.size() ? read_index(item.substr(colon + 1), item) : 1;
    if (last < first) refuse_index(item);
    const auto count = static_cast<std::size_t>((last - first) / step + 1);
    if (count > most_indices - indices.size()) refuse_index(item);
    for (std::int64_t index = first; index <= last; index += step) indices.push_back(index);
}

}  // namespace

std::vector<std::int64_t> read_index_list(const std::string& text) {
    std::vector<std::int64_t> indices;
    for (const std::string& item : list_items(text)) append_item(indices, item);
    return indices;
}

std::string index_list_text(std::span<const std::int64_t> indices) {
    std::string text;
    for (std::size_t i = 0; i < indices.size();) {
        // The longest run of equal steps from here; one of two is not worth a range.
        std::size_t end = i + 1;
        const std::int64_t step = end < indices.size() ? indices[end] - indices[i] : 0;
        while (step > 0 && end < indices.size() && indices[end] - indices[end - 1] == step) ++end;
        if (end - i < 3) end = i + 1;
        if (!text.empty()) text += ',';
        text += fmt::format("{}", indices[i]);
        if (end - i >= 3) text += fmt::format("-{}", indices[end - 1]);
        if (end - i >= 3 && step > 1) text += fmt::format(":{}", step);
        i = end;
    }
    return text;
}

}  // namespace assay::cli
