#include "assay/monte_carlo/rank_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

/// A count written in digits alone; 0 for anything else.
std::uint64_t read_count(std::string_view text) {
    return read_integer<std::uint64_t>(text).value_or(0);
}

}  // namespace

GroupRange rank_range(std::uint64_t groups, Part part) {
    if (part.index >= part.count)
        throw DomainError("part", fmt::format("{} of {}", part.index, part.count),
                          "an index below the number of parts");
    // The first `longer` parts have one group more.
    const std::uint64_t size = groups / part.count;
    const std::uint64_t longer = groups % part.count;
    const std::uint64_t first = part.index * size + std::min(part.index, longer);
    return {first, first + size + (part.index < longer ? 1 : 0)};
}

std::string to_string(Part part) {
    return fmt::format("{}/{}", part.index + 1, part.count);
}

Part read_part(const std::string& text) {
    constexpr std::uint64_t most_parts = 1'000'000;
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view whole = text;
    const std::uint64_t index = read_count(whole.substr(0, slash));
    const std::uint64_t count = read_count(whole.substr(std::min(slash + 1, whole.size())));
    if (index < 1 || count < index || count > most_parts)
        throw DomainError("shard", text, "i/n with 1 <= i <= n <= 1000000");
    return {index - 1, count};
}

}  // namespace assay
