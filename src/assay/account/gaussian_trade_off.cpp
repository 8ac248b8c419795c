#include "assay/account/gaussian_trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();
/// Of a tail, at quantiles up to 150: (2 z^2 + 40) 2^-64 is less.
constexpr real tail_error = 0x1p-48L;

/// Numbers on both sides of the z with P(Z > z) = tail <= 1/2, each checked by the tail itself.
GaussianShift checked_quantile(real tail) {
    const real z = normal_upper_quantile(tail);
    real width = 0x1p-50L * std::max(1.0L, std::fabs(z));
    for (;; width *= 2.0L) {
        const bool is_below = normal_tail(z - width) * (1.0L - tail_error) >= tail;
        const bool is_above = normal_tail(z + width) * (1.0L + tail_error) <= tail;
        if (is_below && is_above) return {z - width, z + width};
        if (width > 1e3L) return {-infinity, infinity};
    }
}

/// The same of any chance of exceeding z.
GaussianShift quantile(const Chance& chance) {
    if (!(chance.is > 0.0L)) return {infinity, infinity};
    if (!(chance.is_not > 0.0L)) return {-infinity, -infinity};
    if (chance.is <= 0.5L) return checked_quantile(chance.is);
    const GaussianShift mirrored = checked_quantile(std::min(chance.is_not, 0.5L));
    return {-mirrored.upper, -mirrored.lower};
}

Chance chance(double rate) {
    return {static_cast<real>(rate), 1.0L - static_cast<real>(rate)};
}

/// P(Z > z), z within the ends.
Enclosure tail_between(real low, real high) {
    const real upper = std::isinf(low) ? (low > 0.0L ? 0.0L : 1.0L) : normal_tail(low);
    const real lower = std::isinf(high) ? (high > 0.0L ? 0.0L : 1.0L) : normal_tail(high);
    // A tail that underflows is not nothing.
    const double least = std::isinf(low) ? 0.0 : std::numeric_limits<double>::denorm_min();
    return {std::clamp(round_down(lower * (1.0L - tail_error)), 0.0, 1.0),
            std::clamp(round_up(upper * (1.0L + tail_error)), least, 1.0)};
}

}  // namespace

Enclosure gaussian_true_positive_rate(const GaussianShift& shift, double fpr) {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    if (fpr == 0.0 || fpr == 1.0) return exactly(fpr);
    const GaussianShift z = quantile(chance(fpr));
    Enclosure rate = tail_between(z.lower - shift.upper, z.upper - shift.lower);
    rate.lower = std::max(rate.lower, fpr);
    rate.upper = std::max(rate.upper, rate.lower);
    return rate;
}

Enclosure gaussian_type_two_error(const GaussianShift& shift, double fpr) {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    if (fpr == 0.0 || fpr == 1.0) return exactly(1.0 - fpr);
    const GaussianShift z = quantile(chance(fpr));
    return tail_between(shift.lower - z.upper, shift.upper - z.lower);
}

real gaussian_shift_below(const Chance& fpr, const Chance& power) {
    return quantile(fpr).lower - quantile(power).upper;
}

real gaussian_shift_above(const Chance& fpr, const Chance& power) {
    return quantile(fpr).upper - quantile(power).lower;
}

}  // namespace assay
