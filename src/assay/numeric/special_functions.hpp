#pragma once
#include "assay/numeric/directed.hpp"
#include "assay/numeric/scaled_real.hpp"

namespace assay {

/// e^t - 1 - t >= 0, relative error at most 80u for every t (no cancellation near 0).
[[nodiscard]] real expm1_minus(real t);

/// The same as a scaled number; relative error at most (2|t| + 80) u.
[[nodiscard]] ScaledReal scaled_expm1_minus(real t);

/// (1+x) log(1+x) - x >= 0 for x >= -1, given x and L = log(1+x), of which only L counts where
/// |L| > 1. Relative error at most 40u, plus 4 times the absolute error of L there.
[[nodiscard]] real entropy_excess(real x, real log1p_x);

/// t - log(1+t) >= 0 for t > -1. Relative error at most 64u.
[[nodiscard]] real log1p_deficit(real t);

/// P(Z > z) for a standard normal Z, relative error at most (2 z^2 + 40) u (the rounding of z alone
/// costs z^2 u); and its logarithm.
[[nodiscard]] real normal_tail(real z);
[[nodiscard]] real log_normal_tail(real z);

}  // namespace assay
