#include "assay/ldp/subsample_indices.hpp"

#include <limits>

#include "assay/numeric/random_streams.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {

namespace {

__extension__ typedef unsigned __int128 Product;  // NOLINT(modernize-use-using)

#if defined(__x86_64__)

/// Four digits of every word, four words at a time. A word is two halves of 32 bits in lanes of 64;
/// above the halves there is what the multiplication does not read.
__attribute__((target("avx2"))) bool find_avx2(std::uint64_t total, std::uint64_t threshold,
                                               std::span<const std::uint64_t> words,
                                               std::uint32_t* indices) {
    const __m256i base = _mm256_set1_epi64x(static_cast<long long>(total));
    const __m256i sign = _mm256_set1_epi64x(std::numeric_limits<long long>::min());
    const __m256i limit =
        _mm256_xor_si256(sign, _mm256_set1_epi64x(static_cast<long long>(threshold)));
    constexpr int odd = 0xAA;
    __m256i refused = _mm256_setzero_si256();
    for (std::size_t w = 0; w < words.size(); w += 4, indices += 16) {
        __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words.data() + w));
        __m256i high = _mm256_srli_epi64(low, 32);
        __m256i digit[4];  // in the upper halves
#pragma GCC unroll 4
        for (__m256i& next : digit) {
            low = _mm256_mul_epu32(low, base);
            high = _mm256_add_epi64(_mm256_mul_epu32(high, base), _mm256_srli_epi64(low, 32));
            next = high;
        }
        const __m256i rest = _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), odd);
        refused = _mm256_or_si256(refused, _mm256_cmpgt_epi64(limit, _mm256_xor_si256(rest, sign)));
        const __m256i first = _mm256_blend_epi32(_mm256_srli_epi64(digit[0], 32), digit[1], odd);
        const __m256i second = _mm256_blend_epi32(_mm256_srli_epi64(digit[2], 32), digit[3], odd);
        const __m256i even_words = _mm256_unpacklo_epi64(first, second);
        const __m256i odd_words = _mm256_unpackhi_epi64(first, second);
        auto* const target = reinterpret_cast<__m256i*>(indices);
        _mm256_storeu_si256(target, _mm256_permute2x128_si256(even_words, odd_words, 0x20));
        _mm256_storeu_si256(target + 1, _mm256_permute2x128_si256(even_words, odd_words, 0x31));
    }
    return _mm256_testz_si256(refused, refused) == 0;
}

/// The same of eight words at a time.
__attribute__((target("avx512f"))) bool find_avx512(std::uint64_t total, std::uint64_t threshold,
                                                    std::span<const std::uint64_t> words,
                                                    std::uint32_t* indices) {
    const __m512i base = _mm512_set1_epi64(static_cast<long long>(total));
    const __m512i limit = _mm512_set1_epi64(static_cast<long long>(threshold));
    const __m512i leading = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i trailing = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    constexpr __mmask16 odd = 0xAAAA;
    // With a mask of every lane, as the compiler takes the plain operation for one with an
    // uninitialised operand.
    constexpr __mmask8 every = 0xFF;
    unsigned refused = 0;
    for (std::size_t w = 0; w < words.size(); w += 8, indices += 32) {
        __m512i low = _mm512_loadu_si512(words.data() + w);
        __m512i high = _mm512_maskz_srli_epi64(every, low, 32);
        __m512i digit[4];  // in the upper halves
#pragma GCC unroll 4
        for (__m512i& next : digit) {
            low = _mm512_maskz_mul_epu32(every, low, base);
            high = _mm512_add_epi64(_mm512_maskz_mul_epu32(every, high, base),
                                    _mm512_maskz_srli_epi64(every, low, 32));
            next = high;
        }
        const __m512i rest =
            _mm512_mask_blend_epi32(odd, low, _mm512_maskz_slli_epi64(every, high, 32));
        refused |= _mm512_cmplt_epu64_mask(rest, limit);
        const __m512i first =
            _mm512_mask_blend_epi32(odd, _mm512_maskz_srli_epi64(every, digit[0], 32), digit[1]);
        const __m512i second =
            _mm512_mask_blend_epi32(odd, _mm512_maskz_srli_epi64(every, digit[2], 32), digit[3]);
        _mm512_storeu_si512(indices, _mm512_permutex2var_epi64(first, leading, second));
        _mm512_storeu_si512(indices + 16, _mm512_permutex2var_epi64(first, trailing, second));
    }
    return refused != 0;
}

#endif

}  // namespace

SubsampleIndices::SubsampleIndices(std::uint64_t total) : total_(total), bound_(total) {
    for (; digits_ < 4 && bound_ <= (std::uint64_t{1} << 56U) / total; ++digits_) bound_ *= total;
    threshold_ = (0 - bound_) % bound_;
}

bool SubsampleIndices::find_plain(std::span<const std::uint64_t> words,
                                  std::span<std::uint32_t> indices) const {
    bool refused = false;
    std::size_t i = 0;
    for (std::uint64_t word : words) {
        for (std::size_t digit = 0; digit < digits_; ++digit) {
            const Product product = static_cast<Product>(word) * total_;
            indices[i++] = static_cast<std::uint32_t>(product >> 64U);
            word = static_cast<std::uint64_t>(product);
        }
        refused = refused || word < threshold_;
    }
    return refused;
}

bool SubsampleIndices::find(std::span<const std::uint64_t> words, std::span<std::uint32_t> indices,
                            bool wide) const {
    bool refused = false;
#if defined(__x86_64__)
    const auto take = [&](auto find_vectors, std::size_t lanes) {
        const std::size_t whole = words.size() / lanes * lanes;
        refused = find_vectors(total_, threshold_, words.first(whole), indices.data()) || refused;
        words = words.subspan(whole);
        indices = indices.subspan(4 * whole);
    };
    if (digits_ == 4 && wide && detail::has_avx512()) take(find_avx512, 8);
    if (digits_ == 4 && detail::has_avx2()) take(find_avx2, 4);
#else
    static_cast<void>(wide);
#endif
    return find_plain(words, indices) || refused;
}

}  // namespace assay
