#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "assay/epochs/convex_order.hpp"
#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Epochs of up to 600 batches, where no quadrature reaches: the mean of every way of sampling
// against the certified bracket of sums in convex order, which share no number with it. Means of
// draws in [0, 1] are judged by Hoeffding's bound (deviance.hpp).

namespace assay::verify {

namespace {

constexpr int blocks = 12;

MonteCarloPlan plan_at(const Point& p, SamplingMethod method) {
    MonteCarloPlan plan{
        .mechanism = {p["sigma"], p.integer("T")},
        .direction = p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal,
        .epsilons = {p["eps"]},
        .method = method,
        .seed = static_cast<std::uint64_t>(p.integer("seed"))};
    if (!encodes_by_orders(method)) return plan;
    // All orders of those that are drawn alike: nothing is encoded away.
    const std::int64_t own = p["add"] == 1.0 ? 0 : has_event(method) ? 2 : 1;
    plan.orders.resize(static_cast<std::size_t>(p.integer("T") - own));
    std::iota(plan.orders.begin(), plan.orders.end(), 1);
    return plan;
}

double mean_deviance(const Point& p, SamplingMethod method) {
    const MonteCarloPlan plan = plan_at(p, method);
    const MonteCarloSampler sampler(plan);
    std::vector<double> sums(number_of_sums(plan));
    double first = 0.0;
    for (int i = 0; i < blocks; ++i) {
        sampler.run_block(static_cast<std::uint64_t>(i), sums);
        first += sums.front();
    }
    const double trials = static_cast<double>(blocks * trials_per_block(plan));
    const Enclosure delta = ConvexOrderBracket(plan.mechanism, plan.direction, p["eps"],
                                               coarse_resolution(plan.mechanism))
                                .delta(p["eps"]);
    const Enclosure event =
        has_event(method) ? sampled_event_probability(plan.mechanism, plan.direction, p["eps"])
                          : exactly(1.0);
    // Every draw is moved up by less than this (docs/error_bounds.md#monte-carlo).
    const double swing = std::expm1(2.1 * likelihood_ratio_margin(plan)) + 1e-12;
    const double low = delta.lower / event.upper * (1.0 - 1e-12);
    const double high = std::min(1.0, delta.upper / event.lower * (1.0 + 1e-12) + swing);
    const double mean = first / trials;
    if (mean >= low && mean <= high) return 0.0;
    return deviance(first, trials, mean < low ? low : high) / std::log(2.0 / false_alarm);
}

}  // namespace

std::vector<Check> long_epoch_rows() {
    const Space space{{count_dimension("T", 4, 600, {4, 7, 100, 513}),
                       noise_dimension("sigma", 0.3, 2.0),
                       {"eps", Scale::linear, 0.0, 1.0, false, {0.0, 0.1, 0.5}},
                       {"add", Scale::linear, 0, 1, true, {0, 1}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      // W has a standard deviation of about this near its mean.
                      [](const Point& p) {
                          return p["eps"] <= 2.0 * typical_deviation({p["sigma"], p.integer("T")});
                      }};
    std::vector<Check> rows;
    for (const SamplingMethod method :
         {SamplingMethod::plain, SamplingMethod::conditional, SamplingMethod::importance,
          SamplingMethod::order_statistics, SamplingMethod::importance_and_order_statistics}) {
        std::string name(to_string(method));
        std::ranges::replace(name, '-', '_');
        Check row = limit_row(fmt::format("monte_carlo.{}.meets_sums", name),
                              "the mean of sampled losses of a long epoch meets the bracket of "
                              "sums in convex order, up to a deviation that has probability 1e-9 "
                              "at most",
                              "library: ConvexOrderBracket; Chernoff and Hoeffding", space, 8, 100,
                              1.0, [method](const Point& p) { return mean_deviance(p, method); });
        // Of the removal direction one coordinate more is encoded where another is the largest.
        if (method == SamplingMethod::importance_and_order_statistics)
            row.space.admits = [admits = row.space.admits](const Point& p) {
                return p["add"] == 1.0 && admits(p);
            };
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace assay::verify
