#pragma once
#include <functional>
#include <optional>

#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// log F / (order - 1) to `bits`, for F = E[P^order Q^{1-order}] >= 1.
///   log_moment   log F, from an F that is 2^-(working bits) wide; nothing when it costs too much
///   excess       a guess of F - 1, for the first working precision
/// When the precision cannot be afforded: what was reached, at worst [0, inf].
[[nodiscard]] Interval divergence_from(
    const std::function<std::optional<Interval>(long bits)>& log_moment, double order,
    double excess, long bits);

}  // namespace assay::verify::trapezoid
