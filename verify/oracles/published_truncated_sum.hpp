#pragma once
#include <span>
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// log F_{T,alpha}(4/sigma^2, 0) / (alpha-1) of birrell2024 (124)-(126), integer alpha >= 2, with
/// T_k = chosen for k > 2 and T_2 = {0..B}.
[[nodiscard]] Interval truncated_lower_bound(long alpha, double sigma, long B, long D,
                                             std::span<const long> chosen, long bits);

/// birrell2024.thm_3_7_truncated where T has one element: a point holds no more.
[[nodiscard]] std::vector<Oracle> published_truncated_sum_oracles();

}  // namespace assay::verify
