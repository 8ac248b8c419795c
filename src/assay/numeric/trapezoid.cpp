#include "assay/numeric/trapezoid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay {

namespace {

constexpr real two_pi = 2.0L * std::numbers::pi_v<real>;

real round_to_10_bits(real x) {
    int exponent = 0;
    const real significand = std::frexp(x, &exponent);
    return std::ldexp(std::floor(significand * 1024.0L), exponent - 10);
}

}  // namespace

TrapezoidRule TrapezoidRule::for_accuracy(real digits, real strip, real sector, real power) {
    // Growth of the integrand's bound at height a above the axis.
    const auto growth = [&](real a) {
        real value = 0.5L * a * a;
        if (power > 0.0L && sector > 0.0L) {
            const real cosine = std::cos(0.5L * sector * a);
            value -= cosine > 0.0L ? power * std::log(cosine) : -1e4000L;
        }
        return value;
    };
    // |error| <= 2 N e^growth / (e^(2 pi a / h) - 1) (Trefethen-Weideman 2014, Theorem 5.1):
    // h(a) = 2 pi a / (digits + log 3 + growth(a)); maximise over the height a, any choice is
    // valid.
    const real highest = std::min(
        {strip, 60.0L, sector > 0.0L ? 0.999L * std::numbers::pi_v<real> / sector : 60.0L});
    const auto step = [&](real a) { return two_pi * a / (digits + 1.0986L + growth(a)); };
    real left = 0.0L;
    real right = highest * (1.0L - 0x1p-40L);
    for (int i = 0; i < 60; ++i) {
        const real third = (right - left) / 3.0L;
        if (step(left + third) < step(right - third))
            left += third;
        else
            right -= third;
    }
    const real height = 0.5L * (left + right);
    TrapezoidRule rule;
    rule.step = round_to_10_bits(step(height));
    const real exponent = two_pi * height / rule.step;
    rule.relative_error = exponent > 40.0L ? 2.0001L * std::exp(growth(height) - exponent)
                                           : 2.0L * std::exp(growth(height)) / std::expm1(exponent);
    rule.relative_error *= 1.0L + 0x1p-30L;
    return rule;
}

}  // namespace assay
