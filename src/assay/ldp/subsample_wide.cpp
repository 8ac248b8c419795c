#include "assay/ldp/subsample_wide.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay::detail {

namespace {

using Sets = WideSubsample::Sets;
using Draw = WideSubsample::Draw;
using Terms = WideSubsample::Terms;

/// The code of an answer: members of its set, whether that is the empty set, the category.
constexpr std::uint32_t members_mask = (1U << WideSubsample::most_categories) - 1;
constexpr std::uint32_t empty_set = 1U << WideSubsample::most_categories;
constexpr unsigned category_shift = 27;

/// Where a code has category i: i = 4 q + r < 16 at 4 r + q.
constexpr std::size_t bit(std::size_t i) {
    return i < 16 ? 4 * (i % 4) + i / 4 : i;
}
/// The bits of a set's members in that order.
constexpr std::uint32_t by_remainder(std::uint32_t members) {
    std::uint32_t moved = (members ^ members >> 3U) & 0x0A0AU;
    members ^= moved ^ moved << 3U;
    moved = (members ^ members >> 6U) & 0x00CCU;
    return members ^ moved ^ moved << 6U;
}

#if defined(__x86_64__)

#define ASSAY_WIDE \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt")))
#define ASSAY_WIDE_INLINE ASSAY_WIDE inline __attribute__((always_inline))

using Four __attribute__((vector_size(32), aligned(8), may_alias)) = double;
using Eight __attribute__((vector_size(64), aligned(8), may_alias)) = double;

// Where there is a mask of every lane, the compiler takes the plain operation for one with an
// uninitialised operand.
constexpr __mmask8 every = 0xFF;

// No references: to one, clang gives a vector's natural alignment.
ASSAY_WIDE_INLINE const Eight* eight(const double* x) {
    return reinterpret_cast<const Eight*>(x);
}
ASSAY_WIDE_INLINE Eight* eight(double* x) {
    return reinterpret_cast<Eight*>(x);
}
ASSAY_WIDE_INLINE __m256i load(const std::uint32_t* x) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}
ASSAY_WIDE_INLINE Eight all(double x) {
    return _mm512_set1_pd(x);
}
ASSAY_WIDE_INLINE __m256i all(std::uint32_t x) {
    return _mm256_set1_epi32(static_cast<int>(x));
}
ASSAY_WIDE_INLINE Four low(Eight x) {
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
}
ASSAY_WIDE_INLINE Four high(Eight x) {
    return __builtin_shufflevector(x, x, 4, 5, 6, 7);
}
ASSAY_WIDE_INLINE Eight widen(Four x) {
    return __builtin_shufflevector(x, Four{}, 0, 1, 2, 3, 4, 5, 6, 7);
}
ASSAY_WIDE_INLINE double sum(Four x) {
    const __m128d pairs = __builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3);
    return pairs[0] + pairs[1];
}

struct Units {
    alignas(64) std::uint8_t row[WideSubsample::most_cells + 1][WideSubsample::most_cells];
};
constexpr Units make_units() {
    Units units{};
    for (std::size_t i = 0; i < WideSubsample::most_cells; ++i) units.row[i][i] = 1;
    return units;
}
/// The unit matrix and a row of zeros.
constexpr Units units = make_units();

/// Counts by cell, of 32 or 64 cells.
ASSAY_WIDE_INLINE void count_32(const std::uint16_t* cells, std::span<const std::uint32_t> indices,
                                std::uint8_t* counts) {
    const auto* const rows = reinterpret_cast<const char*>(&units);
    __m256i sums = _mm256_setzero_si256();
#pragma GCC unroll 5
    for (const std::uint32_t index : indices)
        sums = _mm256_add_epi8(
            sums, _mm256_load_si256(reinterpret_cast<const __m256i*>(rows + cells[index])));
    _mm256_store_si256(reinterpret_cast<__m256i*>(counts), sums);
}
ASSAY_WIDE_INLINE void count_64(const std::uint16_t* cells, std::span<const std::uint32_t> indices,
                                std::uint8_t* counts) {
    const auto* const rows = reinterpret_cast<const char*>(&units);
    __m512i sums = _mm512_setzero_si512();
#pragma GCC unroll 5
    for (const std::uint32_t index : indices)
        sums = _mm512_add_epi8(sums, _mm512_load_si512(rows + cells[index]));
    _mm512_store_si512(counts, sums);
}

