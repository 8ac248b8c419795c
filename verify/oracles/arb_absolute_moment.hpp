#pragma once
#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// log E|X - 1|^j, X = e^{cz - c^2/2}, c = 2/sigma, z ~ N(0,1), `bits` relatively; j >= 1.
[[nodiscard]] Interval log_absolute_moment(double sigma, long j, long bits);

}  // namespace assay::verify::arb
