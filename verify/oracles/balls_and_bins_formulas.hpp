#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// sup_C P(S_C) - e^eps Q(S_C), S_C = {max_t x_t >= C}, where one coordinate has mean
/// `shift` under P and `shift` - 1 under Q, and T-1 have mean 0; sigma = noise.
///   With C in units of the noise F = 1 - e^eps + e^eps Phi(C - b) Phi(C)^{T-1} - Phi(C - a)
///   Phi(C)^{T-1}, a = shift/sigma, b = a - 1/sigma, increases up to the one root of
///     e^eps - (phi_a Phi + (T-1) Phi_a phi) / (phi_b Phi + (T-1) Phi_b phi)
///   and falls to 0 after it: phi_a/phi_b increases, its mean Phi_a/Phi_b below C is smaller and
///   increases, and so does the weight of the former, as phi/Phi is log-concave.
[[nodiscard]] Interval largest_coordinate_supremum(long T, double sigma, double shift, double eps,
                                                   long bits);

/// The smallest p >= q with KL(q || p) >= log(1/beta)/m, by bisection.
[[nodiscard]] Interval smallest_mean(double q, double m, double beta, long bits);

/// log E W^alpha / (alpha-1), over all ways to share alpha among T summands:
///   E W^alpha = T^-alpha sum alpha!/(a_1! .. a_T!) e^{sum a_t (a_t - 1)/(2 sigma^2)}.
[[nodiscard]] Interval shared_moment(long T, double sigma, long alpha, long bits);

/// chua2025.c_eps_*, chua2025.event_probability_*, chua2025.kl_upper_confidence, chua2025.eq_6,
/// chua2025.shuffle_lower, order_statistics.mean_log_uniform.
[[nodiscard]] std::vector<Oracle> balls_and_bins_formula_oracles();
/// exact.balls_and_bins_rdp.
[[nodiscard]] std::vector<Oracle> balls_and_bins_sum_oracles();

}  // namespace assay::verify
