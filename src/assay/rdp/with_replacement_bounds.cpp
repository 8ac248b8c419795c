#include "assay/rdp/with_replacement_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_weights.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/taylor_add_remove.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr real minus_infinity = -std::numeric_limits<real>::infinity();
constexpr real most_moments = 2.5e6L;
constexpr std::int64_t largest_batch = 20'000'000;
constexpr std::int64_t most_evaluations = 10'000;

struct Setting {
    real alpha;
    real sigma;
    std::int64_t batch;
    std::int64_t dataset;
    std::int64_t terms;

    /// (2n/sigma)^2: 4 n^2 is exact, so two roundings.
    [[nodiscard]] real shift_squared(real n) const { return 4.0L * n * n / (sigma * sigma); }
};

void check_sizes(std::int64_t batch, std::int64_t dataset, std::int64_t terms) {
    require(dataset >= 2, "D", static_cast<double>(dataset), "an integer >= 2");
    require(batch >= 1 && batch < dataset, "B", static_cast<double>(batch),
            "an integer, 1 <= B < D");
    require(terms >= 1 && terms <= batch, "K", static_cast<double>(terms),
            "an integer, 1 <= K <= B");
}

Setting checked(double order, double sigma, std::int64_t batch, std::int64_t dataset,
                std::int64_t terms) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    check_sizes(batch, dataset, terms);
    return {order, sigma, batch, dataset, terms};
}

/// Everything of (112) but the values H_n - 1: the weights a~_n, and the unsampled terms.
struct Mixture {
    explicit Mixture(const Setting& setting)
        : sampling(effective_sampling(setting.batch, setting.dataset, setting.terms)) {
        const real half_orders = setting.alpha * (setting.alpha - 1.0L) / 2.0L;
        const real log_sampling = sampling.value.log();
        BinomialWeights weights(setting.batch, setting.dataset);
        log_weights.push_back(minus_infinity);
        unsampled.push_back(minus_infinity);
        real largest = std::fabs(log_sampling);
        while (weights.n() < setting.batch) {
            weights.advance();
            const auto n = static_cast<real>(weights.n());
            // 2 alpha (alpha-1) n^2 / sigma^2 = alpha (alpha-1)/2 (2n/sigma)^2.
            const real exponent = half_orders * setting.shift_squared(n);
            const real log_weight = weights.weight().log();
            largest = std::max({largest, std::fabs(log_weight), exponent});
            if (weights.n() > setting.terms) {
                tail.add(log_weight + log_expm1(exponent));
                continue;
            }
            log_weights.push_back(log_weight - log_sampling);
            unsampled.push_back(log_expm1(exponent));
        }
        // The logs of weight and q~, one subtraction, one addition; the exponent's 6 roundings
        // through log_expm1 (exponent + 1 times).
        log_error = weights.log_error() + sampling.log_error + 4.0L * libm_error +
                    (12.0L * largest + 16.0L) * unit_roundoff + tail.log_error();
        // rest[n] = log sum_{n'>=n, n'<=K} a~_n' (e^{...} - 1).
        rest.assign(log_weights.size() + 1, minus_infinity);
        for (std::size_t n = log_weights.size() - 1; n >= 1; --n)
            rest[n] = log_add(rest[n + 1], log_weights[n] + unsampled[n]);
        rest_error =
            static_cast<real>(setting.terms) * (2.0L * libm_error + 2.0L * largest * unit_roundoff);
    }

    PositiveNumber sampling;        // q~
    std::vector<real> log_weights;  // log a~_n, n = 1..K
    std::vector<real> unsampled;    // log(e^{2 alpha (alpha-1) n^2/sigma^2} - 1)
    std::vector<real> rest;
    LogSum tail;             // sum_{n>K}
    real log_error = 0.0L;   // of every weight times its unsampled term
    real rest_error = 0.0L;  // of rest, beyond log_error
};

/// True once the caps of all terms from n on are below 2^-64 of the sum (44.4 = 64 log 2): they
/// then widen the result less than one rounding would. Only a choice: they are enclosed, not
/// dropped.
bool is_negligible(real rest, const LogSum& sum) {
    return rest == minus_infinity || rest < sum.log() - 44.4L;
}

