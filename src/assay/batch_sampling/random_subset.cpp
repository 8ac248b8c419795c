#include "assay/batch_sampling/random_subset.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "assay/batch_sampling/uniform_index.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

constexpr std::uint32_t empty_place = 0xFFFFFFFF;  // no index: n < 2^32

}  // namespace

void RandomSubset::draw(const RandomStream& stream, std::int64_t size, std::int64_t from,
                        std::vector<std::uint32_t>& members) {
    require(size >= 0 && size <= from && from < (std::int64_t{1} << 32U), "subset-size",
            static_cast<double>(size), "0 <= size <= n < 2^32");
    const auto k = static_cast<std::uint64_t>(size);
    const auto n = static_cast<std::uint64_t>(from);
    members.resize(k);
    if (k == 0) return;
    const std::uint64_t places = std::bit_ceil(2 * k);
    if (table_.size() < places) table_.resize(places);
    std::fill_n(table_.begin(), places, empty_place);
    std::uint32_t* const table = table_.data();
    const std::uint64_t mask = places - 1;
    const std::uint64_t scale = (places << 30U) / n;  // places <= 2^33, so index * scale < 2^63
    UniformIndices indices(stream);
    /// The place where `index` is, or where it belongs.
    const auto place_of = [=](std::uint64_t index) {
        std::uint64_t place = index * scale >> 30U & mask;
        while (table[place] != empty_place && table[place] != index) place = (place + 1) & mask;
        return place;
    };
    constexpr std::uint64_t piece = std::uint64_t{1} << 17U;
    for (std::uint64_t j = n - k; j < n; ++j) {
        if (j % piece == 0) allow_interruption();
        std::uint64_t index = indices.below(j + 1);
        std::uint64_t place = place_of(index);
        if (table[place] != empty_place) {
            index = j;
            place = place_of(index);
        }
        table[place] = static_cast<std::uint32_t>(index);
    }
    std::size_t found = 0;
    for (std::uint64_t place = 0; found < k; ++place) {
        members[found] = table[place];
        found += table[place] != empty_place ? 1 : 0;
    }
}

}  // namespace assay
