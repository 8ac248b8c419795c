#pragma once
#include <functional>

#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// A real number, enclosed at the precision asked for.
using Length = std::function<Interval(long bits)>;

/// D_order(q N_a + (1-q) N_0 || q N_b + (1-q) N_0) on a line, unit noise.
[[nodiscard]] Interval collinear_rdp(double order, double q, const Length& a, const Length& b,
                                     long bits);

/// About F - 1 = E[P^order Q^{1-order}] - 1, where small: the spread E(P-Q)^2 of the shifted parts
/// for |u|^2, |v|^2, <u,v>. A guess.
[[nodiscard]] double rough_excess(double order, double q, double uu, double vv, double uv);

}  // namespace assay::verify::trapezoid