ASSAY_WIDE void draw_answers(const Sets& sets, std::span<const std::uint32_t> indices, Draw& draw) {
    if (4 * sets.vectors * sets.frequent <= 32)
        count_32(sets.cells.data(), indices, draw.cells.data());
    else
        count_64(sets.cells.data(), indices, draw.cells.data());
    const auto first = static_cast<int>(sets.cells.size() - sets.rare.size());
    const __m512i firsts = _mm512_set1_epi32(first);
    std::size_t count = 0;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < indices.size(); j += 16) {
        const std::size_t left = indices.size() - j;
        const auto there = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFF);
        const __m512i index = _mm512_maskz_loadu_epi32(there, indices.data() + j);
        const __mmask16 rare = _mm512_mask_cmpge_epu32_mask(there, index, firsts);
        _mm512_storeu_si512(draw.indices.data() + count, _mm512_maskz_compress_epi32(rare, index));
        count += static_cast<std::size_t>(_mm_popcnt_u32(rare));
    }
    _mm512_storeu_si512(draw.indices.data() + count, firsts);
    draw.rare_count = count;
    for (std::size_t j = 0; j < count; j += 8)
#pragma GCC unroll 8
        for (std::size_t l = j; l < j + 8; ++l)
            draw.codes[l] = sets.rare[draw.indices[l] - static_cast<std::uint32_t>(first)];
}

/// The categories in vectors of eight, the last of which may be half of one.
template <std::size_t vectors>
struct Shape {
    static constexpr std::size_t full = vectors / 2;
    static constexpr std::size_t count = (vectors + 1) / 2;
};

/// Numbers of a table of 8 `count`.
template <std::size_t count>
ASSAY_WIDE_INLINE Eight pick(const Eight* table, __m256i at) {
    const __m512i lane = _mm512_maskz_cvtepu32_epi64(every, at);
    if constexpr (count == 1) return _mm512_maskz_permutexvar_pd(every, lane, table[0]);
    if constexpr (count == 2) return _mm512_permutex2var_pd(table[0], lane, table[1]);
    if constexpr (count == 3)
        return _mm512_mask_permutexvar_pd(_mm512_permutex2var_pd(table[0], lane, table[1]),
                                          _mm256_cmpge_epu32_mask(at, all(16U)), lane, table[2]);
}

/// Sums over the subsets of {r, r + 4, r + 8, r + 12} for r = 0 to 3, by the number whose bits are
/// the members; without categories that are not there.
template <std::size_t vectors>
struct SubsetSums {
    Eight low[4];
    Eight high[4];

    ASSAY_WIDE_INLINE explicit SubsetSums(const double* phi) {
#pragma GCC unroll 4
        for (std::size_t r = 0; r < 4; ++r) {
            low[r] = _mm512_maskz_mov_pd(0xAA, all(phi[r]));
            if constexpr (vectors > 1)
                low[r] = _mm512_mask_add_pd(low[r], 0xCC, low[r], all(phi[r + 4]));
            if constexpr (vectors > 2)
                low[r] = _mm512_mask_add_pd(low[r], 0xF0, low[r], all(phi[r + 8]));
            if constexpr (vectors > 3) high[r] = low[r] + all(phi[r + 12]);
        }
    }
};

/// theta(S) sum(phi) of eight sets; the sums over all i of the same remainder by 4 come first, as
/// in the vectors of the plain version.
template <std::size_t vectors>
ASSAY_WIDE_INLINE Eight masses(const Sets& sets, __m256i codes, const double* phi,
                               const SubsetSums<vectors>& sums) {
    const __m512i subsets = _mm512_maskz_cvtepu32_epi64(every, codes);
    Eight mass[4];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < 4; ++r) {
        const __m512i subset =
            _mm512_maskz_srli_epi64(every, subsets, 4U * static_cast<unsigned>(r));
        mass[r] = vectors > 3 ? _mm512_permutex2var_pd(sums.low[r], subset, sums.high[r])
                              : _mm512_maskz_permutexvar_pd(every, subset, sums.low[r]);
    }
#pragma GCC unroll 8
    for (std::size_t i = 16; i < 4 * vectors; ++i)
        mass[i % 4] =
            _mm512_mask_add_pd(mass[i % 4], _mm256_test_epi32_mask(codes, all(sets.bits[i])),
                               mass[i % 4], all(phi[i]));
    return (mass[0] + mass[2]) + (mass[1] + mass[3]);
}

