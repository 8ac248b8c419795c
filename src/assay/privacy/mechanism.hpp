#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "assay/privacy/adjacency.hpp"

namespace assay {

// What was released in one step. These structs compute nothing: factors that depend on the
// adjacency belong to the accountant. In all of them noise_multiplier is the standard deviation of
// the noise on the SUM of clipped gradients divided by the clip norm, whatever the adjacency.

/// Every record takes part: the Gaussian mechanism.
struct Gaussian {
    double noise_multiplier = 0.0;
};

/// Poisson sampling: every record takes part independently with sampling_probability.
struct SampledGaussian {
    double noise_multiplier = 0.0;
    double sampling_probability = 0.0;
};

/// A uniform subset of fixed size, |B| = sampling_probability |D|.
struct FixedSizeGaussian {
    double noise_multiplier = 0.0;
    double sampling_probability = 0.0;
};

/// |B| independent uniform draws from |D| records; |D| is the size of the larger data set.
struct FixedSizeWithReplacementGaussian {
    double noise_multiplier = 0.0;
    std::int64_t batch_size = 0;
    std::int64_t dataset_size = 0;
};

using Mechanism =
    std::variant<Gaussian, SampledGaussian, FixedSizeGaussian, FixedSizeWithReplacementGaussian>;

/// `steps` adaptive repetitions of one mechanism.
struct Phase {
    Mechanism mechanism;
    std::int64_t steps = 1;
};

/// The sampler's name on the command line: none, poisson, fixed-size-without-replacement,
/// fixed-size-with-replacement.
[[nodiscard]] std::string_view sampling_name(const Mechanism& mechanism);

/// One line: sampler, noise multiplier, sampling probability or sizes.
[[nodiscard]] std::string describe(const Mechanism& mechanism);

/// "N x <mechanism>; N x <mechanism>; <adjacency>".
[[nodiscard]] std::string describe(std::span<const Phase> phases, Adjacency adjacency);

/// Throws DomainError unless noise_multiplier > 0, 0 <= q < 1 and 1 <= |B| < |D|, all finite.
void validate(const Mechanism& mechanism);

}  // namespace assay
