#pragma once
#include <span>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// Mean and variance of Z = (1/B) sum of the gradients in a batch (birrell2024 Section 4.1), over
/// all batches that there are, each with its probability: integers over one denominator, 512
/// bits: nothing is rounded before the last division unless the gradients differ by a factor above
/// 2^100. At most 8 gradients.
struct BatchMean {
    Interval mean;
    Interval variance;
};

/// Poisson sampling with q = B/n: 2^n batches.
[[nodiscard]] BatchMean enumerated_poisson(std::span<const double> a, long B);
/// A uniform subset: C(n, B) batches.
[[nodiscard]] BatchMean enumerated_subsets(std::span<const double> a, long B);
/// B draws with replacement: C(n + B - 1, B) batches as counts, with multinomial weights.
[[nodiscard]] BatchMean enumerated_draws(std::span<const double> a, long B);

}  // namespace assay::verify
