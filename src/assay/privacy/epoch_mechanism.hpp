#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "assay/privacy/adjacency.hpp"

namespace assay {

// What one epoch of `steps` batches released, where the batches of an epoch depend on each other
// (mechanism.hpp has the samplers that draw every step anew). noise_multiplier is the standard
// deviation of the noise on the sum of clipped gradients divided by the clip norm.

/// Every record goes to one of the batches of the epoch, uniformly and independently of the others.
struct BallsAndBins {
    double noise_multiplier = 0.0;
    std::int64_t steps = 0;
};

/// The records are shuffled and cut into batches of equal size.
struct Shuffled {
    double noise_multiplier = 0.0;
    std::int64_t steps = 0;
};

/// The records are cut into batches in the order in which they stand.
struct DeterministicBatches {
    double noise_multiplier = 0.0;
    std::int64_t steps = 0;
};

using EpochMechanism = std::variant<BallsAndBins, Shuffled, DeterministicBatches>;

/// balls-and-bins, shuffle, deterministic.
[[nodiscard]] std::string_view sampling_name(const EpochMechanism& mechanism);

/// One line: sampler, noise multiplier, steps in an epoch.
[[nodiscard]] std::string describe(const EpochMechanism& mechanism);

/// Throws DomainError unless noise_multiplier > 0 is finite and 1 <= steps <= 10^12.
void validate(const EpochMechanism& mechanism);

/// Throws UnsupportedMechanism, naming both, unless the adjacency is zero-out: the theorems of
/// chua2025 cover no other.
void require_theorem(const EpochMechanism& mechanism, Adjacency adjacency);

}  // namespace assay