/// The marginals of the frequent sets, then the quotients of the rare answers, whose sum is
/// returned: what takes long comes first.
template <std::size_t vectors>
ASSAY_WIDE_INLINE double find_terms(const Sets& sets, const Draw& draw, const double* phi,
                                    const Eight* phis, double whole, Terms& terms) {
    constexpr std::size_t count = Shape<vectors>::count;
    const __m256i lane = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const SubsetSums<vectors> sums(phi);
    Eight totals = {};
    __m256i codes = load(sets.codes.data());
    for (std::size_t j = 0;; j += 8) {
        const __m256i size = _mm256_popcnt_epi32(_mm256_and_si256(codes, all(members_mask)));
        const Eight ratio = pick<count>(eight(sets.inside_ratio.data()), size);
        const Eight mass = masses<vectors>(sets, codes, phi, sums);
        const Eight base =
            ratio * mass + Eight(_mm512_maskz_max_pd(every, all(whole) - mass, Eight{}));
        if (j == 0) {
            *eight(terms.base.data()) = base;
        } else {
            const std::size_t k = j - 8;
            const __m256i category = _mm256_srli_epi32(codes, category_shift);
            const Eight excess = _mm512_mask_mov_pd(pick<count>(eight(sets.excess.data()), size),
                                                    _mm256_test_epi32_mask(codes, all(empty_set)),
                                                    all(sets.empty_excess));
            const __mmask8 live =
                _mm256_cmplt_epu32_mask(lane, all(static_cast<std::uint32_t>(draw.rare_count - k)));
            const Eight quotient =
                _mm512_maskz_div_pd(live, all(1.0), base + excess * pick<count>(phis, category));
            totals += quotient;
            *eight(terms.own.data() + k) = excess * quotient;
            *eight(terms.extra.data() + k) = (ratio - 1.0) * quotient;
            _mm256_store_si256(reinterpret_cast<__m256i*>(terms.category.data() + k), category);
        }
        if (j >= draw.rare_count) break;
        codes = load(draw.codes.data() + j);
    }
    return sum(low(totals) + high(totals));
}

/// The terms of the frequent sets; returns what is the same for all categories.
template <std::size_t vectors>
ASSAY_WIDE_INLINE double add_frequent(const Sets& sets, const Draw& draw, const Terms& terms,
                                      const Eight* phis, Eight* slopes) {
    constexpr std::size_t full = Shape<vectors>::full;
    constexpr std::size_t count = Shape<vectors>::count;
    double common = 0.0;
    const std::uint8_t* row = draw.cells.data();
    for (std::size_t c = 0; c < sets.frequent; ++c, row += 4 * vectors) {
        const Eight excess = all(sets.frequent_excess[c]);
        const Eight base = all(terms.base[c]);
        Eight total = {};
#pragma GCC unroll 3
        for (std::size_t i = 0; i < full; ++i) {
            const Eight counts = _mm512_maskz_cvtepi32_pd(
                every, _mm256_cvtepu8_epi32(
                           _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + 8 * i))));
            const Eight quotient = counts / (base + excess * phis[i]);
            total += quotient;
            slopes[i] += excess * quotient;
        }
        Four totals = low(total);
        if constexpr (full < count) {
            const Four counts =
                _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_loadu_si32(row + 8 * full)));
            const Four quotient = counts / (low(base) + low(excess) * low(phis[full]));
            totals += quotient;
            slopes[full] += widen(low(excess) * quotient);
        }
        const double quotients = sum(totals + high(total));
        const Eight extra = all(sets.frequent_gain[c] * quotients);
#pragma GCC unroll 3
        for (std::size_t i = 0; i < count; ++i)
            slopes[i] = _mm512_mask_add_pd(
                slopes[i],
                _mm256_test_epi32_mask(load(sets.bits.data() + 8 * i), all(sets.codes[c])),
                slopes[i], extra);
        common += quotients;
    }
    return common;
}

/// The terms of the rare answers, one by one.
template <std::size_t vectors>
ASSAY_WIDE_INLINE void add_rare(const Sets& sets, const Draw& draw, const Terms& terms,
                                const double* honest, Eight* slopes) {
    constexpr std::size_t count = Shape<vectors>::count;
    __m256i bits[count];
#pragma GCC unroll 3
    for (std::size_t i = 0; i < count; ++i) bits[i] = load(sets.bits.data() + 8 * i);
    for (std::size_t j = 0; j < draw.rare_count; ++j) {
        const __m256i code = all(draw.codes[j]);
        const Eight extra = all(terms.extra[j]);
#pragma GCC unroll 3
        for (std::size_t i = 0; i < count; ++i)
            slopes[i] = _mm512_mask_add_pd(slopes[i], _mm256_test_epi32_mask(bits[i], code),
                                           slopes[i], extra);
    }
#pragma GCC unroll 3
    for (std::size_t i = 0; i < count; ++i) slopes[i] += *eight(honest + 8 * i);
}

