#include "verify/oracles/arb_moment.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "verify/oracles/arb_likelihood.hpp"
#include "verify/oracles/arb_refine.hpp"

namespace assay::verify::arb {

namespace {

Real quotient(double numerator, double denominator, long precision) {
    Real result;
    arb_div(result, Real(numerator), Real(denominator), precision);
    return result;
}

std::optional<Mixture> mixture_of(const Pair& pair, double numerator, long precision) {
    if (numerator == 0.0) return std::nullopt;  // all means are 0: the density is 1
    const Real shift = quotient(numerator, pair.sigma, precision);
    if (pair.records > 0.0) return Mixture::binomial(pair.draws, pair.records, shift, precision);
    return Mixture::two_point(pair.q, shift, precision);
}

LikelihoodMoment integrand_of(const Pair& pair, long precision) {
    return {pair.alpha, mixture_of(pair, pair.p, precision), mixture_of(pair, pair.r, precision)};
}

/// Where the integral is taken. Joint convexity of x^alpha y^(1-alpha) (x, y > 0) gives
///   P^alpha Q^(1-alpha) <= sum_n a_n X_n^alpha Y_n^(1-alpha),
/// X_n = e^{nuz - n^2u^2/2}, Y_n = e^{nvz - n^2v^2/2}, and for each n
///   X_n^alpha Y_n^(1-alpha) phi(z) = e^{n^2 K} phi(z - n m),
/// m = alpha u + (1-alpha) v, K = alpha(alpha-1)(u-v)^2/2. All centres n m lie between 0 and B m;
/// outside [min(0,Bm) - L, max(0,Bm) + L] the integral is at most e^{B^2 K} 2 Phi(-L) <=
/// e^{B^2 K - L^2/2}.
struct Range {
    double low;
    double high;
    double exponent;  // B^2 K

    /// Chosen in doubles so that the bound is about e^log_wanted.
    Range(const Pair& pair, double log_wanted) {
        constexpr double slack = 1 + 1e-12;
        const double gap = pair.draws * (pair.p - pair.r) / pair.sigma;
        const double mean =
            slack * pair.draws * (pair.alpha * pair.p + (1 - pair.alpha) * pair.r) / pair.sigma;
        exponent = pair.alpha * (pair.alpha - 1) * gap * gap / 2;
        const double length = std::sqrt(2 * std::max(0.0, exponent * slack - log_wanted)) + 1;
        low = std::floor(std::min(0.0, mean) - length);
        high = std::ceil(std::max(0.0, mean) + length);
    }

