#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify::arb {

/// P_T(k) = E (k - S)_+, S a sum of T = 1, 2, 3 independent lognormals Y(z) = e^{w z - w^2/2} of
/// mean 1, w = 1/sigma; off by at most about 2^-goal k. T = 1 is the closed form; then
///   P_T(k) = int phi(z) P_{T-1}(k - Y(z)) dz up to z* = log(k)/w + w/2
/// by Arb's integration. Its nodes are real; off the line a modulus is enough, and on the ray of k
///   |P_T(k)| <= e^{T sigma^2 (arg k)^2 / 2} P_T(|k|), P_T(x) <= x P(Y <= x).
/// So are left out: below -b and above b at most k Phi(-b) each, and beside z*, where k - Y < c, at
/// most c P(Y <= c).
[[nodiscard]] Interval lognormal_shortfall(long T, const Interval& k, double sigma, long goal);

/// balls_and_bins.delta_remove, balls_and_bins.delta_add for T = 1, 2, 3.
[[nodiscard]] std::vector<Oracle> lognormal_sum_oracles();

}  // namespace assay::verify::arb
