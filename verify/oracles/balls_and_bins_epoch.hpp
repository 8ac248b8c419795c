#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// P_T(k) = E (k - S)_+, S a sum of T = 1, 2, 3 independent lognormals of mean 1: the first summand
/// is integrated out, P_T(k) = int_0^k f(u) P_{T-1}(k - u) du. About `goal` bits of k are right.
[[nodiscard]] Interval sum_shortfall(long T, const Interval& k, const Interval& sigma, long goal);

/// P(k) = E (k - W_1 W_2)_+ of two steps W = 1-q + q X, or of one; 0 < q < 1, k > (1-q)^2.
[[nodiscard]] Interval poisson_shortfall(long T, const Interval& k, const Interval& q,
                                         const Interval& sigma, long goal);

/// Hockey-stick divergences of few steps:
///   balls_and_bins.delta_remove, balls_and_bins.delta_add (T = 1, 2, 3), from
///     E (W - e^eps)_+ = P_T(K)/T + 1 - e^eps with K = T e^eps, and
///     E (1 - e^eps W)_+ = P_T(K)/K with K = T e^-eps, W = S/T;
///   poisson.delta_remove (T = 1, 2), from E (V - e^eps)_+ = P(e^eps) + 1 - e^eps.
[[nodiscard]] std::vector<Oracle> balls_and_bins_epoch_oracles();

}  // namespace assay::verify
