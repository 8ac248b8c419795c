#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/chua2025/certified_curves.hpp"
#include "experiments/chua2025/monte_carlo_curve.hpp"
#include "experiments/params.hpp"
#include "experiments/table.hpp"

namespace assay::experiments::chua2025 {

/// One panel of Figure 2: a data set cut into batches, T = examples / batch size rounded up.
struct SamplerPanel {
    BallsAndBins mechanism;
    std::string data;
    std::vector<std::int64_t> orders;
    std::vector<double> epsilons;
    bool is_extra = false;  // not among the paper's
};
[[nodiscard]] SamplerPanel read_sampler_panel(const Params& params, std::int64_t points);

/// delta of every sampler at every epsilon of a panel.
struct SamplerCurves {
    SamplerPanel panel;
    std::vector<Enclosure> balls_and_bins;
    std::vector<Enclosure> poisson;
    std::vector<Enclosure> deterministic;
    std::vector<double> shuffle_lower;
    std::vector<double> largest_coordinate;  // lower bound (6) of balls-and-bins
    BothDirections monte_carlo;
    Ordering against_poisson;  // whole intervals, on `fine` epsilons
};
[[nodiscard]] SamplerCurves sampler_curves(SamplerPanel panel, std::int64_t fine,
                                           const Narrowness& wanted, const MonteCarloEffort& effort,
                                           std::uint64_t seed);

/// Columns steps, noise_multiplier, epsilon, delta; the series of all samplers declared.
[[nodiscard]] Table sampler_table();
void add_sampler_curves(Table& table, const SamplerCurves& curves);

}  // namespace assay::experiments::chua2025
