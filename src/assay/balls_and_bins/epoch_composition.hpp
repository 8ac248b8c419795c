#pragma once
#include <cstdint>
#include <optional>

#include "assay/balls_and_bins/epoch_curve.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

/// Hockey-stick divergence of k epochs of balls-and-bins under zero-out, in one direction, both
/// sides: the likelihood ratios of the epochs are independent and multiply.
///   Maths      V = W_1 .. W_k; remove: E[(V - e^eps)_+], add: E[(1 - e^eps V)_+]
///   Direction  both: each W on a uniform grid of log W, larger and smaller in convex order, which
///              products of independent non-negative variables keep
///   Cost       one law of W, then Fourier transforms of its tilted masses whose length grows with
///              the root of k; their error is bounded and added
///   Source     chua2025 Appendix B.4; docs/proofs.md, convex order of products;
///              docs/error_bounds.md#epochs
class EpochComposition {
public:
    /// 1 <= epochs <= 10^5; steps as in ConvexOrderBracket. Throws DomainError.
    EpochComposition(const BallsAndBins& mechanism, LossDirection direction, std::int64_t epochs,
                     const Resolution& resolution);

    /// The divergence at epsilon >= 0, tilted there first where that helps.
    [[nodiscard]] Enclosure delta(double epsilon);
    /// The same from the tilts so far: true everywhere, accurate near them.
    [[nodiscard]] Enclosure known_delta(double epsilon) const;
    /// About where delta reaches this value.
    [[nodiscard]] double likely_epsilon(double delta) const;

private:
    PayoffSide side_;
    TiltedBracket laws_;
    std::optional<ConvexOrderBracket> first_epoch_;  // where products leave the range of losses
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
