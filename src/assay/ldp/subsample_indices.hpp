#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// Indices drawn with replacement from {0, .., total-1}, several from a word of random bits.
///   Maths      a word w of 64 bits gives the q digits of floor(w total^q / 2^64) in base total,
///              leading first, total^q <= 2^56 (q = 4 up to 16384, at most), and is refused where
///              it is one of the 2^64 mod total^q words that would make some outcomes likelier:
///              w total^q mod 2^64 < 2^64 mod total^q. So indices are exactly uniform
///   Domain     1 <= total < 2^32
///   Cost       about 0.3 ns an index with AVX-512, 0.5 ns with AVX2, 1 ns without; the same
///              numbers
class SubsampleIndices {
public:
    explicit SubsampleIndices(std::uint64_t total);

    [[nodiscard]] std::uint64_t total() const { return total_; }
    /// q.
    [[nodiscard]] std::size_t digits() const { return digits_; }
    /// Words that so many indices take.
    [[nodiscard]] std::size_t words(std::size_t indices) const {
        return (indices + digits_ - 1) / digits_;
    }
    [[nodiscard]] bool refuses(std::uint64_t word) const { return word * bound_ < threshold_; }

    /// The q indices of every word, in order; returns whether one of the words is to be refused.
    /// Without `wide` AVX-512 is left alone.
    bool find(std::span<const std::uint64_t> words, std::span<std::uint32_t> indices,
              bool wide = true) const;
    /// The plain counterpart of find().
    bool find_plain(std::span<const std::uint64_t> words, std::span<std::uint32_t> indices) const;

private:
    std::uint64_t total_;
    std::size_t digits_ = 1;
    std::uint64_t bound_;  // total^q
    std::uint64_t threshold_;
};

}  // namespace assay
