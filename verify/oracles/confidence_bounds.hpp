#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify {

// Confidence bounds of the mean p of independent x_1, .., x_m in [0, 1] from their mean q, as they
// are written. `level` is log(1/beta)/m; q and the level are enclosed.

/// KL(q || p) = q log(q/p) + (1-q) log((1-q)/(1-p)), 0 < p < 1.
[[nodiscard]] Interval bernoulli_divergence(const Interval& q, const Interval& p);

/// The smallest p >= q with KL(q || p) >= level, and the largest p <= q; 0 where there is none.
[[nodiscard]] Interval kl_upper_mean(const Interval& q, const Interval& level);
[[nodiscard]] Interval kl_lower_mean(const Interval& q, const Interval& level);

/// With E x^2 <= v: the smallest p >= q with KL(qp/v || p^2/v) >= level where p > v, KL(q || p)
/// where p <= v; at most sqrt(v).
[[nodiscard]] Interval bennett_upper_mean(const Interval& q, const Interval& v,
                                          const Interval& level);
/// q - t with v ((1 + t/v) log(1 + t/v) - t/v) = level; 0 where that is negative.
[[nodiscard]] Interval bennett_lower_mean(const Interval& q, const Interval& v,
                                          const Interval& level);

/// q + sqrt(2 V log(2/beta) / m) + 7 log(2/beta) / (3 (m-1)), at most 1.
[[nodiscard]] Interval bernstein_upper_mean(const Interval& q, const Interval& variance, double m,
                                            double beta);

}  // namespace assay::verify
