#include "assay/rdp/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_quadrature.hpp"

namespace assay {

namespace {

void check(double order, double noise_multiplier, double q, const char* noise_name) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "1 < alpha < inf");
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), noise_name, noise_multiplier,
            "a positive finite noise multiplier");
    require(q >= 0.0 && q <= 1.0, "q", q, "0 <= q <= 1");
}

}  // namespace

Enclosure poisson_add_remove_rdp(double order, double noise_multiplier, double q) {
    check(order, noise_multiplier, q, "s");
    if (q == 0.0) return exactly(0.0);
    const real shift = 1.0L / static_cast<real>(noise_multiplier);
    return renyi_divergence(CollinearPair(q, shift, 0.0L), order);
}

Enclosure poisson_addition_rdp(double order, double noise_multiplier, double q) {
    check(order, noise_multiplier, q, "s");
    if (q == 0.0) return exactly(0.0);
    const real shift = 1.0L / static_cast<real>(noise_multiplier);
    return renyi_divergence(CollinearPair(q, 0.0L, -shift), order);
}

Enclosure poisson_replace_one_rdp(double order, double noise_multiplier, double q) {
    check(order, noise_multiplier, q, "sigma");
    if (q == 0.0) return exactly(0.0);
    const real shift = 1.0L / static_cast<real>(noise_multiplier);
    return renyi_divergence(CollinearPair(q, shift, -shift), order);
}

Enclosure poisson_integer_order_rdp(int order, double noise_multiplier, double q) {
    require(order >= 2, "alpha", order, "an integer >= 2");
    check(order, noise_multiplier, q, "s");
    if (q == 0.0) return exactly(0.0);
    const real s = noise_multiplier;
    const real beta = order - 1;
    if (q == 1.0) return enclose(order / (2.0L * s * s), 8.0L * unit_roundoff * order / (s * s));
    const real rate = 1.0L / (2.0L * s * s);
    const real log_odds = std::log(static_cast<real>(q)) - std::log1p(-static_cast<real>(q));
    // Bin(k) by ratios of exact integers from Bin(0) = (1-q)^a: k roundings, all terms positive.
    ScaledReal weight = ScaledReal::exp_of(order * std::log1p(-static_cast<real>(q)));
    const ScaledReal odds = ScaledReal::exp_of(log_odds);
    ScaledReal sum;
    for (int k = 1; k <= order; ++k) {
        weight *= odds * (static_cast<real>(order - k + 1) / static_cast<real>(k));
        if (k >= 2) sum += weight * scaled_expm1(static_cast<real>(k) * (k - 1) * rate);
    }
    // Each term: 4k roundings, log_odds k times, and the exponent k^2 rate times 4u.
    const real relative =
        unit_roundoff * (16.0L * order + 8.0L * order * (std::fabs(log_odds) + 1) +
                         8.0L * order * static_cast<real>(order) * rate + 32.0L);
    const real low = (sum * std::max(0.0L, 1.0L - relative)).log1p() / beta;
    const real high = (sum * (1.0L + relative)).log1p() / beta;
    return enclose_between(low * (1.0L - 16.0L * unit_roundoff),
                           high * (1.0L + 16.0L * unit_roundoff));
}

Enclosure poisson_fractional_series_rdp(double order, double noise_multiplier, double q) {
    check(order, noise_multiplier, q, "s");
    const Enclosure everything{0.0, std::numeric_limits<double>::infinity()};
    if (q == 0.0) return exactly(0.0);
    if (q == 1.0) return poisson_add_remove_rdp(order, noise_multiplier, q);
    const real a = order;
    const real s = noise_multiplier;
    const real log_q = std::log(static_cast<real>(q));
    const real log_p = std::log1p(-static_cast<real>(q));
    const real z1 = 0.5L + s * s * (log_p - log_q);
    const real rate = 1.0L / (2.0L * s * s);
    // e^{(x^2-x) rate + log_weight} erfc(y)/2, y = +-(x - z1)/(sqrt2 s).
    const auto piece = [&](real x, real log_weight, real y) {
        return std::exp(log_weight + (x * x - x) * rate + log_normal_tail(y));
    };
    real sum = 0.0L;
    real magnitude = 0.0L;
    real largest_exponent = 0.0L;
    real binomial = 1.0L;  // C(a, k), signed
    constexpr int most_terms = 20'000;
    for (int k = 0; k < most_terms; ++k) {
        const real x = k;
        const real left = piece(x, (a - x) * log_p + x * log_q, (x - z1) / s);
        const real right = piece(a - x, x * log_p + (a - x) * log_q, (z1 - (a - x)) / s);
        const real term = binomial * (left + right);
        if (!std::isfinite(term)) return everything;
        sum += term;
        magnitude += std::fabs(term);
        largest_exponent = std::max(
            largest_exponent, (std::fabs(log_p) + std::fabs(log_q)) * (a + x) +
                                  (std::max(a, x) * std::max(a, x) + std::fabs(z1)) * rate * 4.0L);
        binomial *= (a - x) / (x + 1.0L);
        if (binomial == 0.0L) break;
        // Beyond k > a the coefficients fall and both factors decrease in k: an alternating tail.
        if (x > a + 2.0L && std::fabs(term) < 1e-22L) break;
        if (k == most_terms - 1) return everything;
    }
    const real error = magnitude * unit_roundoff * (64.0L + 8.0L * largest_exponent) + 1e-21L;
    const real beta = a - 1.0L;
    const real low = std::max(1.0L, sum - error);
    const real high = sum + error;
    if (!(high >= 1.0L)) return everything;
    return enclose_between(std::log1p(low - 1.0L) / beta * (1.0L - 8.0L * unit_roundoff),
                           std::log1p(high - 1.0L) / beta * (1.0L + 8.0L * unit_roundoff));
}

}  // namespace assay
