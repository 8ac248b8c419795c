#include "assay/numeric/random_streams.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "assay/numeric/vector_log.hpp"
#include "assay/numeric/vector_turn.hpp"

namespace assay {

namespace detail {

void philox_plain(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t position,
                  std::span<std::uint64_t> out) {
    const r123::Philox4x32::key_type k{{key[0], key[1]}};
    for (std::size_t i = 0; i + 1 < out.size(); i += 2, ++position) {
        const r123::Philox4x32::ctr_type counter{
            {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32U),
             static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32U)}};
        const r123::Philox4x32::ctr_type x = r123::Philox4x32{}(counter, k);
        out[i] = x[0] | static_cast<std::uint64_t>(x[1]) << 32U;
        out[i + 1] = x[2] | static_cast<std::uint64_t>(x[3]) << 32U;
    }
}

#if defined(__x86_64__)

bool has_avx2() {
    static const bool answer = __builtin_cpu_supports("avx2") != 0;
    return answer;
}

bool has_avx512() {
    static const bool answer = __builtin_cpu_supports("avx512f") != 0;
    return answer;
}

namespace {

/// Counters in 64-bit lanes; only the low halves of x[0] .. x[3] count until the end, because the
/// multiplication reads nothing else. Several vectors at a time hide its latency.
template <std::size_t vectors>
__attribute__((target("avx2"))) void philox_avx2(std::array<std::uint32_t, 2> key,
                                                 std::uint64_t block, std::uint64_t position,
                                                 std::span<std::uint64_t> out) {
    const __m256i m0 = _mm256_set1_epi64x(0xD2511F53);
    const __m256i m1 = _mm256_set1_epi64x(0xCD9E8D57);
    const __m256i bump0 = _mm256_set1_epi64x(0x9E3779B9);
    const __m256i bump1 = _mm256_set1_epi64x(0xBB67AE85);
    const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
    const __m256i block_low = _mm256_set1_epi64x(static_cast<long long>(block));
    const __m256i block_high = _mm256_srli_epi64(block_low, 32);
    __m256i counter = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(position)),
                                       _mm256_set_epi64x(3, 2, 1, 0));
    for (std::size_t i = 0; i < out.size(); i += 8 * vectors) {
        __m256i x[vectors][4];
        for (auto& lanes : x) {
            lanes[0] = counter;
            lanes[1] = _mm256_srli_epi64(counter, 32);
            lanes[2] = block_low;
            lanes[3] = block_high;
            counter = _mm256_add_epi64(counter, _mm256_set1_epi64x(4));
        }
        __m256i key0 = _mm256_set1_epi64x(key[0]);
        __m256i key1 = _mm256_set1_epi64x(key[1]);
        for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 4
            for (auto& lanes : x) {
                const __m256i p0 = _mm256_mul_epu32(lanes[0], m0);
                const __m256i p1 = _mm256_mul_epu32(lanes[2], m1);
                lanes[0] =
                    _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(lanes[1], key0));
                lanes[2] =
                    _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(lanes[3], key1));
                lanes[1] = p1;
                lanes[3] = p0;
            }
            key0 = _mm256_add_epi32(key0, bump0);
            key1 = _mm256_add_epi32(key1, bump1);
        }
        auto* target = reinterpret_cast<__m256i*>(out.data() + i);
#pragma GCC unroll 4
        for (const auto& lanes : x) {
            const __m256i first = _mm256_or_si256(_mm256_and_si256(lanes[0], low_half),
                                                  _mm256_slli_epi64(lanes[1], 32));
            const __m256i second = _mm256_or_si256(_mm256_and_si256(lanes[2], low_half),
                                                   _mm256_slli_epi64(lanes[3], 32));
            const __m256i even = _mm256_unpacklo_epi64(first, second);  // counters 0 and 2
            const __m256i odd = _mm256_unpackhi_epi64(first, second);   // counters 1 and 3
            _mm256_storeu_si256(target++, _mm256_permute2x128_si256(even, odd, 0x20));
            _mm256_storeu_si256(target++, _mm256_permute2x128_si256(even, odd, 0x31));
        }
    }
}

/// The same in lanes of eight counters, with the three-way exclusive or. Where there is a mask
/// of every lane, the compiler takes the plain operation for one with an uninitialised operand.
template <std::size_t vectors>
__attribute__((target("avx512f"))) void philox_avx512(std::array<std::uint32_t, 2> key,
                                                      std::uint64_t block, std::uint64_t position,
                                                      std::span<std::uint64_t> out) {
    constexpr __mmask8 every = 0xFF;
    const __m512i m0 = _mm512_set1_epi64(0xD2511F53);
    const __m512i m1 = _mm512_set1_epi64(0xCD9E8D57);
    const __m512i bump0 = _mm512_set1_epi64(0x9E3779B9);
    const __m512i bump1 = _mm512_set1_epi64(0xBB67AE85);
    const __m512i block_low = _mm512_set1_epi64(static_cast<long long>(block));
    const __m512i block_high = _mm512_maskz_srli_epi64(every, block_low, 32);
    const __m512i lower = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i upper = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    constexpr __mmask16 odd = 0xAAAA;
    constexpr int all_xor = 0x96;
    __m512i counter = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(position)),
                                       _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for (std::size_t i = 0; i < out.size(); i += 16 * vectors) {
        __m512i x[vectors][4];
        for (auto& lanes : x) {
            lanes[0] = counter;
            lanes[1] = _mm512_maskz_srli_epi64(every, counter, 32);
            lanes[2] = block_low;
            lanes[3] = block_high;
            counter = _mm512_add_epi64(counter, _mm512_set1_epi64(8));
        }
        __m512i key0 = _mm512_set1_epi64(key[0]);
        __m512i key1 = _mm512_set1_epi64(key[1]);
        for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 4
            for (auto& lanes : x) {
                const __m512i p0 = _mm512_maskz_mul_epu32(every, lanes[0], m0);
                const __m512i p1 = _mm512_maskz_mul_epu32(every, lanes[2], m1);
                lanes[0] = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(every, p1, 32),
                                                     lanes[1], key0, all_xor);
                lanes[2] = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(every, p0, 32),
                                                     lanes[3], key1, all_xor);
                lanes[1] = p1;
                lanes[3] = p0;
            }
            key0 = _mm512_add_epi32(key0, bump0);
            key1 = _mm512_add_epi32(key1, bump1);
        }
        std::uint64_t* target = out.data() + i;
