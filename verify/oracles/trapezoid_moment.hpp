#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// log E|X_c - 1|^j, X_c = e^{cz - c^2/2}, c = 2/sigma, odd j >= 1 (birrell2024 (45)).
[[nodiscard]] Interval log_absolute_moment(double sigma, long j, long bits);

}  // namespace assay::verify::trapezoid
