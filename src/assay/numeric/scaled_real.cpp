#include "assay/numeric/scaled_real.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr real inverse_ln2 = 1.442695040888963407359924681001892137L;
constexpr real ln2 = 0.693147180559945309417232121458176568L;
// ln2 = high + low up to 2^-97; the 26-bit high part makes k * high exact for |k| < 2^38.
constexpr real ln2_high = 0x1.62e42fcp-1L;
constexpr real ln2_low = 5.545926296966060246458176568076e-9L;

/// A binary exponent then fits 64 bits with room for products.
constexpr real largest_exponent = 0x1p60L;

/// Terms further apart than this do not change a 64-bit significand.
constexpr int widest_gap = 70;

/// 2^0, 2^-1, .., 2^-69.
constexpr std::array<real, widest_gap> make_negative_powers() {
    std::array<real, widest_gap> powers{};
    real power = 1.0L;
    for (real& entry : powers) {
        entry = power;
        power *= 0.5L;
    }
    return powers;
}
constexpr std::array<real, widest_gap> negative_power = make_negative_powers();

/// Nearest integer for |x| < 2^61, without touching the floating-point environment.
real nearest_integer(real x) {
    // Numbers of its size are 1 apart, at any precision of `real`.
    constexpr real shifter = 1.5L / std::numeric_limits<real>::epsilon();
    return (x + shifter) - shifter;
}

}  // namespace

void ScaledReal::normalise() {
    if (significand_ == 0.0L) {
        exponent_ = 0;
        return;
    }
    if (significand_ >= 1.0L) {
        if (significand_ < 2.0L) return;
        if (significand_ < 4.0L) {  // a sum or product of two
            significand_ *= 0.5L;
            ++exponent_;
            return;
        }
    } else if (significand_ >= 0.5L) {  // a quotient
        significand_ *= 2.0L;
        --exponent_;
        return;
    }
    const int shift = std::ilogb(significand_);
    significand_ = std::scalbn(significand_, -shift);
    exponent_ += shift;
}

ScaledReal ScaledReal::exp_of(real x) {
    ScaledReal result;
    if (x == -std::numeric_limits<real>::infinity()) return result;
    require(x <= largest_exponent, "exponent", static_cast<double>(x), "at most 2^60");
    x = std::max(x, -largest_exponent);
    const real k = nearest_integer(x * inverse_ln2);
    const real r = (x - k * ln2_high) - k * ln2_low;
    result.significand_ = std::exp(r);
    result.exponent_ = static_cast<std::int64_t>(k);
    result.normalise();
    return result;
}

real ScaledReal::log() const {
    if (is_zero()) return -std::numeric_limits<real>::infinity();
    // Near 1 from below the two terms would cancel: move the significand to [3/4, 3/2).
    if (significand_ >= 1.5L) {
        const auto e = static_cast<real>(exponent_ + 1);
        return e == 0.0L ? std::log1p(significand_ / 2.0L - 1.0L)
                         : std::log(significand_ / 2.0L) + e * ln2;
    }
    const auto e = static_cast<real>(exponent_);
    return e == 0.0L ? std::log1p(significand_ - 1.0L) : std::log(significand_) + e * ln2;
}

real ScaledReal::log1p() const {
    if (exponent_ > 130) return log();  // log(1+x) - log x < 2^-130
    return std::log1p(value());
}

real ScaledReal::value() const {
    if (exponent_ > 16383) return std::numeric_limits<real>::infinity();
    if (exponent_ < -16400) return 0.0L;
    return std::scalbn(significand_, static_cast<int>(exponent_));
}

ScaledReal ScaledReal::sqrt() const {
    ScaledReal result;
    if (is_zero()) return result;
    const bool odd = (exponent_ & 1) != 0;
    result.significand_ = std::sqrt(odd ? 2.0L * significand_ : significand_);
    result.exponent_ = (exponent_ - (odd ? 1 : 0)) / 2;
    result.normalise();
    return result;
}

ScaledReal& ScaledReal::operator+=(const ScaledReal& other) {
    if (other.is_zero()) return *this;
    if (is_zero()) return *this = other;
    const std::int64_t gap = exponent_ - other.exponent_;
    if (gap >= 0) {
        if (gap < widest_gap)
            significand_ += other.significand_ * negative_power[static_cast<std::size_t>(gap)];
    } else {
        real sum = other.significand_;
        if (gap > -widest_gap) sum += significand_ * negative_power[static_cast<std::size_t>(-gap)];
        significand_ = sum;
        exponent_ = other.exponent_;
    }
    normalise();
    return *this;
}

ScaledReal& ScaledReal::operator*=(const ScaledReal& other) {
    significand_ *= other.significand_;
    exponent_ += other.exponent_;
    normalise();
    return *this;
}

ScaledReal& ScaledReal::operator*=(real factor) {
    return *this *= ScaledReal(factor);
}

ScaledReal& ScaledReal::operator/=(const ScaledReal& other) {
    require(!other.is_zero(), "divisor", 0.0, "a positive number");
    significand_ /= other.significand_;
    exponent_ -= other.exponent_;
    normalise();
    return *this;
}

ScaledReal& ScaledReal::operator/=(real divisor) {
    return *this /= ScaledReal(divisor);
}

bool operator<(const ScaledReal& a, const ScaledReal& b) {
    if (a.is_zero() || b.is_zero()) return a.is_zero() && !b.is_zero();
    return std::pair(a.exponent_, a.significand_) < std::pair(b.exponent_, b.significand_);
}

ScaledReal difference(const ScaledReal& a, const ScaledReal& b) {
    if (b.is_zero()) return a;
    if (a < b) throw Error("difference of scaled numbers would be negative");
    const std::int64_t gap = a.exponent_ - b.exponent_;
    ScaledReal result = a;
    if (gap < widest_gap)
        result.significand_ -= b.significand_ * negative_power[static_cast<std::size_t>(gap)];
    result.normalise();
    return result;
}

ScaledReal scaled_expm1(real x) {
    require(x >= 0.0L, "x", static_cast<double>(x), "x >= 0");
    return x < 11000.0L ? ScaledReal(std::expm1(x)) : ScaledReal::exp_of(x);
}

}  // namespace assay
