#include "assay/monte_carlo/sampling_tables.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/normal_quantile.hpp"

namespace assay {

namespace {

real quantile(real tail) {
    return tail > 0.0L ? normal_upper_quantile(tail) : -normal_upper_quantile(-tail);
}

/// Enough for tables of 33 bits. Where `real` has 113, Boost's series for a shape of 10^10 gives
/// up.
using SixtyFourBits = boost::math::policies::policy<boost::math::policies::digits2<64>>;

real gamma_quantile(real shape, real tail) {
    if (shape == 1.0L) return tail > 0.0L ? -std::log(tail) : -std::log1p(tail);
    return tail > 0.0L ? boost::math::gamma_q_inv(shape, tail, SixtyFourBits())
                       : boost::math::gamma_p_inv(shape, -tail, SixtyFourBits());
}

}  // namespace

TailTable lognormal_table(double noise_multiplier, int octaves) {
    require(noise_multiplier >= 0.04 && std::isfinite(noise_multiplier), "noise-multiplier",
            noise_multiplier, "a finite number >= 0.04");
    const real c = 1.0L / static_cast<real>(noise_multiplier);
    const auto value = [c](real tail) { return std::exp(c * (quantile(tail) - 0.5L * c)); };
    // f^(n) = (-1)^n P_n(z) f phi^-n with P_0 = 1, P_{n+1} = P_n' + (c + n z) P_n, whose
    // coefficients are positive; f falls with the tail, 1/phi and |z| grow towards tail 0.
    const auto fourth = [c, value](real left, real right) {
        const real z = std::fabs(quantile(left > 0.0L ? left : right));
        const real third = c + c * (c + z) * (c + 2.0L * z);
        const real p4 = 3.0L * c * c + 4.0L * c * z + (c + 3.0L * z) * third;
        const real density = std::exp(-0.5L * z * z) / std::sqrt(2.0L * std::numbers::pi_v<real>);
        return p4 * value(left) / (density * density * density * density);
    };
    return {{value, fourth}, octaves, 0x1p-29};
}

TailTable gamma_table(double shape, int octaves) {
    require(shape >= 1.0 && shape <= 1.1e10, "shape", shape, "1 .. 1.1e10");
    const real a = shape;
    const auto value = [a](real tail) { return gamma_quantile(a, tail); };
    // x^(4) = R / p^4, R = -l''' + 7 l' l'' - 6 l'^3 with l = log p = (a-1) log x - x + const; p is
    // log-concave, so its least value on an interval stands at an end, and so does the largest
    // |l'|.
    const auto fourth = [a](real left, real right) {
        const real x = gamma_quantile(a, right);  // the smaller one
        const real y = gamma_quantile(a, left);
        const real slope =
            std::max(std::fabs((a - 1.0L) / x - 1.0L), std::fabs((a - 1.0L) / y - 1.0L));
        const real second = (a - 1.0L) / (x * x);
        const real third = 2.0L * second / x;
        const auto density = [a](real at) {
            return a == 1.0L ? std::exp(-at)
                             : boost::math::gamma_p_derivative(a, at, SixtyFourBits());
        };
        const real least = std::min(density(x), density(y));
        return (third + 7.0L * slope * second + 6.0L * slope * slope * slope) /
               (least * least * least * least);
    };
    return {{value, fourth}, octaves, 0x1p-33};
}

}  // namespace assay
