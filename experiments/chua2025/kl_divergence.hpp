#pragma once
#include <cstdint>

#include "assay/privacy/mechanism.hpp"

namespace assay::experiments::chua2025 {

/// A lower bound of KL(P || Q) of the dominating pair of one balls-and-bins epoch.
///   Maths      KL = int_0^inf (delta_remove(e) + e^-e delta_add(e)) de: with g = e^e, an integral
///              of E_g(P||Q) dg/g + E_g(Q||P) dg/g^2 over g >= 1. Both E are convex in g, so that
///              on every cell the mean is at least the value at the mean g (Jensen)
///   Direction  lower: certified lower sides, lowered by 1e-12 for rounding; epsilons beyond the
///              range of the brackets are left out
///   Cost       `cells` evaluations of two brackets of relative gap `gap`
[[nodiscard]] double balls_and_bins_kl_lower(const BallsAndBins& mechanism, std::int64_t cells,
                                             double gap);

/// An upper bound of KL(P || Q) of as many Poisson-sampled steps with q = 1/T: T times the Rényi
/// divergence of one step at the order 1 + 1e-7, which is larger.
[[nodiscard]] double poisson_kl_upper(const BallsAndBins& mechanism);

}  // namespace assay::experiments::chua2025
