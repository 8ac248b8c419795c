#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "assay/privacy/adjacency.hpp"

namespace assay {

// What one repetition releases: one step of a sampler that draws every batch anew, or one epoch of
// a sampler whose batches of an epoch depend on each other. These structs compute nothing: factors
// that depend on the adjacency are in dominating_pair.hpp. In all of them noise_multiplier is the
// standard deviation of the noise on the SUM of clipped gradients divided by the clip norm,
// whatever the adjacency.

/// Every record takes part: the Gaussian mechanism.
struct Gaussian {
    double noise_multiplier = 0.0;
    auto operator<=>(const Gaussian&) const = default;
};

/// Poisson sampling: every record takes part independently with sampling_probability.
struct SampledGaussian {
    double noise_multiplier = 0.0;
    double sampling_probability = 0.0;
    auto operator<=>(const SampledGaussian&) const = default;
};

/// Poisson sampling with batch_size / dataset_size; a batch of more than maximum_batch_size records
/// is cut to a uniform subset of that size. |D| is that of the release.
struct TruncatedPoissonGaussian {
    double noise_multiplier = 0.0;
    std::int64_t batch_size = 0;  // expected
    std::int64_t dataset_size = 0;
    std::int64_t maximum_batch_size = 0;

    [[nodiscard]] double sampling_probability() const {
        return static_cast<double>(batch_size) / static_cast<double>(dataset_size);
    }

    auto operator<=>(const TruncatedPoissonGaussian&) const = default;
};

/// A uniform subset of fixed size, |B| = sampling_probability |D|.
struct FixedSizeGaussian {
    double noise_multiplier = 0.0;
    double sampling_probability = 0.0;
    auto operator<=>(const FixedSizeGaussian&) const = default;
};

/// |B| independent uniform draws from |D| records; |D| is the size of the larger data set.
struct FixedSizeWithReplacementGaussian {
    double noise_multiplier = 0.0;
    std::int64_t batch_size = 0;
    std::int64_t dataset_size = 0;
    auto operator<=>(const FixedSizeWithReplacementGaussian&) const = default;
};

/// Every record goes to one of the batches of the epoch, uniformly and independently of the others.
struct BallsAndBins {
    double noise_multiplier = 0.0;
    std::int64_t batches_per_epoch = 0;
    auto operator<=>(const BallsAndBins&) const = default;
};

/// In every epoch each record takes part in `allocations` of the batches, a uniform subset of that
/// size, independently of the others.
struct RandomAllocation {
    double noise_multiplier = 0.0;
    std::int64_t batches_per_epoch = 0;
    std::int64_t allocations = 1;
    auto operator<=>(const RandomAllocation&) const = default;
};

/// In every epoch the records are permuted uniformly and cut into batches.
struct Shuffled {
    double noise_multiplier = 0.0;
    std::int64_t batches_per_epoch = 0;
    auto operator<=>(const Shuffled&) const = default;
};

/// The records are cut into batches in the order in which they stand.
struct DeterministicBatches {
    double noise_multiplier = 0.0;
    std::int64_t batches_per_epoch = 0;
    auto operator<=>(const DeterministicBatches&) const = default;
};

using Mechanism = std::variant<Gaussian, SampledGaussian, TruncatedPoissonGaussian,
                               FixedSizeGaussian, FixedSizeWithReplacementGaussian, BallsAndBins,
                               RandomAllocation, Shuffled, DeterministicBatches>;

/// Samplers whose repetition is an epoch; those of the others are steps.
template <class Sampler>
concept EpochSampler = requires(Sampler sampler) {
    sampler.batches_per_epoch;
};
[[nodiscard]] bool is_epoch_sampler(const Mechanism& mechanism);

/// Adaptive repetitions of one mechanism: steps, or epochs of an epoch sampler.
struct Phase {
    Mechanism mechanism;
    std::int64_t repetitions = 1;
    bool operator==(const Phase&) const = default;
};

[[nodiscard]] double noise_multiplier(const Mechanism& mechanism);
void set_noise_multiplier(Mechanism& mechanism, double noise_multiplier);

/// The sampler's name on the command line: none, poisson, poisson-truncated,
/// fixed-size-without-replacement, fixed-size-with-replacement, balls-and-bins, random-allocation,
/// shuffle, deterministic.
[[nodiscard]] std::string_view sampling_name(const Mechanism& mechanism);

/// One line: sampler, noise multiplier, sampling probability, sizes or batches in an epoch.
[[nodiscard]] std::string describe(const Mechanism& mechanism);

/// "N x <mechanism>; N x <mechanism>; <adjacency>".
[[nodiscard]] std::string describe(std::span<const Phase> phases, Adjacency adjacency);

/// Throws DomainError unless noise_multiplier > 0, 0 <= q < 1, 1 <= |B| < |D|, |B| <=
/// maximum_batch_size and 1 <= allocations <= batches_per_epoch <= 10^12, all finite.
void validate(const Mechanism& mechanism);

/// Throws UnsupportedMechanism, naming both, where no theorem covers this sampler and adjacency.
/// Epoch samplers have theorems under zero-out alone (chua2025).
void require_theorem(const Mechanism& mechanism, Adjacency adjacency);

}  // namespace assay
