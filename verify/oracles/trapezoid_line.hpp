#pragma once
#include <functional>
#include <optional>

#include "verify/oracles/trapezoid_mixture.hpp"

namespace assay::verify::trapezoid {

/// A density relative to the normal one, at the precision asked for.
using Density = std::function<ShiftMixture(long bits)>;

/// F = E[P^order Q^{1-order}], z ~ N(0,1).
struct LineMoment {
    double order;
    Density p;
    Density q;
};

/// log F, F enclosed about 2^-bits wide relatively; nothing when that would take too many nodes.
[[nodiscard]] std::optional<Interval> log_moment(const LineMoment& moment, long bits);

}  // namespace assay::verify::trapezoid
