#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "assay/monte_carlo/delta_estimate.hpp"
#include "assay/monte_carlo/loss_second_moment.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The methods of chua2025 that sample delta, and the conditional one, in both directions, against
// quadrature: their means, and how often their bounds miss. Every statement leaves room for 6
// standard errors, what chance exceeds once in 5e8 times.

namespace assay::verify {

namespace {

constexpr double deviations = 6.0;

struct SamplingTrial {
    SamplingMethod method;
    double least_batches;
    double most_batches;
    int quick;
    int quick_coverage;
    int full;
};

// Quadrature ends at three batches; restricted to an event, two coordinates of removal are drawn
// on their own.
constexpr SamplingTrial methods[] = {
    {SamplingMethod::plain, 1, 2, 3, 1, 20},
    {SamplingMethod::conditional, 2, 3, 3, 1, 20},
    {SamplingMethod::importance, 2, 2, 3, 1, 20},
    {SamplingMethod::order_statistics, 2, 2, 3, 1, 20},
    {SamplingMethod::importance_and_order_statistics, 3, 3, 1, 0, 8}};

MonteCarloPlan plan_at(const Point& p, SamplingMethod method) {
    MonteCarloPlan plan{
        .mechanism = {p["sigma"], p.integer("T")},
        .direction = p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal,
        .epsilons = {p["eps"]},
        .method = method,
        .seed = static_cast<std::uint64_t>(p.integer("seed"))};
    // All orders of those that are drawn alike: nothing is encoded away.
    const bool restricted = method == SamplingMethod::importance_and_order_statistics;
    if (restricted || method == SamplingMethod::order_statistics) {
        const std::int64_t own = p["add"] == 1.0 ? 0 : restricted ? 2 : 1;
        plan.orders.resize(static_cast<std::size_t>(p.integer("T") - own));
        std::iota(plan.orders.begin(), plan.orders.end(), 1);
    }
    return plan;
}

std::vector<double> second_moments(const MonteCarloPlan& plan) {
    return loss_second_moments(plan.mechanism, plan.direction, 1, plan.epsilons);
}

/// Where delta is not rare among the trials of a block.
bool in_reach(const Point& p) {
    return p["eps"] * p["sigma"] <= 0.7;
}

Interval truth_at(const Point& p, long bits) {
    const char* quantity =
        p["add"] == 1.0 ? "balls_and_bins.delta_add" : "balls_and_bins.delta_remove";
    return oracle_truth(quantity, Method::arb)(p, bits);
}

// ---- coverage ------------------------------------------------------------------------------

/// The largest share of 2000 blocks in which one of the bounds misses.
double misses(const Point& p, SamplingMethod method) {
    constexpr int repetitions = 2000;
    const MonteCarloSampler sampler(plan_at(p, method));
    const double truth = truth_at(p, 64).lower_double();
    std::vector<double> sums(number_of_sums(sampler.plan()));
    const std::vector<double> moments = second_moments(sampler.plan());
    std::array<int, 5> missed{};
    for (int i = 0; i < repetitions; ++i) {
        sampler.run_block(static_cast<std::uint64_t>(i), sums);
        const DeltaEstimate found =
            estimate(sampler.plan(), sums, moments, trials_per_block(sampler.plan()), p["beta"])
                .front();
        missed[0] += found.kl_upper < truth ? 1 : 0;
        missed[1] += found.bennett_upper < truth ? 1 : 0;
        missed[2] += found.bernstein_upper < truth ? 1 : 0;
        missed[3] += found.lower > truth ? 1 : 0;
        missed[4] += found.bennett_lower > truth ? 1 : 0;
    }
    return static_cast<double>(*std::max_element(missed.begin(), missed.end())) / repetitions;
}

Interval allowed(const Point& p, long bits) {
    const double beta = p["beta"];
    return Interval(beta, bits) +
           Interval(deviations * std::sqrt(beta * (1.0 - beta) / 2000.0), bits);
}

// ---- means ---------------------------------------------------------------------------------

Enclosure mean_of(const Point& p, SamplingMethod method) {
    constexpr int blocks = 100;
    const MonteCarloSampler sampler(plan_at(p, method));
    std::vector<double> total(number_of_sums(sampler.plan()), 0.0);
    std::vector<double> sums(total.size());
    for (int i = 0; i < blocks; ++i) {
        sampler.run_block(static_cast<std::uint64_t>(i), sums);
        std::transform(sums.begin(), sums.end(), total.begin(), total.begin(), std::plus<>());
    }
    const DeltaEstimate found = estimate(sampler.plan(), total, second_moments(sampler.plan()),
                                         blocks * trials_per_block(sampler.plan()), 0.5)
                                    .front();
    const double room = deviations * found.standard_error;
    return {found.mean - room, found.mean + room};
}

}  // namespace

std::vector<Check> sampling_method_rows() {
    std::vector<Check> rows;
    for (const SamplingTrial& trial : methods) {
        const SamplingMethod method = trial.method;
        std::string name(to_string(method));
        std::ranges::replace(name, '-', '_');
        Space space{{count_dimension("T", trial.least_batches, trial.most_batches, {1, 2, 3}),
                     noise_dimension("sigma", 0.4, 2.0),
                     {"eps", Scale::linear, 0.0, 1.5, false, {0.0, 0.5, 1.0}},
                     {"add", Scale::linear, 0, 1, true, {0, 1}},
                     {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                    in_reach};
        Check mean = library_row(fmt::format("monte_carlo.{}.mean", name),
                                 "the mean of sampled losses is delta, but for 6 standard errors",
                                 Relation::overlaps, space, trial.quick, trial.full);
        mean.oracle = "arb: balls_and_bins.delta_remove, balls_and_bins.delta_add";
        mean.evaluate = [method](const Point& p) { return mean_of(p, method); };
        mean.truth = truth_at;
        // Of the removal direction one coordinate more is encoded where another is the largest.
        if (method == SamplingMethod::importance_and_order_statistics)
            mean.space.admits = [](const Point& p) { return in_reach(p) && p["add"] == 1.0; };
        rows.push_back(std::move(mean));
        space.dimensions.push_back({"beta", Scale::logarithmic, 0.01, 0.3, false, {0.05, 0.1}});
        Check coverage = library_row(
            fmt::format("monte_carlo.{}.coverage", name),
            "each bound from one block of sampled losses, by Chernoff and Hoeffding, by Bennett, "
            "by "
            "the empirical variance, and both from below, misses delta with probability beta at "
            "most",
            Relation::at_most, space, trial.quick_coverage, trial.full);
        coverage.subject = "library: share of 2000 bounds that miss delta";
        coverage.oracle = "beta plus 6 standard errors";
        coverage.evaluate = [method](const Point& p) { return exactly(misses(p, method)); };
        coverage.truth = allowed;
        rows.push_back(std::move(coverage));
    }
    return rows;
}

}  // namespace assay::verify
