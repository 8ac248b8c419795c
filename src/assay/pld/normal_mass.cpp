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

// Short intervals by Gauss-Legendre with four nodes, whose remainder is
// 6e-10 (b-a)^8 max |He_8| <= 6e-10 ((b-a)(|z|+4))^8 relative; long ones by tails of one side.
real normal_mass(real a, real b) {
    if (!(a < b)) return 0.0L;
    if (is_short(b - a, std::max(std::fabs(a), std::fabs(b)))) {
        const ShortRule rule(a, b);
        real sum = 0.0L;
        for (std::size_t i = 0; i < 4; ++i) sum += rule.weight[i] * normal_density(rule.node[i]);
        return sum;
    }
    if (a >= 0.0L) return normal_tail(a) - normal_tail(b);
    if (b <= 0.0L) return normal_tail(-b) - normal_tail(-a);
    return 1.0L - normal_tail(-a) - normal_tail(b);
}

}  // namespace assay
