#include "assay/pld/normal_mass.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/special_functions.hpp"

namespace assay {

/// Below it no long double is left, not of 128 bits either; the C library takes 100 ns to say so.
constexpr real least_exponent = -11450.0L;

ShortRule::ShortRule(real a, real b) {
    constexpr real inner = 0.339981043584856264802665759103244687L;
    constexpr real outer = 0.861136311594052575223946488892809505L;
    constexpr real inner_weight = 0.652145154862546142626936050778000593L;
    constexpr real outer_weight = 0.347854845137453857373063949221999407L;
    const real middle = 0.5L * (a + b);
    const real radius = 0.5L * (b - a);
    node = {middle - radius * outer, middle - radius * inner, middle + radius * inner,
            middle + radius * outer};
    weight = {radius * outer_weight, radius * inner_weight, radius * inner_weight,
              radius * outer_weight};
}

real normal_density(real z) {
    const real exponent = -0.5L * z * z;
    if (exponent < least_exponent) return 0.0L;
    return std::exp(exponent) * 0.398942280401432677939946059934381868L;
}

namespace {

/// The first five terms of the Taylor series about the middle m, of which the odd powers cancel:
/// 2r phi(m) sum_k He_2k(m) r^2k / (2k+1)! with r half the width.
real series_about(real middle, real width) {
    const real x = middle * middle;
    const real square = 0.25L * width * width;
    const real he2 = x - 1.0L;
    const real he4 = (x - 6.0L) * x + 3.0L;
    const real he6 = ((x - 15.0L) * x + 45.0L) * x - 15.0L;
    const real he8 = (((x - 28.0L) * x + 210.0L) * x - 420.0L) * x + 105.0L;
    const real rest = he6 * (1.0L / 5040.0L) + square * he8 * (1.0L / 362880.0L);
    const real sum =
        1.0L + square * (he2 * (1.0L / 6.0L) + square * (he4 * (1.0L / 120.0L) + square * rest));
    return width * normal_density(middle) * sum;
}

}  // namespace

// The terms left out of the series are below e^{1/4} (r (|z|+4))^10 / 11! of the mass; long
// intervals by tails of one side.
real normal_mass(real a, real b, real mean) {
    if (!(a < b)) return 0.0L;
    const real from = a - mean;
    const real to = b - mean;
    if ((b - a) * (std::max(std::fabs(from), std::fabs(to)) + 4.0L) < 0.25L)
        return series_about(0.5L * (a + b) - mean, b - a);
    if (from >= 0.0L) return normal_tail(from) - normal_tail(to);
    if (to <= 0.0L) return normal_tail(-to) - normal_tail(-from);
    return 1.0L - normal_tail(-from) - normal_tail(to);
}

}  // namespace assay
