#pragma once
#include <span>

namespace assay {

/// sums[j] += weight * (e^t - 1 - t), t = rates[j] * loss, for all j: the inner loop of a curve.
///   Domain     -700 <= rates[j] * loss <= 700, weight >= 0
///   Error      each increment relative (3|t| + 64) 2^-53 (docs/error_bounds.md#curve)
///   Cost       about 30 flops a rate, vectorised; AVX2 is dispatched at run time and gives the
///              same bits (no contraction, no reassociation)
void add_expm1_minus(std::span<const double> rates, double loss, double weight,
                     std::span<double> sums);

}  // namespace assay
