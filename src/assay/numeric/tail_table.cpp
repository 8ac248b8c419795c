#include "assay/numeric/tail_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "assay/numeric/errors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {

namespace {

constexpr std::uint64_t one_bits = 0x3FF0000000000000U;
constexpr std::uint64_t fraction_bits = 0x000FFFFFFFFFFFFFU;
constexpr double cell_cut = 0x1p-12;
constexpr double refine_cut = 0x1p-22;

/// Monomial coefficients of the cubic through four points.
std::array<real, 4> cubic(const std::array<real, 4>& x, const std::array<real, 4>& y) {
    const real d01 = (y[1] - y[0]) / (x[1] - x[0]);
    const real d12 = (y[2] - y[1]) / (x[2] - x[1]);
    const real d23 = (y[3] - y[2]) / (x[3] - x[2]);
    const real d012 = (d12 - d01) / (x[2] - x[0]);
    const real d123 = (d23 - d12) / (x[3] - x[1]);
    const real d = (d123 - d012) / (x[3] - x[0]);
    const real c2 = d012 - d * (x[0] + x[1] + x[2]);
    const real c1 = d01 - d012 * (x[0] + x[1]) + d * (x[0] * x[1] + x[0] * x[2] + x[1] * x[2]);
    const real c0 = y[0] - x[0] * (d01 - x[1] * (d012 - x[2] * d));
    return {c0, c1, c2, d};
}

/// (2k + 1) 2^-33 for the upper 31 bits k of a cell: 2^19 + that, less 2^19, both exact.
double cell_magnitude(std::uint32_t cell) {
    return std::bit_cast<double>(std::uint64_t{cell} | 1U | 0x4120000000000000U) - 0x1p19;
}

}  // namespace

TailTable::TailTable(Function function, int octaves, double tolerance)
    : function_(std::move(function)), octaves_(octaves), smallest_(std::ldexp(1.0, -octaves - 1)) {
    for (int bits = 4; bits <= 12; ++bits) {
        lay_out(bits);
        const real worst = interpolation_error(tolerance);
        if (worst > tolerance) continue;
        fill();
        relative_error_ =
            round_up(worst) + 0x1p-46;  // rounded coefficients, six roundings, t <= 1/16
        return;
    }
    throw Error("a sampling table would need more than 2^12 pieces an octave");
}

void TailTable::lay_out(int bits) {
    bits_ = bits;
    first_row_ = std::bit_cast<std::uint64_t>(smallest_) >> static_cast<unsigned>(52 - bits);
    side_ = (static_cast<std::size_t>(octaves_) << static_cast<unsigned>(bits)) + 1;
    rows_.assign(2 * side_, Row{});
}

TailTable::Piece TailTable::piece(std::size_t row) const {
    const std::size_t pieces = std::size_t{1} << static_cast<unsigned>(bits_);
    const std::size_t at = row % side_;
    const real scale = std::ldexp(1.0L, static_cast<int>(at / pieces) - octaves_ - 1);
    return {row < side_ ? scale : -scale,
            std::ldexp(static_cast<real>(at % pieces), -bits_),  // leading digits
            at + 1 < side_ ? std::ldexp(1.0L, -bits_) : 0.0L};
}

/// Bound over all pieces; infinite where one exceeds `enough`, or is not known.
real TailTable::interpolation_error(real enough) const {
    real worst = 0.0L;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto [scale, fraction, length] = piece(i);
        const real left = scale * (1.0L + fraction);
        const real right = scale * (1.0L + fraction + length);
        const real smaller = std::min(function_.value(left), function_.value(right));
        // Where the function underflows in double precision no relative error is asked for.
        if (smaller <= 0x1p-1000L) continue;
        const real half = 0.5L * std::fabs(scale) * length;
        const real error =
            half * half * half * half / 192.0L *
            function_.fourth_derivative(std::min(left, right), std::max(left, right));
        const real relative = error / smaller * 1.001L;
        if (!(relative <= enough)) return std::numeric_limits<real>::infinity();  // NaN as well
        worst = std::max(worst, relative);
    }
    return worst;
}

