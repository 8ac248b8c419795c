#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// The sum of (clipped) gradients over a batch, and what was seen on the way.
template <class Real>
struct GradientSum {
    std::vector<Real> sum;      // as Model::parameters()
    double loss = 0.0;          // sum over the examples; +inf when one's is not finite
    std::int64_t examples = 0;  // of the batch
    std::int64_t correct = 0;   // whose label has the largest logit
    std::int64_t clipped = 0;   // whose norm was above the clip norm
    std::int64_t refused = 0;   // left out, because norm (or loss) is not finite
    double largest_norm = 0.0;  // of those that were not refused; 0 without clipping
    // Of the buffers as they are when most of them are there: activations, gradients, the sum; not
    // of what each thread has of its own.
    std::size_t live_bytes = 0;
};

}  // namespace assay
