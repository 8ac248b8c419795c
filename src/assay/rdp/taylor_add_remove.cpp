#include "assay/rdp/taylor_add_remove.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(double order, double sigma, int m, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(m >= 3 && m <= 1000, "m", m, "an integer, 3 <= m <= 1000");
    require(q >= 0.0 && q < 1.0, "q", q, "0 <= q < 1");
}

bool is_supported(double order, double sigma, int m) {
    return order < 500000.0 && TaylorMoments::is_supported(TaylorMoments::shift_squared(sigma),
                                                           highest_moment_needed(order, m));
}

/// abs(C(alpha,k)) q^k, its sign, and its exact vanishing at integer alpha < k.
struct Coefficient {
    ScaledReal magnitude{1.0L};
    bool negative = false;
    int k = 0;

    void advance(real order, real q) {
        const real factor = order - static_cast<real>(k);
        if (factor < 0.0L) negative = !negative;
        ++k;
        magnitude *= std::fabs(factor) * (q / static_cast<real>(k));
    }
};

/// The square bracket of (50) or (54) times m!, by the coefficient C(alpha,m) q^m:
///   alpha > m:   sum_l [N! m! / ((N-l)! (m+l)!)] q^l B~_{m+l} + B~_m,  N = ceil(alpha) - m;
///   alpha <= m:  (1-q)^{alpha-m} B~_m.
ScaledReal remainder_factor(double order, int m, real q, const TaylorMoments& moments) {
    const ScaledReal first = moments.absolute_moment_bound(m);
    if (order <= m)
        return first * ScaledReal::exp_of((static_cast<real>(order) - m) * std::log1p(-q));
    const int n = static_cast<int>(std::ceil(order)) - m;
    ScaledReal sum = first;
    ScaledReal weight(1.0L);
    for (int l = 0; l <= n; ++l) {
        sum += weight * moments.absolute_moment_bound(m + l);
        weight *= q * static_cast<real>(n - l) / static_cast<real>(m + l + 1);
    }
    return sum;
}

/// Bound on the log error of every term and of the sums: highest factors q with three roundings
/// each, as many additions, (1-q)^{alpha-m}, and the moment.
real term_error(double order, int m, real q, real q_log_error, const TaylorMoments& moments) {
    const auto factors = static_cast<real>(highest_moment_needed(order, m) + 2);
    const real excess_order = std::max(0.0L, m - static_cast<real>(order));
    const real power =
        excess_order * (q / (1.0L - q) * q_log_error +
                        (libm_error + 4.0L * unit_roundoff) * std::fabs(std::log1p(-q)));
    return 1.01L * (factors * (q_log_error + 8.0L * unit_roundoff) + moments.relative_error() +
                    power + 16.0L * unit_roundoff);
}

}  // namespace

int highest_moment_needed(double order, int m) {
    const bool finite_sum = order < m && order == std::floor(order);
    const int highest = order > m ? static_cast<int>(std::ceil(order)) : finite_sum ? m - 1 : m;
    return highest + (highest & 1);
}

PositiveNumber theorem_3_3_excess(double order, int m, real q, real q_log_error,
                                  const TaylorMoments& moments) {
    ScaledReal positive;
    ScaledReal negative;
    Coefficient coefficient;
    coefficient.advance(order, q);
    for (int k = 2; k < m; ++k) {
        coefficient.advance(order, q);
        (coefficient.negative ? negative : positive) += coefficient.magnitude * moments.moment(k);
    }
    coefficient.advance(order, q);
    if (!coefficient.magnitude.is_zero())
        positive += coefficient.magnitude * remainder_factor(order, m, q, moments);
    const real error = term_error(order, m, q, q_log_error, moments);
    if (negative.is_zero()) return {positive, error};
    // The exact value is >= H - 1 >= 0. Subtracting amplifies the error of each sum by its share:
    // |computed - exact| <= (e^error - 1) (positive + negative) + one rounding.
    if (!(negative < positive)) return {positive, std::numeric_limits<real>::infinity()};
    const ScaledReal value = difference(positive, negative);
    const real share = ((positive + negative) / value).value();
    const real relative = 1.01L * std::expm1(error) * share + unit_roundoff;
    if (!(relative < 0.5L)) return {positive, std::numeric_limits<real>::infinity()};
    return {value, -std::log1p(-relative)};
}

Enclosure log_taylor_remainder_bound(double order, double sigma, int m, double q) {
    check(order, sigma, m, q);
    if (q == 0.0 || (order < m && order == std::floor(order))) return exactly(-infinity);
    if (!is_supported(order, sigma, m)) return {-infinity, infinity};
    const TaylorMoments moments(sigma, highest_moment_needed(order, m));
    Coefficient coefficient;
    for (int k = 0; k < m; ++k) coefficient.advance(order, q);
    return log_enclosure({coefficient.magnitude * remainder_factor(order, m, q, moments),
                          term_error(order, m, q, 0.0L, moments)});
}

Enclosure theorem_3_3_rdp(double order, double sigma, int m, double q) {
    check(order, sigma, m, q);
    if (q == 0.0) return exactly(0.0);
    if (!is_supported(order, sigma, m)) return {0.0, infinity};
    const TaylorMoments moments(sigma, highest_moment_needed(order, m));
    const PositiveNumber excess = theorem_3_3_excess(order, m, q, 0.0L, moments);
    if (!(excess.log_error < 1e18L)) return {0.0, infinity};
    return log1p_over(excess, static_cast<real>(order) - 1.0L);
}

}  // namespace assay
