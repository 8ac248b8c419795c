#pragma once
#include <limits>
#include <optional>
#include <vector>

#include "assay/pld/composition_plan.hpp"
#include "assay/pld/entropic_tail.hpp"
#include "assay/pld/jump_chain.hpp"
#include "assay/pld/rising_thresholds.hpp"

namespace assay {

/// A composition cut in time.
struct JumpSplit {
    std::vector<RepeatedLossPair>
        first;                           // worst pairs of the functions with t f''(t) nondecreasing
    std::vector<RepeatedLossPair> last;  // dominating pairs
    std::vector<MomentBound> moments;    // of the ratio of all of `first`
};

/// delta(epsilon) <= int g1(y) E (W - e^{epsilon + y})_+ dy, W the ratio of `first` and g1 the
/// least nondecreasing majorant of the density of -L, L the loss of `last` under its first
/// distribution (docs/proofs.md, one jump). Holds for adaptive steps, in both orders of the
/// neighbours.
class OneJump {
public:
    /// Accurate around `epsilon`, where delta is about `delta`, to a part of about `precision` of
    /// the losses' variance; answers from `least_epsilon` on. Atoms are spread over up to `widest`
    /// grid steps.
    OneJump(const JumpSplit& split, Adjacency adjacency, double epsilon, double least_epsilon,
            double delta, double precision, int widest = 64);

    /// The jump at the end of a chain: `split.last` is what `link` stands for, and is not read.
    OneJump(const JumpSplit& split, const ChainLink& link, Adjacency adjacency, double epsilon,
            double least_epsilon, double delta, double precision);

    /// An upper bound, at most 1.
    [[nodiscard]] double delta(double epsilon) const;
    /// The smallest epsilon in [low, high] found with delta(epsilon) <= target; nothing if there is
    /// none.
    [[nodiscard]] std::optional<double> epsilon(double target, double low, double high) const;

private:
    [[nodiscard]] double bound(const RisingThresholds& thresholds, double epsilon) const;

    /// The parts before the jump, composed at the tilt of the payoff.
    double compose(const JumpSplit& split, Adjacency adjacency, double epsilon, double delta,
                   double precision);

    std::vector<HockeyStick> distributions_;
    double scale_ = 0.0;
    RisingThresholds thresholds_;
    std::optional<EntropicTail> tail_;
    double log_power_ = -std::numeric_limits<double>::infinity();  // of e^epsilon to 1 - order
    double power_rate_ = 0.0;
};

}  // namespace assay
