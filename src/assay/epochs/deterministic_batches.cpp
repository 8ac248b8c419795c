#include "assay/epochs/deterministic_batches.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

using Digits50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                               boost::multiprecision::et_off>;

Digits50 normal_tail_50(const Digits50& z) {
    return erfc(z / sqrt(Digits50(2))) / 2;
}

/// e^eps P(Z > y), where e^eps phi(y) = phi(x). The asymptotic series of the tail over phi has
/// alternating terms, so the first one left out, 105 y^-9, bounds the error.
Digits50 second_term(double epsilon, const Digits50& x, const Digits50& y) {
    if (y < 10'000) return exp(Digits50(epsilon)) * normal_tail_50(y);
    const Digits50 w = 1 / (y * y);
    const Digits50 density = exp(-x * x / 2) / sqrt(2 * boost::math::constants::pi<Digits50>());
    return density / y * (1 - w * (1 - w * (3 - 15 * w)));
}

}  // namespace

Enclosure deterministic_delta(const DeterministicBatches& mechanism, double epsilon) {
    validate(mechanism);
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    const double s = mechanism.noise_multiplier;
    // delta <= P(Z > eps s - 1/(2s)) <= e^{-z^2/2}: below the smallest double nothing is computed.
    const double z = epsilon * s - 0.5 / s;
    if (z > 40.0) return {0.0, smallest};
    if (z < -40.0) return {1.0 - 0x1p-53, 1.0};
    if (s < 1e-9) return {0.0, 1.0};

    const Digits50 half_shift = 1 / (2 * Digits50(s));
    const Digits50 ratio = Digits50(epsilon) * s;
    const Digits50 first = normal_tail_50(ratio - half_shift);
    const Digits50 second = second_term(epsilon, ratio - half_shift, ratio + half_shift);
    // 50 digits hold 2^-168, the series 2^-99 of the second term.
    const Digits50 error = first * ldexp(Digits50(1), -130) +
                           (half_shift > 1000 ? ldexp(second, -99) : ldexp(second, -130));
    const auto low = static_cast<real>(Digits50(first - second - error));
    const auto high = static_cast<real>(Digits50(first - second + error));
    const real rounding = 2.0L * unit_roundoff;
    return {std::max(0.0, round_down(low * (1.0L - rounding))),
            std::min(1.0, round_up(high * (1.0L + rounding)))};
}

}  // namespace assay