template <std::size_t vectors>
ASSAY_WIDE void add_all(const Sets& sets, const Draw& draw, Terms& terms, const double* phi,
                        double whole, double* slopes) {
    constexpr std::size_t full = Shape<vectors>::full;
    constexpr std::size_t count = Shape<vectors>::count;
    Eight phis[count];
    Eight sums[count] = {};
#pragma GCC unroll 3
    for (std::size_t i = 0; i < count; ++i)
        phis[i] = i < full ? *eight(phi + 8 * i) : Eight(_mm512_maskz_loadu_pd(0xF, phi + 8 * i));
    alignas(64) double honest[8 * count] = {};
    const double rare = find_terms<vectors>(sets, draw, phi, phis, whole, terms);
    for (std::size_t j = 0; j < draw.rare_count; ++j) honest[terms.category[j]] += terms.own[j];
    double common = add_frequent<vectors>(sets, draw, terms, phis, sums);
    if (draw.rare_count > 0) {
        add_rare<vectors>(sets, draw, terms, honest, sums);
        common += rare;
    }
#pragma GCC unroll 3
    for (std::size_t i = 0; i < count; ++i) {
        const Eight slope = sums[i] + common;
        if (i < full)
            *eight(slopes + 8 * i) = slope;
        else
            *reinterpret_cast<Four*>(slopes + 8 * i) = low(slope);
    }
}

void add_slopes(const Sets& sets, const Draw& draw, Terms& terms, const double* phi, double whole,
                double* slopes) {
    switch (sets.vectors) {
        case 1: return add_all<1>(sets, draw, terms, phi, whole, slopes);
        case 2: return add_all<2>(sets, draw, terms, phi, whole, slopes);
        case 3: return add_all<3>(sets, draw, terms, phi, whole, slopes);
        case 4: return add_all<4>(sets, draw, terms, phi, whole, slopes);
        case 5: return add_all<5>(sets, draw, terms, phi, whole, slopes);
        default: return add_all<6>(sets, draw, terms, phi, whole, slopes);
    }
}

bool has_kernels() {
    static const bool answer =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
        __builtin_cpu_supports("avx512vpopcntdq") != 0;
    return answer;
}

#else

// Never called.
void draw_answers(const Sets&, std::span<const std::uint32_t>, Draw&) {}
void add_slopes(const Sets&, const Draw&, Terms&, const double*, double, double*) {}

bool has_kernels() {
    return false;
}

#endif

}  // namespace

bool WideSubsample::admits(std::size_t categories, std::size_t answers) {
    return categories <= most_categories && answers <= most_answers && has_kernels();
}

WideSubsample::WideSubsample(std::size_t categories, std::size_t answers) {
    sets_.vectors = (categories + 3) / 4;
    for (std::size_t i = 0; i < most_categories; ++i) sets_.bits[i] = 1U << bit(i);
    for (Draw& draw : draws_) {
        draw.indices.resize(answers + 16);  // a vector behind the last
        draw.codes.resize(answers + 8);
    }
}

std::uint32_t WideSubsample::code(const ResponseHistory& history, std::uint32_t set) {
    return set == ResponseHistory::empty
               ? empty_set
               : by_remainder(static_cast<std::uint32_t>(history.members(set)[0]));
}

void WideSubsample::choose(const ResponseHistory& history,
                           std::span<const std::uint32_t> frequent) {
    sets_.cells.clear();
    sets_.rare.clear();
    sets_.frequent = frequent.size();
    for (std::size_t row = 0; row < frequent.size(); ++row) {
        const ResponseHistory::Law& law = history.law(frequent[row]);
        sets_.codes[row] = code(history, frequent[row]);
        sets_.frequent_gain[row] = law.inside_ratio - 1.0;
        sets_.frequent_excess[row] = law.excess;
    }
}

void WideSubsample::add_law(const ResponseHistory& history, std::uint32_t set) {
    const ResponseHistory::Law& law = history.law(set);
    const auto size = static_cast<std::size_t>(std::popcount(history.members(set)[0]));
    if (set != ResponseHistory::empty) sets_.excess[size] = law.excess;
    if (set == ResponseHistory::empty) sets_.empty_excess = law.excess;
    sets_.inside_ratio[size] = law.inside_ratio;  // 1 where there are no members
}

void WideSubsample::add_frequent(std::size_t cell) {
    const std::size_t answer = sets_.cells.size() - sets_.rare.size();
    sets_.cells.push_back(most_cells * most_cells);
    sets_.cells[answer] = static_cast<std::uint16_t>(most_cells * cell);
}

void WideSubsample::add_rare(const ResponseHistory& history,
                             const ResponseHistory::Response& response) {
    sets_.cells.push_back(most_cells * most_cells);
    sets_.rare.push_back(code(history, response.set) | response.category << category_shift);
}

void WideSubsample::draw(std::span<const std::uint32_t> indices) {
    draw_answers(sets_, indices, draws_[next_]);
    next_ = 1 - next_;
}

void WideSubsample::slopes(const double* phi, double sum, double* slopes) {
    add_slopes(sets_, draws_[oldest_], terms_, phi, sum, slopes);
    oldest_ = 1 - oldest_;
}

}  // namespace assay::detail
