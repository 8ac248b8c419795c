#pragma once
#include <cstdint>
#include <vector>

#include "assay/numeric/random_streams.hpp"

namespace assay {

/// Draws uniform subsets of {0, .., n-1}; keeps the memory of the largest one.
///   Maths      Floyd: for j = n-k .. n-1, an index uniform on {0, .., j} is added, or j where that
///              one is in already. The members stand in an open table at the place that their
///              size gives them (uniform members fill it evenly), which is then read from the
///              front: the subset comes out almost sorted
///   Domain     0 <= k <= n < 2^32          Direction  exactly uniform over the subsets
///   Cost       half a word an index, O(k) time, 8 to 16 bytes of table an index
///   Throws     DomainError (subset-size)
class RandomSubset {
public:
    void draw(const RandomStream& stream, std::int64_t size, std::int64_t from,
              std::vector<std::uint32_t>& members);

    /// Bytes of the table.
    [[nodiscard]] std::size_t live_bytes() const { return table_.size() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> table_;
};

}  // namespace assay
