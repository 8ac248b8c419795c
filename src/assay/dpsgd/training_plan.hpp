#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/architecture.hpp"
#include "assay/dpsgd/optimiser.hpp"
#include "assay/files/run_identity.hpp"
#include "assay/privacy/adjacency.hpp"

namespace assay {

/// How the per-example gradients of a batch are summed: as the engine does it, or with all of them
/// in memory at once, as common frameworks do.
enum class GradientPath { streamed, materialised };

/// Everything that decides a training run, except the data.
struct TrainingPlan {
    Architecture architecture;
    BatchSampling sampling;
    std::optional<double> clip_norm;  // none: sums of plain gradients, and no noise
    double noise_multiplier = 0.0;    // noise standard deviation / clip norm
    std::optional<Adjacency> adjacency = std::nullopt;  // of the account; needed with noise
    OptimiserOptions optimiser;
    std::int64_t steps = 0;
    std::uint64_t seed = 0;  // of initial weights and noise; sampling has its own
    GradientPath path = GradientPath::streamed;
};

/// Throws DomainError (steps, clip norm, noise multiplier, adjacency, batch size, dataset size, ..)
/// where the plan contradicts itself or the data.
void validate(const TrainingPlan& plan, const Dataset& data);

/// CRC-32 of all numbers of a data set, or of parameters.
[[nodiscard]] std::uint32_t checksum(const Dataset& data);
[[nodiscard]] std::uint32_t checksum(std::span<const float> numbers);

/// What decides the bits of a run: every field of the plan, the data by name, size and checksum,
/// the version. The adjacency decides none. The learning rate's total steps count; how far a run is
/// meant to go does not.
[[nodiscard]] RunIdentity run_identity(const TrainingPlan& plan, const Dataset& data);

}  // namespace assay
