#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// E[(1-q + q X)^alpha], X = e^{cz - c^2/2}, by the binomial theorem:
///   sum_k C(alpha,k) (1-q)^{alpha-k} q^k e^{k(k-1)c^2/2}, as E[X^k] = e^{k(k-1)c^2/2}.
/// 0 <= q < 1. Throws Unaffordable when alpha is too large for the precision of q.
[[nodiscard]] Interval binomial_moment(long alpha, const Interval& q, const Interval& c_squared);

/// One-mixture Renyi divergences at integer orders.
[[nodiscard]] std::vector<Oracle> integer_order_binomial_oracles();

}  // namespace assay::verify
