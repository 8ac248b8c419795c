#include "experiments/chua2025/delta_by_sampler.hpp"

#include <cmath>

#include "assay/epochs/deterministic_batches.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/privacy/citations.hpp"

namespace assay::experiments::chua2025 {

SamplerPanel read_sampler_panel(const Params& params, std::int64_t points) {
    const auto batches = static_cast<double>(params.integer("examples")) /
                         static_cast<double>(params.integer("batch_size"));
    SamplerPanel panel;
    panel.mechanism = {.noise_multiplier = params.number("noise_multiplier"),
                       .batches_per_epoch = static_cast<std::int64_t>(std::ceil(batches))};
    panel.data = params.text("data");
    panel.orders = paper_order_list(params.text("orders")).orders;
    panel.epsilons = even_grid(params.number("largest_epsilon"), points);
    panel.is_extra = params.flag("extra");
    return panel;
}

SamplerCurves sampler_curves(SamplerPanel panel, std::int64_t fine, const Narrowness& wanted,
                             const MonteCarloEffort& effort, std::uint64_t seed) {
    const BallsAndBins mechanism = panel.mechanism;
    const auto [noise, steps] = mechanism;
    SamplerCurves curves;

    // One accountant for the points that are drawn and, behind them, those that decide intervals.
    std::vector<double> all = panel.epsilons;
    const std::vector<double> dense = grid_dense_near_0(panel.epsilons.back(), fine);
    all.insert(all.end(), dense.begin(), dense.end());
    curves.balls_and_bins = balls_and_bins_delta(mechanism, all, wanted);
    curves.poisson = poisson_delta(mechanism, all, wanted);
    const std::size_t drawn = panel.epsilons.size();
    curves.against_poisson = compare(dense, std::span(curves.balls_and_bins).subspan(drawn),
                                     std::span(curves.poisson).subspan(drawn));
    curves.balls_and_bins.resize(drawn);
    curves.poisson.resize(drawn);

    for (const double epsilon : panel.epsilons) {
        curves.deterministic.push_back(
            deterministic_delta(DeterministicBatches{noise, steps}, epsilon));
        curves.shuffle_lower.push_back(
            largest_coordinate_delta(Shuffled{noise, steps}, epsilon).lower);
        curves.largest_coordinate.push_back(largest_coordinate_delta(mechanism, epsilon).lower);
    }
    MonteCarloPlan plan;
    plan.mechanism = mechanism;
    plan.epsilons = panel.epsilons;
    plan.method = SamplingMethod::order_statistics;
    plan.orders = panel.orders;
    plan.seed = seed;
    curves.monte_carlo = monte_carlo_both(std::move(plan), effort);
    curves.panel = std::move(panel);
    return curves;
}

Table sampler_table() {
    Table table({{.name = "steps", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "noise_multiplier", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "epsilon", .unit = "nats", .golden_tolerance = 1e-14},
                 {.name = "delta", .unit = "1", .golden_tolerance = searched_tolerance}});
    const auto declare = [&](const char* name, const char* label, Direction direction,
                             Theorem theorem) {
        table.add_series({name, label, direction, theorem});
    };
    using enum Direction;
    declare("deterministic", "δ_D", upper, cite::balle2018_gaussian);
    declare("shuffle_lower", "δ_S, lower bound", lower, cite::chua2024_shuffle);
    declare("poisson_lower", "δ_P, optimistic", lower, cite::koskela2020_composition);
    declare("poisson_upper", "δ_P, pessimistic", upper, cite::koskela2020_composition);
    declare("monte_carlo_curve_upper", "δ_B, upper confidence, whole curve", upper,
            cite::chua2025_monte_carlo);
    declare("monte_carlo_upper", "δ_B, upper confidence", upper, cite::chua2025_monte_carlo);
    declare("monte_carlo_bernstein", "δ_B, upper confidence, Bernstein", upper,
            {"maurer2009 Theorem 4", Standing::published});
    declare("monte_carlo_mean", "δ_B, Monte Carlo mean", estimate, cite::chua2025_monte_carlo);
    declare("largest_coordinate", "δ_B, lower bound (6)", lower, cite::chua2025_eq_6);
    declare("balls_and_bins_lower", "δ_B, certified lower", lower, cite::convex_order);
    declare("balls_and_bins_upper", "δ_B, certified upper", upper, cite::convex_order);
    return table;
}

void add_sampler_curves(Table& table, const SamplerCurves& curves) {
    const BallsAndBins& epoch = curves.panel.mechanism;
    const auto add = [&](const char* series, const char* status, const auto& value) {
        for (std::size_t i = 0; i < curves.panel.epsilons.size(); ++i) {
            const double delta = value(i);
            const bool is_trivial = delta == 0.0 || delta == 1.0;
            table.add(series,
                      {static_cast<double>(epoch.batches_per_epoch), epoch.noise_multiplier,
                       curves.panel.epsilons[i], delta},
                      is_trivial ? "vacuous" : status);
        }
    };
    const auto& larger = curves.monte_carlo.larger;
    add("deterministic", "certified", [&](auto i) { return curves.deterministic[i].upper; });
    add("shuffle_lower", "certified", [&](auto i) { return curves.shuffle_lower[i]; });
    add("poisson_lower", "certified", [&](auto i) { return curves.poisson[i].lower; });
    add("poisson_upper", "certified", [&](auto i) { return curves.poisson[i].upper; });
    add("monte_carlo_curve_upper", "statistical", [&](auto i) { return larger[i].curve_upper; });
    add("monte_carlo_upper", "statistical", [&](auto i) { return larger[i].upper; });
    add("monte_carlo_bernstein", "statistical", [&](auto i) { return larger[i].bernstein; });
    add("monte_carlo_mean", "heuristic", [&](auto i) { return larger[i].mean; });
    add("largest_coordinate", "certified", [&](auto i) { return curves.largest_coordinate[i]; });
    add("balls_and_bins_lower", "certified",
        [&](auto i) { return curves.balls_and_bins[i].lower; });
    add("balls_and_bins_upper", "certified",
        [&](auto i) { return curves.balls_and_bins[i].upper; });
}

}  // namespace assay::experiments::chua2025
