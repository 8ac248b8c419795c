#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// How the examples of a step are chosen.
enum class SamplingScheme {
    deterministic,                   // in the order of the data, cut into batches
    shuffle,                         // in a random order, drawn anew every epoch
    poisson,                         // every example by itself, with probability b/n
    fixed_size_without_replacement,  // a uniform subset
    fixed_size_with_replacement,     // independent uniform examples
    balls_and_bins,                  // every example in one of the batches of the epoch
};

/// What decides every batch of a training run.
struct BatchSampling {
    SamplingScheme scheme;
    std::int64_t dataset_size;
    std::int64_t batch_size;  // expected, for Poisson and balls-and-bins
    std::optional<std::int64_t> maximum_batch_size = std::nullopt;
    std::uint64_t seed = 0;
};

/// deterministic, shuffle, poisson, fixed-size-without-replacement, fixed-size-with-replacement,
/// balls-and-bins.
[[nodiscard]] std::string_view to_string(SamplingScheme scheme);

/// The inverse of to_string.
///   Throws     DomainError (sampling)
[[nodiscard]] SamplingScheme sampling_scheme_from_string(std::string_view name);

/// Throws DomainError unless 1 <= batch_size <= dataset_size <= 2^32 - 1 and batch_size <=
/// maximum_batch_size, where there is one, <= 2^32 - 1 (parameters dataset-size, batch-size,
/// maximum-batch-size).
void validate(const BatchSampling& sampling);

/// The smallest number of batches of at most batch_size examples that hold the data once,
/// ceil(n/b): the batches of an epoch, under every scheme.
///   Throws     as validate
[[nodiscard]] std::int64_t batches_per_epoch(const BatchSampling& sampling);

}  // namespace assay
