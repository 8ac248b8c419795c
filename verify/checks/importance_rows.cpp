#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/monte_carlo/monte_carlo.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Importance sampling (chua2025 Algorithms 5 and 10) where every coordinate counts: epochs of one
// and two batches against closed forms and quadrature, longer ones between the largest coordinate
// alone and deterministic batches. Draws x are independent and in [0, 1], so that with m of them
// P(m KL(mean || E x) >= y, mean on one side) <= e^-y (Hoeffding 1963): no standard error is
// estimated.

namespace assay::verify {

namespace {

constexpr int blocks = 100;

bool is_add(const Point& p) {
    return p["add"] == 1.0;
}

/// What E x lies between: delta over the probability of the event.
struct Range {
    Interval low;
    Interval high;
};

double mean_deviance(const Point& p, const Range& delta) {
    const MonteCarloSampler sampler(
        {.mechanism = {p["sigma"], p.integer("T")},
         .direction = is_add(p) ? LossDirection::addition : LossDirection::removal,
         .epsilons = {p["eps"]},
         .method = SamplingMethod::importance,
         .seed = static_cast<std::uint64_t>(p.integer("seed"))});
    std::vector<double> sums(number_of_sums(sampler.plan()));
    double first = 0.0;
    for (int i = 0; i < blocks; ++i) {
        sampler.run_block(static_cast<std::uint64_t>(i), sums);
        first += sums.front();
    }
    const double trials = static_cast<double>(blocks * trials_per_block(sampler.plan()));
    const Interval event = oracle_truth(
        is_add(p) ? "chua2025.event_probability_add" : "chua2025.event_probability_remove",
        Method::formula)(p, 64);
    // Every draw is moved up by less than this (docs/error_bounds.md#monte-carlo).
    const double swing = std::expm1(2.1 * likelihood_ratio_margin(sampler.plan()));
    const double low = (delta.low / event).lower_double();
    const double high = std::min(1.0, (delta.high / event).upper_double() + swing);
    const double mean = first / trials;
    if (mean >= low && mean <= high) return 0.0;
    return deviance(first, trials, mean < low ? low : high) / std::log(2.0 / false_alarm);
}

Space epochs(double least, double most) {
    return {{count_dimension("T", least, most, {1, 2, 3, 100}),
             noise_dimension("sigma", 0.4, 3.0),
             {"eps", Scale::linear, 0.0, 2.0, false, {0.0, 0.5, 1.0}},
             {"add", Scale::linear, 0, 1, true, {0, 1}},
             {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
            [](const Point& p) { return p["eps"] * p["sigma"] <= 1.0; }};
}

constexpr const char* claim_end =
    ", up to a deviation that has probability 1e-9 at most (Chernoff and Hoeffding)";

}  // namespace

std::vector<Check> importance_rows() {
    const auto delta_of = [](const Point& p) {
        return any_oracle(is_add(p) ? "balls_and_bins.delta_add" : "balls_and_bins.delta_remove")(
            p, 64);
    };
    Check one = limit_row("monte_carlo.importance.mean_of_one_batch",
                          std::string("the mean of the draws inside the event is the closed form "
                                      "of one batch") +
                              claim_end,
                          "closed form: exact.deterministic_delta", epochs(1, 1), 16, 200, 1.0,
                          [](const Point& p) {
                              const Interval delta =
                                  oracle_truth("exact.deterministic_delta", Method::formula)(p, 64);
                              return mean_deviance(p, {delta, delta});
                          });
    Check two = limit_row(
        "monte_carlo.importance.mean_of_few_batches",
        std::string("the mean of the draws inside the event is delta of two or three batches") +
            claim_end,
        "quadrature: balls_and_bins.delta_remove, balls_and_bins.delta_add", epochs(2, 2), 16, 200,
        1.0, [delta_of](const Point& p) {
            const Interval delta = delta_of(p);
            return mean_deviance(p, {delta, delta});
        });
    Check between = limit_row(
        "monte_carlo.importance.between_closed_forms",
        std::string("the mean of the draws lies between what the largest coordinate tells "
                    "(chua2025 (6)) and delta of deterministic batches") +
            claim_end,
        "formulas: chua2025.eq_6, exact.deterministic_delta", epochs(2, 60), 8, 80, 1.0,
        [](const Point& p) {
            const Interval above =
                oracle_truth("exact.deterministic_delta", Method::formula)(p, 64);
            // Equation (6) is about the removal direction.
            if (is_add(p)) return mean_deviance(p, {Interval(0.0, 64), above});
            return mean_deviance(p, {oracle_truth("chua2025.eq_6", Method::formula)(p, 64), above});
        });
    return {one, two, between};
}

}  // namespace assay::verify