    /// The bound for these ends, whatever they were chosen for.
    [[nodiscard]] Real left_out(const Pair& pair, long precision) const {
        const Real alpha(pair.alpha);
        const Real beta(pair.alpha - 1.0);  // exact
        const Real draws(pair.draws);
        Real u = quotient(pair.p, pair.sigma, precision);
        Real v = quotient(pair.r, pair.sigma, precision);
        arb_mul(u, u, draws, precision);
        arb_mul(v, v, draws, precision);
        Real mean;
        arb_mul(mean, alpha, u, precision);
        arb_submul(mean, beta, v, precision);
        const Real zero;
        Real above;
        Real below;
        arb_max(above, zero, mean, precision);
        arb_min(below, zero, mean, precision);
        arb_sub(above, Real(high), above, precision);
        arb_sub(below, below, Real(low), precision);
        Real length;
        arb_min(length, above, below, precision);
        Real bound;
        arb_pos_inf(bound);
        if (arb_is_positive(length) == 0) return bound;
        arb_sub(u, u, v, precision);
        arb_sqr(u, u, precision);
        arb_mul(u, u, alpha, precision);
        arb_mul(u, u, beta, precision);
        arb_submul(u, length, length, precision);
        arb_mul_2exp_si(u, u, -1);
        arb_exp(bound, u, precision);
        return bound;
    }
};

double peak_of(const LikelihoodMoment& integrand, const Range& range) {
    std::vector<double> places;
    static_cast<void>(approximate_peak([&](double z) { return integrand.approximate_exponent(z); },
                                       range.low, range.high, places));
    return places.back();
}

}  // namespace

double approximate_log_moment(const Pair& pair) {
    constexpr long precision = 192;
    const LikelihoodMoment rough = integrand_of(pair, precision);
    const Range range(pair, -40.0);
    Real peak(peak_of(rough, range));
    rough.exponent(peak, peak, precision);
    // The narrowest peak possible has second derivative -1 - (alpha-1)(B(u-v))^2.
    return std::max(0.0, to_double(peak) - 0.5 * std::log1p(2 * range.exponent));
}

long first_goal(const Pair& pair, double log_moment, long bits) {
    const double probability = std::min(1.0, pair.records > 0 ? pair.draws / pair.records : pair.q);
    const double gap = (pair.p - pair.r) / pair.sigma;
    // F - 1 = alpha(alpha-1)/2 q^2 (u-v)^2 + ... for small shifts.
    double excess =
        pair.alpha * (pair.alpha - 1) / 2 * probability * probability * std::min(1.0, gap * gap);
    if (log_moment > 1e-3) excess = std::max(excess, log_moment);
    return bits + 24 + static_cast<long>(-std::log2(std::clamp(excess, 1e-300, 1.0)));
}

Real moment(const Pair& pair, bool upper_half, double log_scale, long goal, bool& exhausted) {
    const Range range(pair, log_scale - static_cast<double>(goal) * std::log(2.0));
    const LikelihoodMoment rough = integrand_of(pair, 64);
    // Digits before the point of the exponents, and those lost in running products over n.
    const double largest = rough.largest_term(std::max(-range.low, range.high)) * pair.draws;
    const long carried = static_cast<long>(std::log2(largest + 2)) + 28;
    Effort effort{};
    effort.goal = goal;
    effort.precision = (goal + carried + 31) / 32 * 32;  // few different ones: nodes are kept
    effort.box_precision = 64 + carried;
    effort.log_scale = log_scale;
    // About two seconds: a mixture costs its terms within 2^-precision of the largest.
    effort.evaluations = static_cast<long>(4e6 / (40 + std::min(pair.draws, 20 * pair.sigma)));

    double start = range.low;
    std::vector<Real> breaks{Real(start)};
    if (upper_half) {
        breaks[0] = quotient(1.0, pair.sigma, effort.precision);
        start = std::max(start, 1.0 / pair.sigma);
    }
    const double peak = peak_of(rough, range);
    if (peak > start + 1 && peak < range.high - 1) breaks.emplace_back(peak);
    if (start < range.high - 0.5) breaks.emplace_back(range.high);

    Real value = integrate(integrand_of(pair, effort.precision), breaks, effort, exhausted);
    Real root;  // sqrt(2 pi)
    arb_const_sqrt_pi(root, effort.precision);
    Real two;
    arb_sqrt_ui(two, 2, effort.precision);
    arb_mul(root, root, two, effort.precision);
    arb_div(value, value, root, effort.precision);
    arb_add_error(value, range.left_out(pair, effort.box_precision));
    return value;
}

Interval divergence(const Pair& pair, long bits) {
    if (pair.p == pair.r || (pair.records == 0.0 && pair.q == 0.0)) return Interval(0.0, bits);
    const long wide = bits + 64;
    // By joint convexity the mixtures are no further apart than the two normal distributions at
    // distance B|p-r|/sigma.
    const Interval gap = (Interval(pair.p, wide) - pair.r) * pair.draws / pair.sigma;
    const Interval gaussian = square(gap) * pair.alpha / 2.0;
    if (pair.records == 0.0 && pair.q == 1.0) return gaussian;
    const double log_moment = approximate_log_moment(pair);
    const Real value =
        refine(bits, first_goal(pair, log_moment, bits), [&](long goal, bool& exhausted) {
            const Real f = moment(pair, false, log_moment, goal, exhausted);
            return divergence_of(f, pair.alpha, goal + 64);
        });
    // F >= 1 by Jensen's inequality.
    return min(max(Interval(0.0, wide), to_interval(value, bits + 16)), gaussian);
}

}  // namespace assay::verify::arb
