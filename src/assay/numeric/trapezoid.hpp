#pragma once
#include "assay/numeric/directed.hpp"

namespace assay {

/// Step and relative error of the trapezoid rule on the real line, for g analytic in a strip with
///   integral |g(x + iy)| dx <= N e^(y^2/2) cos(sector y / 2)^(-power)   for |y| < strip.
struct TrapezoidRule {
    real step = 0.0L;
    real relative_error = 0.0L;  // |h sum g(kh) - integral g| <= relative_error * N

    /// The largest step (rounded down to 10 significant bits, so that k*step is exact for
    /// |k| < 2^54) whose error is at most e^-digits; digits > 0 in nats.
    [[nodiscard]] static TrapezoidRule for_accuracy(real digits, real strip, real sector,
                                                    real power);
};

}  // namespace assay
