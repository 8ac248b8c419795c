#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

/// The examples of one step, numbered from 0, in no particular order. An example that was drawn k
/// times (with replacement) stands k times. `padding` counts the examples of weight zero that fill
/// the batch up to its maximum size.
struct Batch {
    std::vector<std::uint32_t> indices;
    std::int64_t padding = 0;
};

/// Cuts a batch above `maximum_batch_size` to a uniform subset of that size, and sets the padding
/// of a smaller one; without a maximum nothing is cut and the padding is 0.
///   Maths      chua2025 Appendix C; what cutting costs is truncation_delta
///   Direction  exact distribution: each example that goes is uniform on those that are left
///   Cost       O(1) an example that goes; random stream (seed, batch_truncation, step)
///   Throws     nothing
void fit_to_maximum(Batch& batch, std::optional<std::int64_t> maximum_batch_size,
                    std::uint64_t seed, std::int64_t step);

}  // namespace assay
