#pragma once
#include <functional>

#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// Two shifts in the plane, turned so that the second is (length, 0) and the first (along, across).
struct PlanarShifts {
    Real along;
    Real across;
    Real length;
};

/// From coordinates.
[[nodiscard]] PlanarShifts planar_shifts(double u1, double u2, double v1, double v2,
                                         long precision);

/// log E[P^alpha Q^(1-alpha)] / (alpha-1), z ~ N(0, I), P = 1 - q + q e^{<u,z> - |u|^2/2} and Q
/// with v likewise, `bits` relatively; 0 < q < 1, u and v different.
[[nodiscard]] Interval planar_divergence(double alpha, double q,
                                         const std::function<PlanarShifts(long precision)>& shifts,
                                         long bits);

}  // namespace assay::verify::arb
