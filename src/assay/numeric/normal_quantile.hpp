#pragma once
#include "assay/numeric/directed.hpp"

namespace assay {

/// log P(Z <= z) for a standard normal Z; relative error at most (3 z^2 + 100) u on both sides of 0
/// (P(Z > z) itself is formed where it is the small one).
[[nodiscard]] real log_normal_cdf(real z);

/// The z with P(Z > z) = tail, from the small side, so that tails far below 2^-64 keep their
/// digits.
///   Domain     0 < tail < 1             Direction  estimate, relative error about 2^-60
///   Throws     DomainError
[[nodiscard]] real normal_upper_quantile(real tail);

}  // namespace assay
