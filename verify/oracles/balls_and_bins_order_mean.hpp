#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// Mean of the k-th largest of R standard normals,
///   R!/((R-k)! (k-1)!) int z Phi(z)^{R-k} Phi(-z)^{k-1} phi(z) dz,
/// an entire integrand: Arb's integration between -b and b; beyond, |z| phi(z) is integrated.
[[nodiscard]] Interval mean_of_normal_order(long R, long k, long bits);

/// order_statistics.mean_normal for R up to 200.
[[nodiscard]] std::vector<Oracle> balls_and_bins_order_oracles();

}  // namespace assay::verify