void TailTable::fill() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto [scale, fraction, length] = piece(i);
        if (length == 0.0L) {
            rows_[i].coefficient[0] = static_cast<double>(function_.value(scale));
            continue;
        }
        std::array<real, 4> x{};
        std::array<real, 4> y{};
        for (std::size_t k = 0; k < 4; ++k) {
            const real node =
                std::cos((2.0L * static_cast<real>(k) + 1.0L) * std::numbers::pi_v<real> / 8.0L);
            x[k] = 0.5L * length * (1.0L + node);
            y[k] = function_.value(scale * (1.0L + fraction + x[k]));
        }
        const std::array<real, 4> c = cubic(x, y);
        // The kernel's variable is t = the digits after the leading ones, as a number in
        // [0, length): t = x.
        for (std::size_t k = 0; k < 4; ++k) rows_[i].coefficient[k] = static_cast<double>(c[k]);
    }
}

std::size_t TailTable::row_of(double tail) const {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(std::fabs(tail));
    const std::uint64_t row = (bits >> static_cast<unsigned>(52 - bits_)) - first_row_;
    return static_cast<std::size_t>(row) + (tail < 0.0 ? side_ : 0);
}

double TailTable::polynomial(double tail) const {
    const double* c = rows_[row_of(tail)].coefficient;
    const std::uint64_t rest = fraction_bits >> static_cast<unsigned>(bits_);
    const double t =
        std::bit_cast<double>((std::bit_cast<std::uint64_t>(tail) & rest) | one_bits) - 1.0;
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}

double TailTable::at(double tail) const {
    return std::fabs(tail) < smallest_ ? static_cast<double>(function_.value(tail))
                                       : polynomial(tail);
}

void TailTable::evaluate_plain(std::span<double> tails) const {
    for (double& tail : tails) tail = at(tail);
}

