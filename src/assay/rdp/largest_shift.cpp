#include "assay/rdp/largest_shift.hpp"

#include <cmath>

namespace assay {

std::optional<Enclosure> largest_shift_rdp(const LargestShift& rule) {
    const real a = rule.order;
    const real beta = a - 1.0L;
    const real factor = a / beta;
    const real peak = 0.5L * a * rule.shift * rule.shift;
    const real weight = factor * rule.log_weight;
    const real value = peak + weight + rule.added;
    const real above = 1.001L * factor * rule.others;
    const real below = 1.001L * rule.lost;
    // Written so that NaN and infinite parts are refused as well.
    if (!(value > 0.0L && std::isfinite(value) && above + below <= 1e-13L * value))
        return std::nullopt;
    const real rounding = 64.0L * unit_roundoff * (peak - weight + rule.added);
    return enclose_between(value - below - rounding, value + above + rounding);
}

}  // namespace assay
