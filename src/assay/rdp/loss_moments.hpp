#pragma once
#include <optional>

#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// Moments of the privacy loss L = log(P/Q) under the tilted law dP_t = e^{tL - K} dP.
struct LossMoments {
    real log_mgf = 0.0L;         // K = log E_P[e^{tL}], a lower bound
    real mean = 0.0L;            // E_t L
    real variance = 0.0L;        // central
    real fourth = 0.0L;          // central, upper bound
    real mean_error = 0.0L;      // |mean - exact| at most
    real variance_error = 0.0L;  // relative
};

/// By one trapezoid sum each (docs/error_bounds.md#loss-moments); nullopt where the pair's shifts
/// ask for more than 3,000 nodes.  Domain: tilt >= 0.  Cost: about 100-300 nodes.
[[nodiscard]] std::optional<LossMoments> tilted_loss_moments(const LikelihoodRatio& pair,
                                                             real tilt);

}  // namespace assay
