#pragma once
#include <cmath>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

/// c = 2/sigma, the shift between two clipped gradients at opposite poles; checks all parameters.
inline real fixed_size_shift(double order, double noise_multiplier, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "1 < alpha < inf");
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "a positive finite noise multiplier");
    require(q >= 0.0 && q <= 1.0, "q", q, "0 <= q <= 1");
    return 2.0L / static_cast<real>(noise_multiplier);
}

}  // namespace assay