double TailTable::sum_plain(std::span<const std::uint64_t> words, std::span<std::uint32_t> rare,
                            std::size_t& rare_count) const {
    std::array<double, 4> sums{};
    rare_count = 0;
    const auto add = [&](std::uint32_t cell, double& sum) {
        const double magnitude = cell_magnitude(cell);
        if (magnitude < cell_cut) rare[rare_count++] = cell;
        sum += polynomial((cell & 1U) != 0 ? -magnitude : magnitude);
    };
    for (std::size_t i = 0; i < words.size(); i += 4) {
        const std::size_t lanes = std::min<std::size_t>(4, words.size() - i);
        for (std::size_t k = 0; k < lanes; ++k)
            add(static_cast<std::uint32_t>(words[i + k]), sums[k]);
        for (std::size_t k = 0; k < lanes; ++k)
            add(static_cast<std::uint32_t>(words[i + k] >> 32U), sums[k]);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double TailTable::cell_value(std::uint32_t cell) const {
    return polynomial((cell & 1U) != 0 ? -cell_magnitude(cell) : cell_magnitude(cell));
}

#if defined(__x86_64__)

namespace {

/// Rows and digits of a batch of numbers. They are found for the whole batch before the first row
/// is read: in one pass the scheduler fills with polynomials that wait for their rows.
constexpr std::size_t batch = 64;
struct Located {
    alignas(32) std::array<long long, batch> row;
    alignas(32) std::array<double, batch> t;
};

struct Layout {
    const double* rows;
    int shift;  // 52 - bits
    long long first_row;
    long long side;
    long long rest;  // mask of the digits after the leading ones
    double smallest;
};

/// Locates four magnitudes, given what the row begins from.
__attribute__((target("avx2"), always_inline)) inline void locate(const Layout& table,
                                                                  __m256d magnitude, __m256i offset,
                                                                  Located& located,
                                                                  std::size_t at) {
    const __m256i bits = _mm256_castpd_si256(magnitude);
    const __m256i row =
        _mm256_add_epi64(_mm256_srl_epi64(bits, _mm_cvtsi32_si128(table.shift)), offset);
    const __m256i one = _mm256_set1_epi64x(static_cast<long long>(one_bits));
    const __m256i rest = _mm256_and_si256(bits, _mm256_set1_epi64x(table.rest));
    _mm256_store_si256(reinterpret_cast<__m256i*>(located.row.data() + at), row);
    _mm256_store_pd(
        located.t.data() + at,
        _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(rest, one)), _mm256_set1_pd(1.0)));
}

/// Four rows become four vectors of coefficients; Horner's rule at t, without contraction.
__attribute__((target("avx2"), always_inline)) inline __m256d cubics(const double* rows,
                                                                     const Located& located,
                                                                     std::size_t at) {
    const __m256d r0 = _mm256_load_pd(rows + 4 * located.row[at]);
    const __m256d r1 = _mm256_load_pd(rows + 4 * located.row[at + 1]);
    const __m256d r2 = _mm256_load_pd(rows + 4 * located.row[at + 2]);
    const __m256d r3 = _mm256_load_pd(rows + 4 * located.row[at + 3]);
    const __m256d t = _mm256_load_pd(located.t.data() + at);
    const __m256d a = _mm256_unpacklo_pd(r0, r1);
    const __m256d b = _mm256_unpackhi_pd(r0, r1);
    const __m256d c = _mm256_unpacklo_pd(r2, r3);
    const __m256d d = _mm256_unpackhi_pd(r2, r3);
    const __m256d c0 = _mm256_permute2f128_pd(a, c, 0x20);
    const __m256d c1 = _mm256_permute2f128_pd(b, d, 0x20);
    const __m256d c2 = _mm256_permute2f128_pd(a, c, 0x31);
    const __m256d c3 = _mm256_permute2f128_pd(b, d, 0x31);
    __m256d y = _mm256_add_pd(_mm256_mul_pd(c3, t), c2);
    y = _mm256_add_pd(_mm256_mul_pd(y, t), c1);
    return _mm256_add_pd(_mm256_mul_pd(y, t), c0);
}

/// Returns how many tails it has handled: it stops before a group with one beyond the table.
__attribute__((target("avx2"))) std::size_t evaluate_avx2(const Layout& table,
                                                          std::span<double> tails,
                                                          std::size_t begin) {
    const __m256d sign_mask = _mm256_set1_pd(-0.0);
    const __m256i first_row = _mm256_set1_epi64x(table.first_row);
    const __m256i side = _mm256_set1_epi64x(table.side);
    const __m256d smallest = _mm256_set1_pd(table.smallest);
    Located located;
    bool is_beyond = false;
    std::size_t i = begin;
    while (!is_beyond && i + 4 <= tails.size()) {
        std::size_t found = 0;
        for (; found < batch && i + found + 4 <= tails.size(); found += 4) {
            const __m256d tail = _mm256_loadu_pd(tails.data() + i + found);
            const __m256d magnitude = _mm256_andnot_pd(sign_mask, tail);
            is_beyond = _mm256_movemask_pd(_mm256_cmp_pd(magnitude, smallest, _CMP_LT_OQ)) != 0;
            if (is_beyond) break;
            const __m256i negative =
                _mm256_cmpgt_epi64(_mm256_setzero_si256(), _mm256_castpd_si256(tail));
            locate(table, magnitude, _mm256_sub_epi64(_mm256_and_si256(negative, side), first_row),
                   located, found);
        }
        for (std::size_t k = 0; k < found; k += 4)
            _mm256_storeu_pd(tails.data() + i + k, cubics(table.rows, located, k));
        i += found;
    }
    return i;
}

/// The coefficients of two rows.
__attribute__((target("avx512f"), always_inline)) inline __m512d two_rows(const double* first,
                                                                          const double* second) {
    return _mm512_maskz_insertf64x4(0xFF, _mm512_castpd256_pd512(_mm256_load_pd(first)),
                                    _mm256_load_pd(second), 1);
}

/// As evaluate_avx2, eight at a time.
__attribute__((target("avx512f"))) std::size_t evaluate_avx512(const Layout& table,
                                                               std::span<double> tails,
                                                               std::size_t begin) {
    constexpr __mmask8 every = 0xFF;
    const __m512i magnitude_bits = _mm512_set1_epi64(std::numeric_limits<long long>::max());
    const __m512i first_row = _mm512_set1_epi64(table.first_row);
    const __m512i side = _mm512_set1_epi64(table.side);
    const __m512i smallest =
        _mm512_set1_epi64(static_cast<long long>(std::bit_cast<std::uint64_t>(table.smallest)));
    const __m512i rest = _mm512_set1_epi64(table.rest);
    const __m512d one = _mm512_set1_pd(1.0);
    const __m128i shift = _mm_cvtsi32_si128(table.shift);
    const __m512i even = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i odd = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    alignas(64) std::array<long long, batch> row;
    bool is_beyond = false;
    std::size_t i = begin;
    while (!is_beyond && i + 8 <= tails.size()) {
        std::size_t found = 0;
        for (; found < batch && i + found + 8 <= tails.size(); found += 8) {
            const __m512i tail = _mm512_loadu_si512(tails.data() + i + found);
            const __m512i magnitude = _mm512_and_epi64(tail, magnitude_bits);
            is_beyond = _mm512_cmplt_epi64_mask(magnitude, smallest) != 0;
            if (is_beyond) break;
            const __m512i from_first =
                _mm512_sub_epi64(_mm512_maskz_srl_epi64(every, magnitude, shift), first_row);
            _mm512_store_si512(
                row.data() + found,
                _mm512_mask_add_epi64(from_first,
                                      _mm512_cmplt_epi64_mask(tail, _mm512_setzero_si512()),
                                      from_first, side));
        }
        for (std::size_t k = 0; k < found; k += 8) {
            const __m512i tail = _mm512_loadu_si512(tails.data() + i + k);
            const __m512d t =
                _mm512_sub_pd(_mm512_castsi512_pd(_mm512_or_epi64(_mm512_and_epi64(tail, rest),
                                                                  _mm512_castpd_si512(one))),
                              one);
            const auto at = [&](std::size_t lane) { return table.rows + 4 * row[k + lane]; };
            const __m512d r04 = two_rows(at(0), at(4));
            const __m512d r15 = two_rows(at(1), at(5));
            const __m512d r26 = two_rows(at(2), at(6));
            const __m512d r37 = two_rows(at(3), at(7));
            const __m512d a = _mm512_maskz_unpacklo_pd(every, r04, r15);
            const __m512d b = _mm512_maskz_unpackhi_pd(every, r04, r15);
            const __m512d c = _mm512_maskz_unpacklo_pd(every, r26, r37);
            const __m512d d = _mm512_maskz_unpackhi_pd(every, r26, r37);
            __m512d y = _mm512_add_pd(_mm512_mul_pd(_mm512_permutex2var_pd(b, odd, d), t),
                                      _mm512_permutex2var_pd(a, odd, c));
            y = _mm512_add_pd(_mm512_mul_pd(y, t), _mm512_permutex2var_pd(b, even, d));
            y = _mm512_add_pd(_mm512_mul_pd(y, t), _mm512_permutex2var_pd(a, even, c));
            _mm512_storeu_pd(tails.data() + i + k, y);
        }
        i += found;
    }
    return i;
}

__attribute__((target("avx2"))) double sum_avx2(const Layout& table,
                                                std::span<const std::uint64_t> words,
                                                std::span<std::uint32_t> rare,
                                                std::size_t& rare_count) {
    const __m256i first = _mm256_set1_epi64x(-table.first_row);
    const __m256i second = _mm256_set1_epi64x(table.side - table.first_row);
    const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
    const __m256i magic = _mm256_set1_epi64x(0x4120000000000001);
    const __m256d cut = _mm256_set1_pd(cell_cut);
    __m256d sums = _mm256_setzero_pd();
    std::size_t found = 0;
    Located located;
    for (std::size_t begin = 0; begin < words.size(); begin += batch / 2) {
        const std::size_t end = std::min(words.size(), begin + batch / 2);
        for (std::size_t i = begin; i < end; i += 4) {
            const __m256i word =
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words.data() + i));
            __m256d magnitude[2];
#pragma GCC unroll 2
            for (std::size_t half = 0; half < 2; ++half) {
                const __m256i cell =
                    half == 0 ? _mm256_and_si256(word, low_half) : _mm256_srli_epi64(word, 32);
                magnitude[half] = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(cell, magic)),
                                                _mm256_set1_pd(0x1p19));
                // The side bit moved to the sign selects between the two offsets.
                const __m256i offset = _mm256_castpd_si256(
                    _mm256_blendv_pd(_mm256_castsi256_pd(first), _mm256_castsi256_pd(second),
                                     _mm256_castsi256_pd(_mm256_slli_epi64(cell, 63))));
                locate(table, magnitude[half], offset, located, 2 * (i - begin) + 4 * half);
            }
            const __m256d least = _mm256_min_pd(magnitude[0], magnitude[1]);
            if (_mm256_movemask_pd(_mm256_cmp_pd(least, cut, _CMP_LT_OQ)) == 0) continue;
            for (const unsigned half : {0U, 32U})
                for (std::size_t k = 0; k < 4; ++k) {
                    const auto cell = static_cast<std::uint32_t>(words[i + k] >> half);
                    if (cell_magnitude(cell) < cell_cut) rare[found++] = cell;
                }
        }
        for (std::size_t k = 0; k < 2 * (end - begin); k += 4)
            sums = _mm256_add_pd(sums, cubics(table.rows, located, k));
    }
    rare_count = found;
    alignas(32) std::array<double, 4> lanes;
    _mm256_store_pd(lanes.data(), sums);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// Signed tails of a multiple of 4 words, and whether one is to be refined.
