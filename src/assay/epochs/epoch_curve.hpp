#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/epochs/convex_order.hpp"

namespace assay {

/// What a certified answer should look like. A gap is (upper - lower) / upper.
struct GapGoal {
    double tolerance = 1e-3;
    double negligible_delta = 1e-10;  // smaller upper sides need not meet the tolerance
    double largest_cost = 2e9;        // elementary steps of one discretisation: about as many ns
};

/// The bracket of one direction whose gap at the epsilons meets the goal, on a grid of its own
/// choosing: a coarse one first, then the step that its gap asks for.
///   Errors     where the cost does not allow the tolerance, the best bracket within the cost:
///              read the gap that was reached
struct GapReached {
    ConvexOrderBracket bracket;
    double gap = 0.0;
};
[[nodiscard]] GapReached bracket_within(const BallsAndBins& mechanism, LossDirection direction,
                                        const std::vector<double>& epsilons, const GapGoal& goal);

/// Of the work that is left: the rest is for what uses the bracket.
inline constexpr double part_of_refining = 0.9;

/// The larger of both directions of a delta: that of addition is asked for only as closely as it
/// shows beside the other; [0, 1] stands for one that needs more work than is left.
using DeltaInDirection = std::function<Enclosure(LossDirection, const GapGoal&)>;
[[nodiscard]] Enclosure larger_direction(const GapGoal& goal, const DeltaInDirection& delta_in);

/// The larger of both directions at one epsilon, its gap meeting the goal: the addition direction
/// is refined only as far as it shows beside the other.
[[nodiscard]] Enclosure delta_within(const BallsAndBins& mechanism, double epsilon,
                                     const GapGoal& goal);

/// delta(eps) = max of both directions of one epoch of balls-and-bins under zero-out: all epsilons
/// from one computation, lower and upper.
///   Errors     gap() is the largest relative gap of the maximum at epsilons over the whole range;
///              meets_goal() is false where the cost did not allow the tolerance
class EpochCurve {
public:
    /// Throws DomainError, UnsupportedMechanism unless the adjacency is zero-out.
    EpochCurve(const BallsAndBins& mechanism, Adjacency adjacency, const GapGoal& goal = {});

    [[nodiscard]] Enclosure delta(double epsilon) const;
    [[nodiscard]] Enclosure delta(LossDirection direction, double epsilon) const;

    /// The epsilons of a delta: below `lower` delta(eps) exceeds it for certain, from `upper` on it
    /// does not. 0 < delta < 1; upper is +inf where the curve does not come down to delta.
    [[nodiscard]] Enclosure epsilon(double delta) const;

    [[nodiscard]] double gap() const { return gap_; }
    [[nodiscard]] bool meets_goal() const { return gap_ <= goal_.tolerance; }
    [[nodiscard]] const ConvexOrderBracket& bracket(LossDirection direction) const;

private:
    GapGoal goal_;
    ConvexOrderBracket removal_;
    ConvexOrderBracket addition_;
    double gap_ = 0.0;
};

}  // namespace assay
