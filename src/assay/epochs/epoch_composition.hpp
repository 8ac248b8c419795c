#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "assay/epochs/epoch_curve.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

/// What was released one after the other, in any order: epochs of balls-and-bins, and single steps
/// of other samplers beside them, all under zero-out.
struct EpochSequence {
    struct Epochs {
        BallsAndBins mechanism;
        std::int64_t count = 1;
    };
    std::vector<Epochs> epochs;  // at least one
    // Pairs of these steps: the lower side of an answer is one of theirs, of the release's only
    // where the same two neighbours attain them.
    std::vector<RepeatedLossPair> steps;

    [[nodiscard]] static EpochSequence of(const BallsAndBins& mechanism, std::int64_t count) {
        return {{{mechanism, count}}, {}};
    }
};

/// The distribution of W after one epoch on both sides, for the payoff of one direction.
struct EpochDistribution {
    PrivacyLossPmf above;
    PrivacyLossPmf below;
    std::shared_ptr<const ConvexOrderBracket> whole;  // where products leave the range of losses
    double cost = 0.0;  // pairs of atoms that were visited, 1 to 2 ns each
    std::uint64_t work = 0;
};

/// Distributions of one epoch, nearly all that an answer costs: made when first asked for, and
/// cached for the next answer. For one thread at a time.
class EpochCache {
public:
    /// `step` of the grid of losses; about `negligible` of the mass may leave at its ends.
    [[nodiscard]] const EpochDistribution& of(const BallsAndBins& mechanism,
                                              LossDirection direction, const Resolution& resolution,
                                              double step, double negligible);
    [[nodiscard]] std::size_t made() const { return distributions_.size(); }

private:
    std::map<std::tuple<double, std::int64_t, LossDirection, SumGrid, double, double, double>,
             EpochDistribution>
        distributions_;
};

/// Hockey-stick divergence of such a sequence in one direction, both sides: the likelihood ratios
/// of its parts are independent and multiply.
///   Maths      V = W_1 .. W_k, in k epochs; removal: E[(V - e^eps)_+],
///              addition: E[(1 - e^eps V)_+]
///   Direction  both: each W on a uniform grid of log W, larger and smaller in convex order, which
///              products of independent non-negative variables keep
///   Cost       one distribution of W, then Fourier transforms of its tilted masses whose length
///              grows with the root of k; their error is bounded and added
///   Source     chua2025 Appendix B.4; docs/proofs.md, convex order of products;
///              docs/error_bounds.md#epochs
class EpochComposition {
public:
    /// 1 <= count <= 10^5; batches as in ConvexOrderBracket; a resolution for each mechanism of the
    /// sequence. What leaves at the ends of the grids of one epoch is about `negligible`, at least
    /// 1e-40: sound whatever it is, and accurate where delta is much larger. Throws DomainError.
    EpochComposition(const EpochSequence& sequence, LossDirection direction,
                     const std::vector<Resolution>& resolutions, EpochCache* cache = nullptr,
                     double negligible = 1e-20)
        : parts_(compose(sequence, direction, resolutions, cache, negligible)) {}
    EpochComposition(const BallsAndBins& mechanism, LossDirection direction, std::int64_t epochs,
                     const Resolution& resolution)
        : EpochComposition(EpochSequence::of(mechanism, epochs), direction, {resolution}) {}

    /// The divergence at epsilon >= 0, tilted there first where that helps.
    [[nodiscard]] Enclosure delta(double epsilon);
    /// The same from the tilts so far: true everywhere, accurate near them.
    [[nodiscard]] Enclosure known_delta(double epsilon) const;
    /// About where delta reaches this value.
    [[nodiscard]] double likely_epsilon(double delta) const;
    /// Of its distributions, were none of them cached, and of the grids of single steps; it grows
    /// as 1/step^2.
    [[nodiscard]] double cost() const { return parts_.cost; }

private:
    struct Parts {
        PayoffSide side;
        TiltedBracket distributions;
        std::shared_ptr<const ConvexOrderBracket> one_epoch;
        double cost = 0.0;
    };
    static Parts compose(const EpochSequence& sequence, LossDirection direction,
                         const std::vector<Resolution>& resolutions, EpochCache* cache,
                         double negligible);

    Parts parts_;
};

/// The composition whose gap at epsilon meets the goal, or the best within its cost.
[[nodiscard]] EpochComposition composition_within(const EpochSequence& sequence,
                                                  LossDirection direction, double epsilon,
                                                  const GapGoal& goal);

/// The larger of both directions at epsilon.
[[nodiscard]] Enclosure composed_delta(const EpochSequence& sequence, double epsilon,
                                       const GapGoal& goal);

/// The epsilons of a delta: below `lower` delta(eps) exceeds it for certain, from `upper` on it
/// does not; [0, inf] where nothing is certified. The bits do not depend on what was cached.
///   Domain     0 < delta < 1
[[nodiscard]] Enclosure composed_epsilon(const EpochSequence& sequence, double delta,
                                         const GapGoal& goal, EpochCache* cache = nullptr);

}  // namespace assay
