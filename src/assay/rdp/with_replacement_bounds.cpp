#include "assay/rdp/with_replacement_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/rdp/binomial_weights.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/taylor_add_remove.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr real minus_infinity = -std::numeric_limits<real>::infinity();
constexpr real most_moments = 1.5e6L;
constexpr std::int64_t largest_batch = 4'000'000;
constexpr std::int64_t most_evaluations = 500;

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

/// One n <= K of (112), without the value of H_n.
struct Term {
    real n = 0.0L;
    real log_weight = 0.0L;  // log a~_n
    real unsampled = 0.0L;   // log(e^{2 alpha (alpha-1) n^2/sigma^2} - 1), above log(H_n - 1)
    real error = 0.0L;       // of log_weight, and of log_weight + unsampled

    [[nodiscard]] real cap() const { return log_weight + unsampled; }
};

/// log(e^a + e^b) rounded up.
real log_add_up(real a, real b) {
    const real sum = log_add(a, b);
    if (std::isinf(sum)) return sum;
    return sum + 2.0L * libm_error + 4.0L * std::fabs(sum) * unit_roundoff;
}

/// Everything of (112) but the values H_n - 1.
struct Mixture {
    explicit Mixture(const Setting& setting)
        : sampling(effective_sampling(setting.batch, setting.dataset, setting.terms)) {
        const real half_orders = setting.alpha * (setting.alpha - 1.0L) / 2.0L;
        const real log_sampling = sampling.value.log();
        BinomialWeights weights(setting.batch, setting.dataset);
        while (weights.n() < setting.batch) {
            allow_interruption(150);
            weights.advance();
            Term term;
            term.n = static_cast<real>(weights.n());
            // 2 alpha (alpha-1) n^2 / sigma^2 = alpha (alpha-1)/2 (2n/sigma)^2.
            const real exponent = half_orders * setting.shift_squared(term.n);
            term.log_weight = weights.weight().log();
            term.unsampled = log_expm1(exponent);
            // Logs of weight and q~ and their difference; the exponent's 6 roundings through
            // log_expm1 (exponent + 1 times); the sum.
            term.error =
                weights.log_error() + sampling.log_error + 5.0L * libm_error +
                (4.0L * (std::fabs(term.log_weight) + std::fabs(log_sampling)) + 8.0L * exponent) *
                    unit_roundoff;
            if (weights.n() > setting.terms) {
                tail.add(term.cap(), term.error);
                continue;
            }
            term.log_weight -= log_sampling;
            terms.push_back(term);
        }
    }

    /// Largest caps first, and rest[i] = log of the sum of the caps from the i-th on, rounded up.
    void order_by_cap() {
        std::sort(terms.begin(), terms.end(),
                  [](const Term& a, const Term& b) { return a.cap() > b.cap(); });
        rest.assign(terms.size() + 1, minus_infinity);
        for (std::size_t i = terms.size(); i-- > 0;)
            rest[i] = log_add_up(rest[i + 1], terms[i].cap() + terms[i].error);
    }

    PositiveNumber sampling;  // q~
    std::vector<Term> terms;  // n = 1..K
    std::vector<real> rest;
    LogSum tail;  // sum over n > K
};

/// True once the caps left are below 2^-64 of the sum (44.4 = 64 log 2): they then widen the result
/// less than one rounding would. Only a choice: they are enclosed, not dropped.
bool is_negligible(real rest, const LogSum& sum) {
    return rest == minus_infinity || rest < sum.log() - 44.4L;
}

/// log(1 + sum)/(alpha-1) with 0 <= the terms left out <= e^left_out.
Enclosure enclosed(const LogSum& low, const LogSum& high, real left_out, real divisor) {
    const real most = log_add(high.log(), left_out);
    const real most_error =
        high.log_error() + 2.0L * libm_error + 2.0L * std::fabs(most) * unit_roundoff;
    return hull(log1p_exp_over(low.log(), low.log_error(), divisor),
                log1p_exp_over(most, most_error, divisor));
}

Enclosure theorem_3_6(const Setting& setting, int m, bool capped) {
    require(m >= 3 && m <= 1000, "m", m, "an integer, 3 <= m <= 1000");
    if (setting.batch > largest_batch || setting.alpha > 400000.0L) return {0.0, infinity};
    const auto order = static_cast<double>(setting.alpha);
    const int highest = highest_moment_needed(order, m);
    const bool affordable = static_cast<real>(setting.terms) * highest <= most_moments;
    if (!affordable && !capped) return {0.0, infinity};

    Mixture mixture(setting);
    if (capped) mixture.order_by_cap();
    const real q = mixture.sampling.value.value();
    LogSum sum = mixture.tail;
    real moments = 0.0L;
    real left_out = minus_infinity;
    for (std::size_t i = 0; i < mixture.terms.size(); ++i) {
        allow_interruption(400);
        const Term& term = mixture.terms[i];
        const real shift_squared = setting.shift_squared(term.n);
        moments += static_cast<real>(highest);
        if (capped && (is_negligible(mixture.rest[i], sum) || moments > most_moments)) {
            left_out = log_add_up(left_out, mixture.rest[i]);
            break;
        }
        real value = std::numeric_limits<real>::infinity();
        real error = 0.0L;
        if (TaylorMoments::is_supported(shift_squared, highest)) {
            const PositiveNumber excess =
                theorem_3_3_excess(order, m, q, mixture.sampling.log_error,
                                   TaylorMoments::of_shift_squared(shift_squared, highest));
            value = excess.value.log();
            error = excess.log_error + 2.0L * libm_error + 2.0L * std::fabs(value) * unit_roundoff;
        }
        if (!(std::isfinite(value) && error < 1e18L)) {
            // Not certified: nothing can be said without the cap, and with it not more than it.
            if (!capped) return {0.0, infinity};
            left_out = log_add_up(left_out, term.cap() + term.error);
            continue;
        }
        if (capped) value = std::min(value, term.unsampled);
        sum.add(term.log_weight + value, term.error + error);
    }
    return enclosed(sum, sum, left_out, setting.alpha - 1.0L);
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
    Mixture mixture(setting);
    mixture.order_by_cap();
    // H is increasing in q and in the shift (a wider shift is more informative), so both ends of
    // both give both ends of H.
    const real q = mixture.sampling.value.value();
    const real q_slack = 1.01L * q * mixture.sampling.log_error + unit_roundoff * q;
    LogSum low = mixture.tail;
    LogSum high = mixture.tail;
    real left_out = minus_infinity;
    for (std::size_t i = 0; i < mixture.terms.size(); ++i) {
        allow_interruption(400);
        if (static_cast<std::int64_t>(i) >= most_evaluations ||
            is_negligible(mixture.rest[i], low)) {
            left_out = mixture.rest[i];
            break;
        }
        const Term& term = mixture.terms[i];
        const real shift = 2.0L * term.n / setting.sigma;
        const real shift_slack = 2.0L * unit_roundoff * shift;
        const Enclosure least = log_excess_moment(order, shift - shift_slack, q - q_slack);
        const Enclosure most = log_excess_moment(order, shift + shift_slack, q + q_slack);
        low.add(term.log_weight + least.lower, term.error);
        // H - 1 <= e^{2 alpha (alpha-1) n^2/sigma^2} - 1 whatever the quadrature could certify.
        high.add(term.log_weight + std::min(static_cast<real>(most.upper), term.unsampled),
                 term.error);
    }
    return enclosed(low, high, left_out, setting.alpha - 1.0L);
}

}  // namespace assay
