#include "experiments/chua2025/kl_divergence.hpp"

#include <algorithm>
#include <cmath>

#include "assay/epochs/epoch_curve.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "experiments/chua2025/certified_curves.hpp"

namespace assay::experiments::chua2025 {

double balls_and_bins_kl_lower(const BallsAndBins& mechanism, std::int64_t cells, double gap) {
    const double far = negligible_beyond(mechanism);
    const std::vector<double> ends = grid_dense_near_0(far, cells);
    const auto bracket = [&](LossDirection direction, double largest) {
        return bracket_within(mechanism, direction, grid_dense_near_0(largest, 16),
                              {.tolerance = gap, .negligible_delta = 1e-7})
            .bracket;
    };
    const ConvexOrderBracket removal = bracket(LossDirection::removal, far);
    // The factor e^-e makes what lies beyond 3 small; it need not be narrow there.
    const ConvexOrderBracket addition = bracket(LossDirection::addition, std::min(far, 3.0));
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double width = ends[i + 1] - ends[i];
        // The mean of g under dg/g is (b-a)/log(b/a), under dg/g^2 it is log(b/a)/(1/a-1/b).
        const double mean_of_removal = ends[i] + std::log(std::expm1(width) / width);
        const double weight_of_addition = -std::expm1(-width);
        const double mean_of_addition = ends[i] + std::log(width / weight_of_addition);
        sum += width * removal.delta(mean_of_removal).lower +
               std::exp(-ends[i]) * weight_of_addition * addition.delta(mean_of_addition).lower;
    }
    return sum * (1.0 - 1e-12);
}

double poisson_kl_upper(const BallsAndBins& mechanism) {
    constexpr double order = 1.0 + 1e-7;
    const auto steps = static_cast<double>(mechanism.batches_per_epoch);
    return steps * poisson_add_remove_rdp(order, mechanism.noise_multiplier, 1.0 / steps).upper *
           (1.0 + 1e-15);
}

}  // namespace assay::experiments::chua2025
