#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/account/trade_off_curve.hpp"
#include "assay/privacy/release.hpp"
#include "assay/rdp/epsilon_lower_bound.hpp"

namespace assay {

/// Both hockey-stick divergences of composed steps without a grid of losses.
///   Maths      above, the conversions of Renyi divergences of many orders, both directions alike,
///              where theorems give them; below, in the direction removal, the first of
///              DominatingPair::attained_pairs, as in LossProfile (docs/proofs.md, section I)
///   Direction  both sides, rounding included; [0, 1] where neither says anything
///   Throws     DomainError, UnsupportedMechanism
///   Cost       one second at most to make; then about 1 ms an epsilon. For one thread at a time
class RenyiProfile {
public:
    enum class Sides { both, upper, lower };
    /// Nearly all that making costs is the upper side, nearly all of `at` the lower one.
    RenyiProfile(std::span<const Phase> steps, Adjacency adjacency, StandingFilter standing,
                 Sides sides = Sides::both);

    /// Domain  epsilon >= 0
    [[nodiscard]] DivergenceSample at(double epsilon) const;
    /// Whether it is known what bounds either side.
    [[nodiscard]] bool says_anything() const { return !composed_.empty() || below_; }
    /// An epsilon beyond which the upper side is below `smallest`, or the lower one where no Renyi
    /// divergence is known; about 1e4 at most.
    [[nodiscard]] double reach(double smallest) const;
    [[nodiscard]] const Theorem& upper_theorem() const { return upper_theorem_; }

private:
    struct Composed {
        double order;
        double rdp;
    };
    void compose(std::span<const Phase> steps, Adjacency adjacency, StandingFilter standing);
    [[nodiscard]] double above(double epsilon) const;

    std::vector<Composed> composed_;
    std::unique_ptr<DeltaLowerBound> below_;  // none without a pair
    Theorem upper_theorem_;
};

}  // namespace assay
