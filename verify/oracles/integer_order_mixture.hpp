#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

// Sampling with replacement at integer orders, birrell2024 (17) = (115)-(118):
//   F = E[V^alpha] = sum over n_1..n_alpha of a_{n_1}..a_{n_alpha} e^{c^2 sum_{i<j} n_i n_j}.

/// log F / (alpha-1) by (17), one term for each multiset {n_1..n_alpha}.
[[nodiscard]] Interval mixture_by_multisets(const Point& point, long bits);

/// The same in polynomial time: 2 sum_{i<j} n_i n_j = S^2 - sum n_i^2 with S = sum n_i, so
///   F = sum_S e^{c^2 S^2/2} [x^S] (sum_n a_n e^{-c^2 n^2/2} x^n)^alpha.
/// The n and S that do not matter are bounded, not computed.
[[nodiscard]] Interval mixture_by_power(const Point& point, long bits);

/// exact.fixed_size_with_replacement and birrell2024.thm_3_7 by both.
[[nodiscard]] std::vector<Oracle> integer_order_mixture_oracles();

}  // namespace assay::verify
