#include "assay/rdp/replace_one_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "assay/rdp/equilateral_pair.hpp"
#include "assay/rdp/fixed_size_shift.hpp"
#include "assay/rdp/profile_bound.hpp"

namespace assay {

namespace {

Enclosure equilateral(double order, double noise_multiplier, double q, real side) {
    if (q == 0.0) return exactly(0.0);
    const double above = profile_bound_rdp(order, noise_multiplier, q).upper;
    const ExcessMoment moment = equilateral_excess_moment(order, q, side);
    if (!moment.certified) return {0.0, above};
    const Enclosure result = renyi_divergence(moment, order);
    return {std::min(result.lower, above), std::min(result.upper, above)};
}

real reciprocal_square(double noise_multiplier) {
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "a positive finite noise multiplier");
    return 1.0L / (static_cast<real>(noise_multiplier) * static_cast<real>(noise_multiplier));
}

}  // namespace

Enclosure replace_one_collinear_rdp(double order, double noise_multiplier, double q, double x,
                                    double y) {
    const real shift = fixed_size_shift(order, noise_multiplier, q);
    require(std::isfinite(x), "x", x, "a finite number");
    require(std::isfinite(y), "y", y, "a finite number");
    if (q == 0.0 || x == y) return exactly(0.0);
    // Reflection z -> -z turns x < y into x > y.
    const real u = shift * static_cast<real>(x);
    const real v = shift * static_cast<real>(y);
    return renyi_divergence(u > v ? CollinearPair(q, u, v) : CollinearPair(q, -u, -v), order);
}

Enclosure replace_one_equilateral_rdp(double order, double noise_multiplier, double q) {
    const real shift = fixed_size_shift(order, noise_multiplier, q);
    return equilateral(order, noise_multiplier, q, shift);
}

Enclosure replace_one_equilateral_attainable_rdp(double order, double noise_multiplier, double q) {
    const real shift = fixed_size_shift(order, noise_multiplier, q);
    return equilateral(order, noise_multiplier, q, 0.5L * std::sqrt(3.0L) * shift);
}

Enclosure exact_second_order_coefficient(double noise_multiplier) {
    const real rate = 4.0L * reciprocal_square(noise_multiplier);
    const real value = 0.5L * std::expm1(rate);
    return enclose(value, unit_roundoff * (8.0L + 4.0L * rate) * value);
}

Enclosure birrell2024_second_order_coefficient(double noise_multiplier) {
    const real rate = 2.0L * reciprocal_square(noise_multiplier);
    const real value = std::exp(rate) * std::expm1(rate);
    return enclose(value, unit_roundoff * (16.0L + 8.0L * rate) * value);
}

}  // namespace assay
