#include <fmt/format.h>

#include <algorithm>

#include "assay/epochs/lower_bounds.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/privacy/citations.hpp"
#include "experiments/chua2025/certified_curves.hpp"
#include "experiments/chua2025/chua2025.hpp"
#include "experiments/chua2025/monte_carlo_curve.hpp"
#include "experiments/golden.hpp"

namespace assay::experiments::chua2025 {
namespace {

/// One method of sampling in one setting: its curve, and how long one core computed.
struct TimedCurve {
    BothDirections delta;
    double samples = 0.0;
    double seconds = 0.0;
};

struct OrderPanel {
    BallsAndBins mechanism;
    std::vector<double> epsilons;
    std::vector<Enclosure> delta;
    TimedCurve plain;
    TimedCurve orders;
    std::size_t number_of_orders = 0;
    double printed_ratio = 0.0;  // of times, order statistics over plain
};

TimedCurve timed(const MonteCarloPlan& plan, MonteCarloEffort effort, std::int64_t samples) {
    effort.samples = samples;
    effort.threads = 1;  // so that the time is that of one core
    TimedCurve curve;
    const double start = thread_seconds();
    curve.delta = monte_carlo_both(plan, effort);
    curve.seconds = thread_seconds() - start;
    curve.samples = static_cast<double>(samples);
    return curve;
}

OrderPanel run_panel(const Params& params, const MonteCarloEffort& effort, std::int64_t points,
                     std::uint64_t seed) {
    OrderPanel panel;
    panel.mechanism = {params.number("noise_multiplier"), params.integer("steps")};
    panel.epsilons = even_grid(params.number("largest_epsilon"), points);
    panel.delta = balls_and_bins_delta(panel.mechanism, panel.epsilons, {});
    panel.printed_ratio = params.number("printed_time_ratio");
    MonteCarloPlan plan;
    plan.mechanism = panel.mechanism;
    plan.epsilons = panel.epsilons;
    plan.seed = seed;
    panel.plain = timed(plan, effort, params.integer("samples_plain"));
    plan.method = SamplingMethod::order_statistics;
    plan.orders = paper_order_list(params.text("orders")).orders;
    panel.number_of_orders = plan.orders.size();
    panel.orders = timed(plan, effort, params.integer("samples_order_statistics"));
    return panel;
}

Table order_table() {
    Table table({{.name = "steps", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "noise_multiplier", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "epsilon", .unit = "nats", .golden_tolerance = 1e-14},
                 {.name = "delta", .unit = "1", .golden_tolerance = 1e-9},
                 {.name = "samples", .unit = "1", .golden_tolerance = 0.0},
                 measured_seconds()});
    using enum Direction;
    const auto declare = [&](const char* name, const char* label, Direction direction,
                             Theorem theorem) {
        table.add_series({name, label, direction, theorem});
    };
    declare("plain_upper", "without order statistics, upper confidence", upper,
            cite::chua2025_monte_carlo);
    declare("order_statistics_upper", "with order statistics, upper confidence", upper,
            cite::chua2025_monte_carlo);
    declare("order_statistics_mean", "with order statistics, mean", estimate,
            cite::chua2025_monte_carlo);
    declare("largest_coordinate", "lower bound (6)", lower, cite::chua2025_eq_6);
    declare("balls_and_bins_lower", "certified lower", lower, cite::convex_order);
    declare("balls_and_bins_upper", "certified upper", upper, cite::convex_order);
    return table;
}

void add_panel(Table& table, const OrderPanel& panel) {
    const auto add = [&](const char* series, const char* status, const TimedCurve& from,
                         const auto& value) {
        for (std::size_t i = 0; i < panel.epsilons.size(); ++i) {
            const double y = value(i);
            table.add(series,
                      {static_cast<double>(panel.mechanism.batches_per_epoch),
                       panel.mechanism.noise_multiplier, panel.epsilons[i], y, from.samples,
                       from.seconds},
                      y == 0.0 || y == 1.0 ? "vacuous" : status);
        }
    };
    const TimedCurve none;
    add("plain_upper", "statistical", panel.plain,
        [&](auto i) { return panel.plain.delta.larger[i].upper; });
    add("order_statistics_upper", "statistical", panel.orders,
        [&](auto i) { return panel.orders.delta.larger[i].upper; });
    add("order_statistics_mean", "heuristic", panel.orders,
        [&](auto i) { return panel.orders.delta.larger[i].mean; });
    add("largest_coordinate", "certified", none,
        [&](auto i) { return largest_coordinate_delta(panel.mechanism, panel.epsilons[i]).lower; });
    add("balls_and_bins_lower", "certified", none, [&](auto i) { return panel.delta[i].lower; });
    add("balls_and_bins_upper", "certified", none, [&](auto i) { return panel.delta[i].upper; });
}

std::vector<Claim> claims_of(const OrderPanel& panel) {
    const BallsAndBins& m = panel.mechanism;
    const std::string where =
        fmt::format("T = {}, σ = {}", m.batches_per_epoch, m.noise_multiplier);
    const std::size_t last = panel.epsilons.size() - 1;
    const auto& plain = panel.plain.delta.larger;
    const auto& orders = panel.orders.delta.larger;
    const double ratio = panel.orders.seconds / panel.plain.seconds;
    double most = 0.0;
    for (std::size_t i = 0; i <= last; ++i) most = std::max(most, plain[i].upper / orders[i].upper);
    return {
        claim(fmt::format("fig04-time-T{}", m.batches_per_epoch), "Appendix B.2",
              fmt::format("Despite {:g} times more samples, order statistics take {:g} % of the "
                          "time.",
                          panel.orders.samples / panel.plain.samples, 100.0 * panel.printed_ratio),
              fmt::format("{}at {} with {} orders on one core, they take {:.3g} % of the time.",
                          measured, where, panel.number_of_orders, 100.0 * ratio),
              decide(ratio <= 2.0 * panel.printed_ratio),
              {.criterion = "Reproduced by at most twice the printed share."}),
        claim(fmt::format("fig04-tighter-T{}", m.batches_per_epoch), "Figure 4",
              "At roughly the same running time order statistics give tighter upper confidence "
              "bounds.",
              fmt::format("At {} and ε = {:g} the bound without them is {:.3g} times as large.",
                          where, panel.epsilons[last], plain[last].upper / orders[last].upper),
              decide(plain[last].upper > orders[last].upper),
              {.details = {fmt::format("at most, over ε: {:.3g} times", most)}}),
    };
}

}  // namespace

FigureResult run_fig04_order_statistics(const Params& params) {
    const MonteCarloEffort effort = read_effort(params, 0);
    const auto seed = static_cast<std::uint64_t>(params.integer("seed"));
    Table table = order_table();
    std::vector<Claim> claims;
    for (const Params& one : params.sections("panel")) {
        const OrderPanel panel = run_panel(one, effort, params.integer("points"), seed);
        add_panel(table, panel);
        std::ranges::move(claims_of(panel), std::back_inserter(claims));
    }
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::chua2025
