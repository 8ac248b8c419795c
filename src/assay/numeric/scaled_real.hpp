#pragma once
#include <cstdint>

#include "assay/numeric/directed.hpp"

namespace assay {

/// Non-negative number m 2^e with a 64-bit significand and a 64-bit exponent.
///
/// The divergences here reach e^(10^11); sums of positive terms of that size are formed without
/// logarithms and without overflow. Each +, *, / has relative error at most unit_roundoff;
/// exp_of(x) at most (|x| + 20) unit_roundoff, twice that beyond |x| = 2^38
/// (docs/error_bounds.md#scaled-real).
class ScaledReal {
public:
    constexpr ScaledReal() = default;
    /// x >= 0 and finite, exactly.
    explicit ScaledReal(real x) : significand_(x), exponent_(0) { normalise(); }
    /// e^x for x <= 2^60, otherwise DomainError; below -2^60 that of -2^60, which is larger; -inf
    /// gives 0.
    [[nodiscard]] static ScaledReal exp_of(real x);

    [[nodiscard]] bool is_zero() const { return significand_ == 0.0L; }
    /// Natural logarithm, -inf for 0; absolute error at most (3 |log| + 20) unit_roundoff.
    [[nodiscard]] real log() const;
    /// log(1 + *this), relative error at most 20 unit_roundoff (plus that of *this).
    [[nodiscard]] real log1p() const;
    /// The nearest extended number; +inf beyond its range, 0 below.
    [[nodiscard]] real value() const;
    /// Non-negative square root.
    [[nodiscard]] ScaledReal sqrt() const;

    ScaledReal& operator+=(const ScaledReal& other);
    ScaledReal& operator*=(const ScaledReal& other);
    ScaledReal& operator*=(real factor);
    ScaledReal& operator/=(const ScaledReal& other);
    ScaledReal& operator/=(real divisor);

    friend ScaledReal operator+(ScaledReal a, const ScaledReal& b) { return a += b; }
    friend ScaledReal operator*(ScaledReal a, const ScaledReal& b) { return a *= b; }
    friend ScaledReal operator*(ScaledReal a, real b) { return a *= b; }
    friend ScaledReal operator*(real a, ScaledReal b) { return b *= a; }
    friend ScaledReal operator/(ScaledReal a, const ScaledReal& b) { return a /= b; }
    friend ScaledReal operator/(ScaledReal a, real b) { return a /= b; }
    friend bool operator<(const ScaledReal& a, const ScaledReal& b);
    friend ScaledReal difference(const ScaledReal& a, const ScaledReal& b);

private:
    void normalise();

    real significand_ = 0.0L;  // in [1, 2), or 0
    std::int64_t exponent_ = 0;
};

/// a - b for a >= b >= 0, exact up to one rounding; throws Error when a < b.
[[nodiscard]] ScaledReal difference(const ScaledReal& a, const ScaledReal& b);

/// e^x - 1 >= 0 for x >= 0, relative error at most (|x| + 20) unit_roundoff.
[[nodiscard]] ScaledReal scaled_expm1(real x);

}  // namespace assay
