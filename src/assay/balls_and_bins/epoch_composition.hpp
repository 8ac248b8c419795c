#pragma once
#include <cstdint>

#include "assay/balls_and_bins/epoch_curve.hpp"
#include "assay/balls_and_bins/log_law.hpp"

namespace assay {

/// Hockey-stick divergence of k epochs of balls-and-bins under zero-out, in one direction, both
/// sides: the likelihood ratios of the epochs are independent and multiply.
///   Maths      V = W_1 .. W_k; remove: E[(V - e^eps)_+], add: E[(1 - e^eps V)_+]
///   Direction  both: each W on a uniform grid of log W, larger and smaller in convex order, which
///              products of independent non-negative variables keep. Products of grid points are
///              grid points, so that only the first step costs accuracy
///   Cost       about log2 k convolutions of positive terms, without Fourier transforms: relative
///              rounding, whatever the delta
///   Source     chua2025 Appendix B.4; docs/proofs.md, convex order of products
class EpochComposition {
public:
    /// 1 <= epochs <= 10^5; steps as in ConvexOrderBracket. Throws DomainError.
    EpochComposition(const BallsAndBins& mechanism, LossDirection direction, std::int64_t epochs,
                     const Resolution& resolution);

    [[nodiscard]] Enclosure delta(double epsilon) const;
    [[nodiscard]] const Resolution& resolution() const { return resolution_; }

private:
    LossDirection direction_;
    Resolution resolution_;
    LogProducts below_products_;
    LogProducts above_products_;
    LogLaw below_;
    LogLaw above_;
};

/// The composition whose gap at epsilon meets the goal, or the best within its cost.
[[nodiscard]] EpochComposition composition_within(const BallsAndBins& mechanism,
                                                  LossDirection direction, std::int64_t epochs,
                                                  double epsilon, const GapGoal& goal);

/// The larger of both directions at epsilon after k epochs.
[[nodiscard]] Enclosure composed_delta(const BallsAndBins& mechanism, std::int64_t epochs,
                                       double epsilon, const GapGoal& goal);

/// The epsilons of a delta after k epochs: below `lower` delta(eps) exceeds it for certain, from
/// `upper` on it does not; [0, inf] where nothing is certified.    Domain  0 < delta < 1
[[nodiscard]] Enclosure composed_epsilon(const BallsAndBins& mechanism, std::int64_t epochs,
                                         double delta, const GapGoal& goal);

}  // namespace assay