#pragma GCC unroll 4
        for (const auto& lanes : x) {
            const __m512i first = _mm512_mask_shuffle_epi32(lanes[0], odd, lanes[1], _MM_PERM_CCAA);
            const __m512i second =
                _mm512_mask_shuffle_epi32(lanes[2], odd, lanes[3], _MM_PERM_CCAA);
            _mm512_storeu_si512(target, _mm512_permutex2var_epi64(first, lower, second));
            _mm512_storeu_si512(target + 8, _mm512_permutex2var_epi64(first, upper, second));
            target += 16;
        }
    }
}

}  // namespace

void philox_vector(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t position,
                   std::span<std::uint64_t> out) {
    std::size_t done = 0;
    // As many whole groups of this many words as are left.
    const auto fill = [&](auto&& kernel, std::size_t group) {
        const std::size_t count = (out.size() - done) / group * group;
        if (count > 0) kernel(key, block, position + done / 2, out.subspan(done, count));
        done += count;
    };
    if (has_avx512()) {
        fill(philox_avx512<4>, 64);
        fill(philox_avx512<1>, 16);
    }
    if (has_avx2()) {
        fill(philox_avx2<2>, 16);
        fill(philox_avx2<1>, 8);
    }
    fill(philox_plain, 2);
}

#else

bool has_avx2() {
    return false;
}

void philox_vector(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t position,
                   std::span<std::uint64_t> out) {
    philox_plain(key, block, position, out);
}

#endif

}  // namespace detail

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t block)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)},
      block_(block),
      position_(static_cast<std::uint64_t>(purpose) << 48U),
      buffer_{},
      next_(buffer_.size()) {}

void RandomStream::refill() {
    detail::philox_vector(key_, block_, position_, buffer_);
    position_ += buffer_.size() / 2;
    next_ = 0;
}

double RandomStream::to_unit_interval(std::uint64_t bits) {
    // 1 + k 2^-52 less 1 - 2^-53: both are doubles, and so is the difference (2k + 1) 2^-53.
    return std::bit_cast<double>(bits >> 12U | 0x3FF0000000000000U) - (1.0 - 0x1p-53);
}

void RandomStream::fill_bits(std::span<std::uint64_t> out) {
    std::size_t i = 0;
    while (i < out.size() && next_ < buffer_.size()) out[i++] = buffer_[next_++];
    const std::size_t whole = (out.size() - i) / 8 * 8;
    detail::philox_vector(key_, block_, position_, out.subspan(i, whole));
    position_ += whole / 2;
    for (i += whole; i < out.size(); ++i) out[i] = bits();
}

void RandomStream::fill_uniform(std::span<double> out) {
    std::array<std::uint64_t, 512> words;
    for (std::size_t i = 0; i < out.size(); i += words.size()) {
        const std::size_t count = std::min(words.size(), out.size() - i);
        fill_bits(std::span(words).first(count));
        for (std::size_t j = 0; j < count; ++j) out[i + j] = to_unit_interval(words[j]);
    }
}

namespace {

/// cos and sin of every second number, and -2 ln of the others.
ASSAY_VECTOR_CLONES
void to_polar(const double* uniform, std::size_t pairs, double* square, double* cosine,
              double* sine) {
    for (std::size_t i = 0; i < pairs; ++i) {
        square[i] = -2.0 * vector_log(uniform[2 * i]);
        const CosineAndSine turn = vector_turn(uniform[2 * i + 1]);
        cosine[i] = turn.cosine;
        sine[i] = turn.sine;
    }
}

}  // namespace

void RandomStream::fill_normals(std::span<double> out) {
    constexpr std::size_t most = 256;
    std::array<double, 2 * most> uniform;
    std::array<double, most> square;
    std::array<double, most> cosine;
    std::array<double, most> sine;
    for (std::size_t i = 0; i < out.size(); i += 2 * most) {
        const std::size_t count = std::min(2 * most, out.size() - i);
        const std::size_t pairs = (count + 1) / 2;
        fill_uniform(std::span(uniform).first(2 * pairs));
        to_polar(uniform.data(), pairs, square.data(), cosine.data(), sine.data());
        for (std::size_t j = 0; j < pairs; ++j) {
            const double radius = std::sqrt(square[j]);
            out[i + 2 * j] = radius * cosine[j];
            if (2 * j + 1 < count) out[i + 2 * j + 1] = radius * sine[j];
        }
    }
}

double RandomStream::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_normal_;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_normal_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

double RandomStream::exponential() {
    return -std::log(uniform());
}

double RandomStream::gamma(double shape) {
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = normal();
        const double base = 1.0 + c * x;
        if (base <= 0.0) continue;
        const double v = base * base * base;
        if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t threshold = (0 - bound) % bound;  // 2^64 mod bound
    for (;;) {
        const Wide product = static_cast<Wide>(bits()) * bound;
        if (static_cast<std::uint64_t>(product) >= threshold)
            return static_cast<std::uint64_t>(product >> 64U);
    }
}

}  // namespace assay
