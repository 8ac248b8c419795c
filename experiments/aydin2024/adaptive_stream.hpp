#pragma once
#include <cstdint>
#include <vector>

#include "assay/ldp/adaptive_estimator.hpp"
#include "experiments/params.hpp"

namespace assay::experiments::aydin2024 {

/// theta_i proportional to ratio^-i: strictly ordered, as Theorem 4 assumes.
[[nodiscard]] std::vector<double> geometric_distribution(int categories, double ratio);

/// S* of a rule at this theta: the categories 0 .. k-1 of the returned k, theta being ordered.
[[nodiscard]] int best_subset_size(const AdaptiveSettings& settings,
                                   const std::vector<double>& theta);

/// A population with a fixed theta that answers an adaptive estimator. The members of stream i
/// are the same whatever the estimator.
class AdaptiveStream {
public:
    AdaptiveStream(const AdaptiveSettings& settings, const std::vector<double>& theta,
                   std::uint64_t stream);

    /// The next user: draws the category, answers with the estimator's set, feeds it.
    void advance();
    [[nodiscard]] AdaptiveEstimator& estimator() { return estimator_; }

private:
    AdaptiveEstimator estimator_;
    std::vector<double> cumulated_;
    RandomStream members_;
    RandomStream answers_;
};

}  // namespace assay::experiments::aydin2024
