#pragma once
#include <span>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

// Variances of the gradient of a minibatch of size B drawn from a (birrell2024 Appendix F), from
// their definitions: Var Z = sum_{i,j} a_i a_j E[J_i J_j] / B^2 - mean(a)^2.

/// Poisson sampling at rate q = B/D, (143).
[[nodiscard]] Interval variance_poisson(std::span<const double> a, long B, long bits);
/// B draws with replacement.
[[nodiscard]] Interval variance_with_replacement(std::span<const double> a, long B, long bits);
/// A uniform subset of size B, (144).
[[nodiscard]] Interval variance_without_replacement(std::span<const double> a, long B, long bits);

}  // namespace assay::verify