__attribute__((target("avx2"))) bool tails_avx2(std::span<const std::uint64_t> words, double* out) {
    const __m256i one = _mm256_set1_epi64x(static_cast<long long>(one_bits));
    const __m256d near_one = _mm256_set1_pd(1.0 - 0x1p-53);
    __m256d least = _mm256_set1_pd(1.0);
    for (std::size_t i = 0; i < words.size(); i += 4) {
        const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words.data() + i));
        const __m256d unit = _mm256_sub_pd(
            _mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(word, 12), one)), near_one);
        const __m256d magnitude = _mm256_mul_pd(unit, _mm256_set1_pd(0.5));
        least = _mm256_min_pd(least, magnitude);
        _mm256_storeu_pd(out + i,
                         _mm256_or_pd(magnitude, _mm256_castsi256_pd(_mm256_slli_epi64(word, 63))));
    }
    return _mm256_movemask_pd(_mm256_cmp_pd(least, _mm256_set1_pd(refine_cut), _CMP_LT_OQ)) != 0;
}

}  // namespace

void TailTable::evaluate(std::span<double> tails, bool wide) const {
    if (!detail::has_avx2()) return evaluate_plain(tails);
    const Layout layout{rows_.front().coefficient,
                        52 - bits_,
                        static_cast<long long>(first_row_),
                        static_cast<long long>(side_),
                        static_cast<long long>(fraction_bits >> static_cast<unsigned>(bits_)),
                        smallest_};
    wide = wide && detail::has_avx512();
    std::size_t i = 0;
    while (i < tails.size()) {
        if (wide) i = evaluate_avx512(layout, tails, i);
        i = evaluate_avx2(layout, tails, i);
        const std::size_t group = std::min<std::size_t>(4, tails.size() - i);
        evaluate_plain(tails.subspan(i, group));
        i += group;
    }
}

