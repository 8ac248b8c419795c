#pragma once
#include <vector>

#include "assay/dpsgd/epoch_bracket.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Epochs of samplers whose batches depend on each other, and steps of samplers that draw every
/// batch anew, one after the other on the same data under zero-out.
struct ReleaseSequence {
    struct Epochs {
        EpochMechanism mechanism;
        std::int64_t count = 1;
    };
    std::vector<Epochs> epochs;
    std::vector<Phase> steps;
};

/// The smallest epsilon >= 0 with delta(epsilon) <= delta after all of them.
///   Maths      likelihood ratios multiply: balls-and-bins by convex order, deterministic batches
///              as one Gaussian step an epoch, the others by their dominating pairs; no more than
///              with deterministic batches for balls-and-bins
///   Domain     0 < delta < 1; at least one part; no shuffling, of which only lower bounds are
///              known
///   Direction  both sides
///   Throws     DomainError, UnsupportedMechanism where no theorem gives a pair under zero-out
[[nodiscard]] EpochBracket sequence_epsilon(const ReleaseSequence& sequence, double delta,
                                            const GapGoal& goal);

/// delta at epsilon >= 0, likewise.
[[nodiscard]] EpochBracket sequence_delta(const ReleaseSequence& sequence, double epsilon,
                                          const GapGoal& goal);

}  // namespace assay
