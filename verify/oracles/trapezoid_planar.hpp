#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// D_order(q N_u + (1-q) N_0 || q N_v + (1-q) N_0) in the plane, noise N(0, I).
[[nodiscard]] Interval planar_replace_one_rdp(double order, double q, double u1, double u2,
                                              double v1, double v2, long bits);

/// u = c(1,0), v = c(1/2, sqrt(3)/2), c = 2/sigma; attainable: both times sqrt(3)/2.
[[nodiscard]] Interval equilateral_rdp(double order, double sigma, double q, bool attainable,
                                       long bits);

}  // namespace assay::verify
