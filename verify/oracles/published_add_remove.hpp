#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/oracles/published_moments.hpp"

namespace assay::verify {

/// Which orders of the moments can matter for a Taylor bound with m terms whose remainder goes up
/// to order n: those whose share C(n,k) q^k M_k e^{extra} is above 2^-p of the second-order term,
/// or of the largest share. An estimate: the bounds are enclosed whatever it says, only wider.
/// `slack` covers what the shares leave out.
[[nodiscard]] std::vector<bool> orders_that_matter(double alpha, long m, double q,
                                                   const Interval& c_squared, long n, double extra,
                                                   double slack);

/// The largest order that the bound (50), (54) with m terms uses.
[[nodiscard]] long largest_order(double alpha, long m);

/// |alpha (alpha-1) .. (alpha-k+1)|.
[[nodiscard]] Interval absolute_falling_factorial(double alpha, long k, long p);

/// sum_{l=0}^{n} q^l n! m! / ((n-l)! (m+l)!) B~_{m+l}.
[[nodiscard]] Interval remainder_sum(long n, long m, const Interval& q, const Moments& moments);

/// The bound on the Taylor remainder of H, birrell2024 (50) and (54).
[[nodiscard]] Interval remainder_bound(double alpha, long m, const Interval& q,
                                       const Moments& moments);

/// sum_{k=2}^{m-1} C(alpha,k) q^k M_k + remainder_bound: H <= 1 + this.
[[nodiscard]] Interval taylor_bound_excess(double alpha, long m, const Interval& q,
                                           const Moments& moments);

/// birrell2024.thm_3_3 and log_R_bound.
[[nodiscard]] std::vector<Oracle> published_add_remove_oracles();

}  // namespace assay::verify
