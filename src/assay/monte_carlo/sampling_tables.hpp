#pragma once
#include "assay/numeric/tail_table.hpp"

namespace assay {

/// e^{x/s^2 - 1/(2s^2)}, x = s z, as a function of the signed tail P(Z > z): the summand of the
/// likelihood ratio of balls-and-bins.
///   Domain     noise multiplier s >= 0.04        Direction  relative error below 2^-28
///   Source     derivatives by D = -(1/phi) d/dz (docs/error_bounds.md#sampling-tables)
[[nodiscard]] TailTable lognormal_table(double noise_multiplier, int octaves);

/// The quantile of the gamma distribution with this shape and unit rate, as a function of the
/// signed tail: the sum of `shape` standard exponentials. Relative error below 2^-32.
///   Domain     1 <= shape <= 1.1e10
[[nodiscard]] TailTable gamma_table(double shape, int octaves);

}  // namespace assay
