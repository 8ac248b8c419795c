#include "assay/rdp/general_subsampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/log_excess.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int largest_order = 1'000'000;

void check_sigma(double sigma) {
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
}

real shift_squared(double sigma) {
    return 4.0L / (static_cast<real>(sigma) * sigma);
}

/// e^{2 j (j-1) / sigma^2} stays in the range of ScaledReal for all j <= order.
bool is_supported(real order, real c2) {
    return order <= largest_order && c2 * order * order < 4e17L;
}

/// e^{K(a)} - 1; all terms positive.
PositiveNumber upper_excess(int order, real c2, real q) {
    const auto a = static_cast<real>(order);
    ScaledReal sum = ScaledReal(2.0L * a * (a - 1.0L)) * q * q * scaled_expm1(c2);
    ScaledReal weight = ScaledReal(a * (a - 1.0L) / 2.0L) * q * q;  // C(a,j) q^j
    for (int j = 3; j <= order; ++j) {
        const auto k = static_cast<real>(j);
        weight *= (a - k + 1.0L) * q / k;
        sum += weight * ScaledReal::exp_of(c2 * (k * (k - 1.0L) / 2.0L)) * 2.0L;
    }
    // Per factor of the weight three roundings, per term one addition; an exponent x with three
    // roundings costs 3x, its exponential 2x + 4.
    const real exponent = c2 * a * (a - 1.0L) / 2.0L;
    return {sum, 1.01L * (4.0L * a + 6.0L * exponent + 4.0L * c2 + 64.0L) * unit_roundoff};
}

}  // namespace

Enclosure wang_upper_rdp(double order, double sigma, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    check_sigma(sigma);
    require(q >= 0.0 && q <= 1.0, "q", q, "0 <= q <= 1");
    if (q == 0.0) return exactly(0.0);
    const real c2 = shift_squared(sigma);
    if (!is_supported(order + 1.0L, c2)) return {0.0, infinity};
    // (131)-(132): at 1 < a < 2 the interpolation between K(1) = 0 and K(2) gives K(2) itself.
    const real a = std::max(order, 2.0);
    const int below = static_cast<int>(a);
    const real fraction = a - static_cast<real>(below);
    if (fraction == 0.0L) return log1p_over(upper_excess(below, c2, q), a - 1.0L);
    // Both parts are non-negative: their enclosures add, with weights rounded once each.
    const Enclosure left = log1p_over(upper_excess(below, c2, q), (a - 1.0L) / (1.0L - fraction));
    const Enclosure right = log1p_over(upper_excess(below + 1, c2, q), (a - 1.0L) / fraction);
    const real lower = static_cast<real>(left.lower) + right.lower;
    const real upper = static_cast<real>(left.upper) + right.upper;
    return enclose_between(lower * (1.0L - 8.0L * unit_roundoff),
                           upper * (1.0L + 8.0L * unit_roundoff));
}

Enclosure wang_lower_rdp(int order, double sigma, double q) {
    require(order >= 2, "alpha", order, "an integer >= 2");
    check_sigma(sigma);
    require(q >= 0.0 && q < 1.0, "q", q, "0 <= q < 1");
    if (q == 0.0) return exactly(0.0);
    const real c2 = shift_squared(sigma);
    const auto a = static_cast<real>(order);
    if (!is_supported(a, c2)) return {0.0, infinity};
    const real log_complement = std::log1p(-static_cast<real>(q));
    ScaledReal weight = ScaledReal::exp_of(a * log_complement);  // Bin(k; a, q)
    const real odds = q / (1.0L - q);
    ScaledReal sum;
    for (int k = 1; k <= order; ++k) {
        const auto j = static_cast<real>(k);
        weight *= (a - j + 1.0L) / j * odds;
        if (k >= 2) sum += weight * scaled_expm1(c2 * (j * (j - 1.0L) / 2.0L));
    }
    // odds: two roundings, three more per factor, one addition per term; (1-q)^a: 17 on its
    // exponent, and 2x + 4; expm1 at an exponent x with three roundings: 3x + 19, then 2x.
    const real exponent = c2 * a * (a - 1.0L) / 2.0L;
    const real roundings =
        7.0L * a + 6.0L * exponent + 20.0L * a * std::fabs(log_complement) + 64.0L;
    return log1p_over({sum, 1.01L * roundings * unit_roundoff}, a - 1.0L);
}

}  // namespace assay
