#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "assay/numeric/random_streams.hpp"

namespace assay {

/// Uniform indices from the halves of a stream's words, the low half first.
///   Maths      floor(h bound / 2^32) for 32 bits h; the halves whose product has low 32 bits below
///              2^32 mod bound are refused (Lemire 2019), a remainder that is taken only where a
///              refusal is possible
///   Domain     1 <= bound <= 2^32          Direction  exactly uniform
///   Cost       half a word, and another with probability below bound 2^-32
///   Throws     nothing
class UniformIndices {
public:
    explicit UniformIndices(const RandomStream& stream) : stream_(stream) {}

    std::uint32_t below(std::uint64_t bound) {
        for (;;) {
            const std::uint64_t product = next_half() * bound;
            const std::uint64_t low = product & 0xFFFFFFFF;
            if (low >= bound || low >= (std::uint64_t{1} << 32U) % bound)
                return static_cast<std::uint32_t>(product >> 32U);
        }
    }

private:
    std::uint32_t next_half() {
        if (next_ == halves_.size()) refill();
        return halves_[next_++];
    }
    void refill() {
        std::array<std::uint64_t, 128> words;
        stream_.fill_bits(words);
        for (std::size_t i = 0; i < words.size(); ++i) {
            halves_[2 * i] = static_cast<std::uint32_t>(words[i]);
            halves_[2 * i + 1] = static_cast<std::uint32_t>(words[i] >> 32U);
        }
        next_ = 0;
    }

    RandomStream stream_;
    std::array<std::uint32_t, 256> halves_{};
    std::size_t next_ = halves_.size();
};

}  // namespace assay