double TailTable::sum(std::span<const std::uint64_t> words, std::span<std::uint32_t> rare,
                      std::size_t& rare_count) const {
    if (!detail::has_avx2() || words.size() % 4 != 0) return sum_plain(words, rare, rare_count);
    const Layout layout{rows_.front().coefficient,
                        52 - bits_,
                        static_cast<long long>(first_row_),
                        static_cast<long long>(side_),
                        static_cast<long long>(fraction_bits >> static_cast<unsigned>(bits_)),
                        smallest_};
    return sum_avx2(layout, words, rare, rare_count);
}

#else

namespace {

bool tails_avx2(std::span<const std::uint64_t>, double*) {
    return false;  // never called: has_avx2() is false
}

}  // namespace

void TailTable::evaluate(std::span<double> tails, bool) const {
    evaluate_plain(tails);
}

double TailTable::sum(std::span<const std::uint64_t> words, std::span<std::uint32_t> rare,
                      std::size_t& rare_count) const {
    return sum_plain(words, rare, rare_count);
}

#endif

bool detail::signed_tails_plain(std::span<const std::uint64_t> words, double* out) {
    bool any = false;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const double magnitude = 0.5 * RandomStream::to_unit_interval(words[k]);
        any = any || magnitude < refine_cut;
        out[k] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | words[k] << 63U);
    }
    return any;
}

bool detail::signed_tails_vector(std::span<const std::uint64_t> words, double* out) {
    const std::size_t whole = has_avx2() ? words.size() / 4 * 4 : 0;
    const bool first = whole > 0 && tails_avx2(words.first(whole), out);
    const bool second = signed_tails_plain(words.subspan(whole), out + whole);
    return first || second;
}

void fill_signed_tails(RandomStream& stream, std::span<double> out) {
    std::array<std::uint64_t, 512> words;
    for (std::size_t i = 0; i < out.size(); i += words.size()) {
        const std::size_t count = std::min(words.size(), out.size() - i);
        stream.fill_bits(std::span(words).first(count));
        if (!detail::signed_tails_vector(std::span(words).first(count), out.data() + i)) continue;
        for (std::size_t k = 0; k < count; ++k) {
            const double magnitude = std::fabs(out[i + k]);
            if (magnitude < refine_cut)
                out[i + k] =
                    std::copysign(magnitude - 0x1p-54 + 0x1p-53 * stream.uniform(), out[i + k]);
        }
    }
}

double signed_tail(RandomStream& stream) {
    double tail = 0.0;
    fill_signed_tails(stream, {&tail, 1});
    return tail;
}

double refine_cell(RandomStream& stream, std::uint32_t cell) {
    const double magnitude = cell_magnitude(cell) - 0x1p-33 + 0x1p-32 * stream.uniform();
    return (cell & 1U) != 0 ? -magnitude : magnitude;
}

}  // namespace assay
