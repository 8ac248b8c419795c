#pragma once
#include "assay/rdp/divergence_quadrature.hpp"

namespace assay {

/// F - 1 for u = side (1, 0), v = side (1/2, sqrt(3)/2): E[Q f(P/Q - 1)] over z ~ N(0, I_2) with
/// P = 1-q + q e^{<u,z> - |u|^2/2}, Q the same with v, f(x) = (1+x)^a - 1 - a x.
/// Trapezoid rule in both coordinates (docs/error_bounds.md#planar); certified = false when it
/// would need more than 4e6 nodes.
[[nodiscard]] ExcessMoment equilateral_excess_moment(real order, real q, real side);

}  // namespace assay
