#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// q~ = (1 + a_0 / sum_{n=1}^K a_n)^{-1}: birrell2024 (113) with equality.
[[nodiscard]] Interval smallest_q_tilde(const std::vector<Interval>& weights, long K);

/// birrell2024.q_tilde, thm_3_6, thm_3_6_capped, thm_3_6_exact_h (integer orders) and eq_120.
[[nodiscard]] std::vector<Oracle> published_with_replacement_oracles();

}  // namespace assay::verify
