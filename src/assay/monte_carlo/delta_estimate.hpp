#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assay/monte_carlo/monte_carlo.hpp"

namespace assay {

/// What the sums of `samples` trials say about delta at one epsilon, one direction.
struct DeltaEstimate {
    double epsilon = 0.0;
    double mean = 0.0;            // of x, times the probability of the event that was sampled
    double standard_error = 0.0;  // of that mean
    std::optional<double> share_positive{};  // of trials with x > 0; none where x is an integral
    double kl_upper = 1.0;  // confidence bounds: each one alone fails with probability beta
    double bennett_upper = 1.0;
    double bernstein_upper = 1.0;
    double lower = 0.0;  // both 0 where order statistics make every x too large
    double bennett_lower = 0.0;
};

/// Estimates and confidence bounds, one for each epsilon.
///   Maths      kl_upper: chua2025 Algorithms 4 and 5; bennett_upper: the same with a bound of
///              E x^2; bernstein_upper: Maurer and Pontil 2009, Theorem 4; lower, bennett_lower:
///              mean(x) - (e^{2.1 eta k} - 1) P(x > 0), the mean by either bound, the probability
///              by KL, at beta/2 each, eta the likelihood_ratio_margin, k epochs;
///              of a conditional x its lower side takes the place of the difference
///   Domain     sums as run_block() wrote them, added over the blocks; samples >= 2; 0 < beta < 1;
///              second_moments: loss_second_moments() of the plan
///   Direction  outward. beta covers one bound of one epsilon in one direction: for the larger of
///              both directions, or for a curve, ask with shared_error_probability()
///   Throws     DomainError
[[nodiscard]] std::vector<DeltaEstimate> estimate(const MonteCarloPlan& plan,
                                                  std::span<const double> sums,
                                                  std::span<const double> second_moments,
                                                  std::int64_t samples, double beta);

}  // namespace assay
