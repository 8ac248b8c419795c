#include "assay/numeric/interval.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr real largest = std::numeric_limits<real>::max();
constexpr real unknown = std::numeric_limits<real>::quiet_NaN();

/// Beyond these the residuals below could overflow, or lose digits to underflow.
constexpr real out_of_range = 0x1p16000L;
constexpr real too_small = 0x1p-16000L;

bool is_tame(real x) {
    return std::fabs(x) < out_of_range && std::fabs(x) > too_small;
}

/// A little more than half a unit in the last place of any number, and less than one and a half of
/// the next binade down: x -+ |x| times this rounds to the neighbour of x.
constexpr real half_step = 0x1.0001p-1L * std::numeric_limits<real>::epsilon();

// `residual` is the exact result minus its nearest number, or unknown.
real lower_end(real nearest, real residual) {
    if (residual >= 0.0L) return nearest;
    return is_tame(nearest) ? nearest - std::fabs(nearest) * half_step
                            : std::nextafter(nearest, -infinity);
}
real upper_end(real nearest, real residual) {
    if (residual <= 0.0L) return nearest;
    return is_tame(nearest) ? nearest + std::fabs(nearest) * half_step
                            : std::nextafter(nearest, infinity);
}

/// a + b - fl(a + b), exactly (Knuth).
real sum_residual(real a, real b, real sum) {
    if (!(std::fabs(sum) < out_of_range && std::fabs(a) < out_of_range)) return unknown;
    const real part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/// The upper half of a significand (Veltkamp).
real upper_half(real a) {
    constexpr real splitter =
        static_cast<real>(1ULL << ((std::numeric_limits<real>::digits + 1) / 2)) + 1.0L;
    const real scaled = splitter * a;
    return scaled - (scaled - a);
}

/// a b - fl(a b), exactly (Dekker); 0 times anything is 0.
real product_residual(real a, real b, real product) {
    if (a == 0.0L || b == 0.0L) return 0.0L;
    if (!is_tame(a) || !is_tame(b) || !is_tame(product)) return unknown;
    const real a_high = upper_half(a);
    const real b_high = upper_half(b);
    const real a_low = a - a_high;
    const real b_low = b - b_high;
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/// The sign of a - x y where p = fl(x y) is next to a.
real sign_of_remainder(real a, real x, real y) {
    const real p = x * y;
    return (a - p) - product_residual(x, y, p);
}

/// A number next to an exact result, and that result less it.
struct Nearest {
    real value;
    real residual;

    [[nodiscard]] real lower() const { return lower_end(value, residual); }
    [[nodiscard]] real upper() const { return upper_end(value, residual); }
};

Nearest sum(real a, real b) {
    const real s = a + b;
    return {s, sum_residual(a, b, s)};
}

Nearest product(real a, real b) {
    const real p = a == 0.0L || b == 0.0L ? 0.0L : a * b;
    return {p, product_residual(a, b, p)};
}

/// b != 0.
Nearest quotient(real a, real b) {
    if (a == 0.0L) return {0.0L, 0.0L};
    const real q = a / b;
    if (!is_tame(a) || !is_tame(b) || !is_tame(q)) return {q, unknown};
    return {q, sign_of_remainder(a, q, b) * (b > 0.0L ? 1.0L : -1.0L)};
}

Nearest root(real y) {
    if (y <= 0.0L) return {0.0L, 0.0L};
    const real r = std::sqrt(y);
    return {r, is_tame(y) ? sign_of_remainder(y, r, r) : unknown};
}

/// From the least of four results to the greatest; the whole line where one is undefined.
RealInterval hull_of(std::initializer_list<Nearest> results) {
    real low = infinity;
    real high = -infinity;
    for (const Nearest& result : results) {
        if (std::isnan(result.value)) return RealInterval::whole_line();
        low = std::min(low, result.lower());
        high = std::max(high, result.upper());
    }
    return {low, high};
}

/// 12 ulp are at most 24 unit roundoffs, and a dozen steps where the numbers are subnormal.
real slack(real y) {
    return 24.0L * unit_roundoff * std::fabs(y) + 12.0L * std::numeric_limits<real>::denorm_min();
}
real moved_down(real y) {
    if (y == infinity) return 0.5L * largest;
    return std::isfinite(y) ? y - slack(y) : y;
}
real moved_up(real y) {
    return std::isfinite(y) ? y + slack(y) : y;
}

/// A rising function from its computed ends; exact at the point `fixed`, where it is `value`.
template <class Function>
RealInterval rising(real low, real high, Function function, real fixed, real value) {
    return {low == fixed ? value : moved_down(function(low)),
            high == fixed ? value : moved_up(function(high))};
}

}  // namespace

RealInterval operator+(const RealInterval& a, const RealInterval& b) {
    return {sum(a.lower_, b.lower_).lower(), sum(a.upper_, b.upper_).upper()};
}

RealInterval operator*(const RealInterval& a, const RealInterval& b) {
    if (a.lower_ >= 0.0L && b.lower_ >= 0.0L)
        return {std::max(product(a.lower_, b.lower_).lower(), 0.0L),
                product(a.upper_, b.upper_).upper()};
    return hull_of({product(a.lower_, b.lower_), product(a.lower_, b.upper_),
                    product(a.upper_, b.lower_), product(a.upper_, b.upper_)});
}

RealInterval operator/(const RealInterval& a, const RealInterval& b) {
    if (b.contains(0.0L)) return RealInterval::whole_line();
    if (a.lower_ >= 0.0L && b.lower_ > 0.0L)
        return {std::max(quotient(a.lower_, b.upper_).lower(), 0.0L),
                quotient(a.upper_, b.lower_).upper()};
    return hull_of({quotient(a.lower_, b.lower_), quotient(a.lower_, b.upper_),
                    quotient(a.upper_, b.lower_), quotient(a.upper_, b.upper_)});
}

RealInterval sqrt(const RealInterval& x) {
    if (x.upper() < 0.0L) return RealInterval::whole_line();
    return {root(x.lower()).lower(), root(x.upper()).upper()};
}

RealInterval exp(const RealInterval& x) {
    const RealInterval y = rising(
        x.lower(), x.upper(), [](real t) { return std::exp(t); }, 0.0L, 1.0L);
    return {std::max(y.lower(), 0.0L), y.upper()};
}

RealInterval expm1(const RealInterval& x) {
    const RealInterval y = rising(
        x.lower(), x.upper(), [](real t) { return std::expm1(t); }, 0.0L, 0.0L);
    return {std::max(y.lower(), -1.0L), y.upper()};
}

RealInterval log(const RealInterval& x) {
    if (x.upper() <= 0.0L) return RealInterval::whole_line();
    return rising(
        std::max(x.lower(), 0.0L), x.upper(), [](real t) { return std::log(t); }, 1.0L, 0.0L);
}

RealInterval log1p(const RealInterval& x) {
    if (x.upper() <= -1.0L) return RealInterval::whole_line();
    return rising(
        std::max(x.lower(), -1.0L), x.upper(), [](real t) { return std::log1p(t); }, 0.0L, 0.0L);
}

RealInterval abs(const RealInterval& x) {
    if (x.lower() >= 0.0L) return x;
    if (x.upper() <= 0.0L) return -x;
    return {0.0L, std::max(-x.lower(), x.upper())};
}

RealInterval min(const RealInterval& a, const RealInterval& b) {
    return {std::min(a.lower(), b.lower()), std::min(a.upper(), b.upper())};
}

RealInterval max(const RealInterval& a, const RealInterval& b) {
    return {std::max(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

Enclosure to_enclosure(const RealInterval& x) {
    return {round_down(x.lower()), round_up(x.upper())};
}

}  // namespace assay
