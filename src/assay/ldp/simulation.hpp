#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/ldp/adaptive_estimator.hpp"

namespace assay {

/// A population whose members answer one after the other (aydin2024 Section 7).
struct SimulationPlan {
    AdaptiveSettings settings;   ///< its seed is that of all runs
    double concentration = 1.0;  ///< rho of theta* ~ Dirichlet(rho, .., rho)
    std::int64_t users = 0;
    int final_updates = 2000;  ///< of the sampler, after the last answer
    int discarded = 1000;      ///< of them, before the mean is taken
};

struct SimulationResult {
    std::vector<double> truth;
    std::vector<double> estimate;  ///< posterior mean
    double total_variation = 0.0;  ///< 1/2 sum |estimate - truth|   (aydin2024 (20))
    /// Mean of |S|, 0 a user of S = {} that a utility chose; K for the non-adaptive rule, the same
    /// mechanism, which in the paper's words "uses all K categories".
    double mean_subset_size = 0.0;
    double mean_sum_phi = 0.0;  ///< of the kept draws; 0 for the Gibbs sampler
};

/// theta ~ Dirichlet(rho, .., rho), in logarithms, so that a rho of 0.01 loses no component.
///   Throws     DomainError (categories, concentration)
[[nodiscard]] std::vector<double> draw_distribution(RandomStream& stream, int categories,
                                                    double concentration);

/// The category in whose share of the running sums of probabilities u lies, 0 <= u < 1.
[[nodiscard]] int category_at(std::span<const double> running_sums, double u);

/// One run: theta* and the members' categories are functions of (seed, run) alone, the same for
/// every mechanism and rule.
///   progress   called now and then with the number of answers since the last call, where there is
///              one
///   take       called with every answer and the set that it was asked with, where there is one
///   Cost       users x updates steps of the sampler: about 24 ms for 5000 users of 10 categories
///   Throws     DomainError
[[nodiscard]] SimulationResult simulate(
    const SimulationPlan& plan, std::uint64_t run,
    const std::function<void(std::int64_t answers)>& progress = {},
    const std::function<void(const CategorySubset& subset, int response)>& take = {});

}  // namespace assay
