#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "assay/balls_and_bins/epoch_curve.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

/// The law of W after one epoch on both sides, for the payoff of one direction. Any number of
/// epochs comes of it.
struct EpochLaw {
    PayoffSide side;
    PrivacyLossPmf above;
    PrivacyLossPmf below;
    std::shared_ptr<const ConvexOrderBracket> whole;  // where products leave the range of losses
};

/// Laws of one epoch, nearly all that an answer costs: made when first asked for, and kept. For one
/// thread at a time.
class EpochLaws {
public:
    explicit EpochLaws(const BallsAndBins& mechanism);
    [[nodiscard]] const BallsAndBins& mechanism() const { return mechanism_; }
    [[nodiscard]] const EpochLaw& of(LossDirection direction, const Resolution& resolution);
    [[nodiscard]] std::size_t made() const { return laws_.size(); }

private:
    BallsAndBins mechanism_;
    std::map<std::tuple<LossDirection, SumGrid, double>, EpochLaw> laws_;
};

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
    EpochComposition(const EpochLaw& law, std::int64_t epochs);

    /// The divergence at epsilon >= 0, tilted there first where that helps.
    [[nodiscard]] Enclosure delta(double epsilon);
    /// The same from the tilts so far: true everywhere, accurate near them.
    [[nodiscard]] Enclosure known_delta(double epsilon) const;
    /// About where delta reaches this value.
    [[nodiscard]] double likely_epsilon(double delta) const;

private:
    PayoffSide side_;
    TiltedBracket laws_;
    std::shared_ptr<const ConvexOrderBracket> first_epoch_;
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
/// The same bits, and the laws are there for the next answer.
[[nodiscard]] Enclosure composed_epsilon(EpochLaws& laws, std::int64_t epochs, double delta,
                                         const GapGoal& goal);

}  // namespace assay
