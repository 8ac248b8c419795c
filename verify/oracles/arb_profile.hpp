#pragma once
#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// log(1 + E[(W^alpha + W^(1-alpha) - W - 1) 1{W > 1}]) / (alpha-1), W = 1 - q + q e^{cz - c^2/2},
/// c = 2/sigma, `bits` relatively; 0 <= q < 1.
[[nodiscard]] Interval profile(double alpha, double sigma, double q, long bits);

}  // namespace assay::verify::arb
