#include "assay/rdp/analytic_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

/// {value, absolute error} of delta at epsilon.
struct Delta {
    real value;
    real error;
};

Delta delta_at(real shift, real epsilon) {
    const real ratio = epsilon / shift;
    const real first = normal_tail(ratio - 0.5L * shift);
    // e^epsilon Phi(-c/2 - epsilon/c) as one exponential: the product neither over- nor underflows.
    const real second = std::exp(epsilon + log_normal_tail(ratio + 0.5L * shift));
    const real size = 1.0L + epsilon + shift * shift + ratio * ratio;
    const real error = (64.0L * unit_roundoff * size + 0x1p-58L) * (first + second);
    return {std::max(0.0L, first - second), error};
}

}  // namespace

Enclosure gaussian_delta(real shift_square, double epsilon) {
    require(shift_square >= 0.0L && std::isfinite(shift_square), "shift_square",
            static_cast<double>(shift_square), "a finite number >= 0");
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
    if (shift_square == 0.0L) return exactly(0.0);
    const Delta delta = delta_at(std::sqrt(shift_square), epsilon);
    const Enclosure result = enclose(delta.value, delta.error);
    // However small, it is not 0.
    return {std::clamp(result.lower, 0.0, 1.0),
            std::clamp(result.upper, std::numeric_limits<double>::denorm_min(), 1.0)};
}

Enclosure gaussian_epsilon(real shift_square, double delta) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    require(shift_square >= 0.0L && std::isfinite(shift_square), "shift_square",
            static_cast<double>(shift_square), "a finite number >= 0");
    if (shift_square == 0.0L) return exactly(0.0);
    const real shift = std::sqrt(shift_square);
    const auto certainly_above = [&](real epsilon) {  // delta(epsilon) > delta
        const Delta d = delta_at(shift, epsilon);
        return d.value - d.error > static_cast<real>(delta);
    };
    const auto certainly_below = [&](real epsilon) {
        const Delta d = delta_at(shift, epsilon);
        return d.value + d.error <= static_cast<real>(delta);
    };
    const real far = 0.5L * shift_square + shift * std::sqrt(-2.0L * std::log(delta * 1.0L)) + 1.0L;
    real low = 0.0L;
    real high = far;
    if (!certainly_below(far)) return {0.0, std::numeric_limits<double>::infinity()};
    if (certainly_below(0.0L)) return exactly(0.0);
    real certain_high = far;
    for (int i = 0; i < 80;
         ++i) {  // low: certainly too small, or 0; certain_high: certainly enough
        const real middle = 0.5L * (low + high);
        if (certainly_above(middle)) {
            low = middle;
        } else {
            high = middle;
            if (certainly_below(middle)) certain_high = std::min(certain_high, middle);
        }
    }
    return enclose_between(low, std::max(low, certain_high));
}

}  // namespace assay
