#pragma once
#include <limits>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Closed interval with ends in `real`, infinite ones included, that contains an exact number;
/// never NaN: what is undefined becomes the whole line.
///
/// For numbers made of a few thousand operations, where a proved budget would cost more than it
/// saves. + - * / and sqrt are rounded outward by the sign of their exact residual, so an exact
/// operation stays exact (integers below 2^64, products with 0 or 1); exp, log, expm1 and log1p
/// are widened by 12 ulp (docs/error_bounds.md#interval).
class RealInterval {
public:
    constexpr RealInterval() = default;
    /// The point {x}; the whole line for a NaN.
    RealInterval(real x) : RealInterval(x, x) {}
    /// [lower, upper]; the whole line unless lower <= upper.
    RealInterval(real lower, real upper) : lower_(lower), upper_(upper) {
        if (!(lower <= upper)) *this = whole_line();
    }

    [[nodiscard]] static RealInterval whole_line() {
        constexpr real infinity = std::numeric_limits<real>::infinity();
        return {-infinity, infinity};
    }

    [[nodiscard]] real lower() const { return lower_; }
    [[nodiscard]] real upper() const { return upper_; }
    [[nodiscard]] bool contains(real x) const { return lower_ <= x && x <= upper_; }
    [[nodiscard]] bool is_zero() const { return lower_ == 0.0L && upper_ == 0.0L; }

    RealInterval operator-() const { return {-upper_, -lower_}; }
    RealInterval& operator+=(const RealInterval& other) { return *this = *this + other; }
    RealInterval& operator*=(const RealInterval& other) { return *this = *this * other; }

    friend RealInterval operator+(const RealInterval& a, const RealInterval& b);
    friend RealInterval operator-(const RealInterval& a, const RealInterval& b) { return a + -b; }
    /// 0 times anything is 0.
    friend RealInterval operator*(const RealInterval& a, const RealInterval& b);
    /// The whole line where b contains 0.
    friend RealInterval operator/(const RealInterval& a, const RealInterval& b);

private:
    real lower_ = 0.0L;
    real upper_ = 0.0L;
};

/// The functions at every point of x where they are defined; the whole line where there is none.
[[nodiscard]] RealInterval sqrt(const RealInterval& x);
[[nodiscard]] RealInterval exp(const RealInterval& x);
[[nodiscard]] RealInterval expm1(const RealInterval& x);
[[nodiscard]] RealInterval log(const RealInterval& x);
[[nodiscard]] RealInterval log1p(const RealInterval& x);

[[nodiscard]] RealInterval abs(const RealInterval& x);
[[nodiscard]] RealInterval min(const RealInterval& a, const RealInterval& b);
[[nodiscard]] RealInterval max(const RealInterval& a, const RealInterval& b);

/// The interval with double ends, rounded outward.
[[nodiscard]] Enclosure to_enclosure(const RealInterval& x);

}  // namespace assay