Enclosure theorem_3_6(const Setting& setting, int m, bool capped) {
    require(m >= 3 && m <= 1000, "m", m, "an integer, 3 <= m <= 1000");
    if (setting.batch > largest_batch || setting.alpha > 400000.0L) return {0.0, infinity};
    const auto order = static_cast<double>(setting.alpha);
    const int highest = highest_moment_needed(order, m);
    const bool affordable = static_cast<real>(setting.terms) * highest <= most_moments;
    if (!affordable && !capped) return {0.0, infinity};

    const Mixture mixture(setting);
    const real q = mixture.sampling.value.value();
    LogSum sum = mixture.tail;
    real term_error = 0.0L;
    real moments = 0.0L;
    real left_out = minus_infinity;
    for (std::size_t n = 1; n < mixture.log_weights.size(); ++n) {
        if (capped && is_negligible(mixture.rest[n], sum)) {
            left_out = mixture.rest[n];
            break;
        }
        const real shift_squared = setting.shift_squared(static_cast<real>(n));
        moments += static_cast<real>(highest);
        if (moments > most_moments || !TaylorMoments::is_supported(shift_squared, highest)) {
            if (!capped) return {0.0, infinity};
            left_out = mixture.rest[n];
            break;
        }
        const PositiveNumber excess =
            theorem_3_3_excess(order, m, q, mixture.sampling.log_error,
                               TaylorMoments::of_shift_squared(shift_squared, highest));
        if (!(excess.log_error < 1e18L)) return {0.0, infinity};
        real value = excess.value.log();
        term_error = std::max(term_error, excess.log_error + 2.0L * libm_error +
                                              2.0L * std::fabs(value) * unit_roundoff);
        if (capped) value = std::min(value, mixture.unsampled[n]);
        sum.add(mixture.log_weights[n] + value);
    }
    const real error = mixture.log_error + term_error + sum.log_error();
    const real divisor = setting.alpha - 1.0L;
    const Enclosure kept = log1p_exp_over(sum.log(), error, divisor);
    if (left_out == minus_infinity) return kept;
    // 0 <= the terms left out <= their caps.
    const real most = log_add(sum.log(), left_out);
    return hull(kept, log1p_exp_over(most, error + mixture.rest_error + libm_error, divisor));
}

}  // namespace

Enclosure effective_sampling_probability(std::int64_t batch, std::int64_t dataset,
                                         std::int64_t terms) {
    check_sizes(batch, dataset, terms);
    const PositiveNumber q = effective_sampling(batch, dataset, terms);
    const real value = q.value.value();
    return enclose(value, 1.01L * q.log_error * value);
}

Enclosure theorem_3_6_rdp(double order, double sigma, int m, std::int64_t batch,
                          std::int64_t dataset, std::int64_t terms) {
    return theorem_3_6(checked(order, sigma, batch, dataset, terms), m, false);
}

Enclosure theorem_3_6_capped_rdp(double order, double sigma, int m, std::int64_t batch,
                                 std::int64_t dataset, std::int64_t terms) {
    return theorem_3_6(checked(order, sigma, batch, dataset, terms), m, true);
}

Enclosure theorem_3_6_exact_h_rdp(double order, double sigma, std::int64_t batch,
                                  std::int64_t dataset, std::int64_t terms) {
    const Setting setting = checked(order, sigma, batch, dataset, terms);
    if (batch > largest_batch) return {0.0, infinity};
    const Mixture mixture(setting);
    // H is increasing in q and in the shift (a wider shift is more informative), so both ends of
    // both give both ends of H.
    const real q = mixture.sampling.value.value();
    const real q_slack = 1.01L * q * mixture.sampling.log_error + unit_roundoff * q;
    LogSum low = mixture.tail;
    LogSum high = mixture.tail;
    real left_out = minus_infinity;
    for (std::size_t n = 1; n < mixture.log_weights.size(); ++n) {
        if (static_cast<std::int64_t>(n) > most_evaluations ||
            is_negligible(mixture.rest[n], low)) {
            left_out = mixture.rest[n];
            break;
        }
        const real shift = 2.0L * static_cast<real>(n) / static_cast<real>(sigma);
        const real shift_slack = 2.0L * unit_roundoff * shift;
        const Enclosure least = log_excess_moment(order, shift - shift_slack, q - q_slack);
        const Enclosure most = log_excess_moment(order, shift + shift_slack, q + q_slack);
        low.add(mixture.log_weights[n] + least.lower);
        // H - 1 <= e^{2 alpha (alpha-1) n^2/sigma^2} - 1 whatever the quadrature could certify.
        high.add(mixture.log_weights[n] +
                 std::min(static_cast<real>(most.upper), mixture.unsampled[n]));
    }
    const real divisor = setting.alpha - 1.0L;
    const real error = mixture.log_error + high.log_error();
    const real most_error = error + mixture.rest_error + libm_error;
    return hull(log1p_exp_over(low.log(), error, divisor),
                log1p_exp_over(log_add(high.log(), left_out), most_error, divisor));
}

}  // namespace assay
