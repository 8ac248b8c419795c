#pragma once
#include <functional>
#include <optional>

#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// u = (length, 0), v = (along, across), length > 0, across > 0: every pair not on one line,
/// turned.
struct Triangle {
    Interval length;
    Interval along;
    Interval across;
};
using TriangleAt = std::function<Triangle(long bits)>;

/// log F, F = E[P^order Q^{1-order}] of the pair q N_u + (1-q) N_0, q N_v + (1-q) N_0 in the plane,
/// F enclosed about 2^-bits wide relatively; nothing when too costly.
[[nodiscard]] std::optional<Interval> log_moment(double order, double q, const TriangleAt& triangle,
                                                 long bits);

}  // namespace assay::verify::trapezoid
