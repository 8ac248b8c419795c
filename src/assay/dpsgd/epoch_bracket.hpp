#pragma once
#include <cstdint>
#include <string>

#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/privacy/epoch_mechanism.hpp"
#include "assay/rdp/epsilon_bracket.hpp"

namespace assay {

/// Both sides of an answer about `epochs` epochs, and why they are where they are.
struct EpochBracket {
    Bound lower;
    Bound upper;
    double gap = 0.0;  // (upper - lower) / upper
    std::string note;
};

/// The smallest epsilon >= 0 with delta(epsilon) <= delta, under zero-out.
///   Maths      balls-and-bins: convex order of sums, composed, no more than deterministic batches
///              and no less than the largest coordinate of one epoch (docs/proofs.md);
///              deterministic: one Gaussian step an epoch; shuffle: the largest coordinate, a lower
///              side alone, and for one epoch alone
///   Domain     0 < delta < 1, 1 <= epochs <= 10^5
///   Direction  both sides; a side that nothing is known of is vacuous
///   Standing   `published` leaves balls-and-bins with deterministic batches above and the largest
///              coordinate of one epoch below
///   Cost       nearly all of it is a law of one epoch of balls-and-bins, which `kept` keeps for
///              the next answer
///   Throws     DomainError (epochs, delta), UnsupportedMechanism
[[nodiscard]] EpochBracket epoch_epsilon(const EpochMechanism& mechanism, std::int64_t epochs,
                                         double delta, const GapGoal& goal,
                                         StandingFilter filter = StandingFilter::any,
                                         EpochLaws* kept = nullptr);

/// delta at epsilon >= 0, likewise.
[[nodiscard]] EpochBracket epoch_delta(const EpochMechanism& mechanism, std::int64_t epochs,
                                       double epsilon, const GapGoal& goal,
                                       StandingFilter filter = StandingFilter::any);

}  // namespace assay
