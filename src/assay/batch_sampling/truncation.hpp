#pragma once
#include <cstdint>

#include "assay/numeric/bound.hpp"

namespace assay {

namespace cite {

inline constexpr Theorem chua2024_truncation{"chua2024b Proposition 3.2 and Theorem 3.3",
                                             Standing::published};

}  // namespace cite

/// P(X > threshold) for X ~ Bin(dataset_size, p), p = b/n as a fraction or as the nearest double.
///   Maths      P(X = k+1) (1 + r_1 + r_1 r_2 + ..), r_j the falling ratios of neighbours
///   Domain     1 <= b <= n < 2^32          Units  natural logarithm; -inf where it is impossible
///   Direction  upper; loose by about (k+1) 2^-53 and, where the threshold is below b, 1 is taken
///   Cost       O(sqrt(b)) terms          Errors  docs/error_bounds.md#truncated-batches
///   Throws     DomainError (dataset-size, batch-size, threshold)
[[nodiscard]] Bound log_binomial_tail(std::int64_t dataset_size, std::int64_t batch_size,
                                      std::int64_t threshold);

/// What batches cut at maximum_batch_size add to delta, under Poisson and balls-and-bins sampling.
///   Maths      delta' = (1 + e^epsilon) T P(Bin(n, b/n) > B)   (chua2025 Appendix C)
///   Domain     1 <= b <= n < 2^32, steps T >= 1, epsilon >= 0, B >= 1
///   Direction  upper: log_binomial_tail, rounded up; may exceed 1, +inf (vacuous) on overflow
///   Cost       O(sqrt(b)) terms          Errors  docs/error_bounds.md#truncated-batches
///   Throws     DomainError (dataset-size, batch-size, steps, epsilon, maximum-batch-size)
[[nodiscard]] Bound truncation_delta(std::int64_t dataset_size, std::int64_t batch_size,
                                     std::int64_t steps, double epsilon,
                                     std::int64_t maximum_batch_size);

/// The smallest B >= b whose truncation_delta is at most `delta`.
///   Domain     as truncation_delta, and 0 < delta < 1
///   Direction  B is enough: its delta' is certified; delta' of B-1 is above delta up to rounding
///   Cost       log2(n) tails
///   Throws     DomainError (also delta)
[[nodiscard]] std::int64_t smallest_maximum_batch_size(std::int64_t dataset_size,
                                                       std::int64_t batch_size, std::int64_t steps,
                                                       double epsilon, double delta);

}  // namespace assay
