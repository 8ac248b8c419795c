#include "assay/rdp/absolute_moment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/gauss_panels.hpp"
#include "assay/rdp/taylor_moments.hpp"

namespace assay {

namespace {

constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;

/// (1 - e^{-ct})^j phi(c/2 - t), t = c/2 - z >= 0.
class LowerMomentIntegrand final : public PanelIntegrand {
public:
    LowerMomentIntegrand(real shift, int j) : shift_(shift), power_(static_cast<real>(j)) {}

    [[nodiscard]] Value at(real t) const override {
        const real z = 0.5L * shift_ - t;
        const real log_gap = std::log(-std::expm1(-shift_ * t));
        Value result;
        result.value = ScaledReal::exp_of(power_ * log_gap - 0.5L * z * z - log_root_two_pi);
        result.relative_error =
            unit_roundoff * (power_ * (16.0L + 4.0L * std::fabs(log_gap)) + 4.0L * z * z + 64.0L);
        return result;
    }

    [[nodiscard]] real log_bound(real left, real right, real height) const override {
        // |1 - e^{-ct + i theta}|^2 = (1 - e^{-ct})^2 + 2 e^{-ct} (1 - cos theta), largest for
        // |theta| = min(c height, pi); bounded by its two parts at their own worst ends.
        const real angle = std::min(shift_ * height, 3.14159265358979323847L);
        const real sine = std::sin(0.5L * angle);
        const real gap_right = std::expm1(-shift_ * right);
        const real gap_left = std::expm1(-shift_ * left);
        const real gap_square = std::max(gap_right * gap_right, gap_left * gap_left);
        const real square = gap_square + 4.0L * std::exp(-shift_ * left) * sine * sine;
        const real z = std::clamp(0.0L, 0.5L * shift_ - right, 0.5L * shift_ - left);
        return 0.5L * power_ * std::log(square) - 0.5L * z * z + 0.5L * height * height -
               log_root_two_pi + 0.01L;
    }

private:
    real shift_;
    real power_;
};

/// Beyond this shift every term but the largest is below e^-8000 of it.
constexpr real large_shift = 256.0L;

/// For x >= 0 and j >= 2: x^j - j x^{j-1} <= |x - 1|^j <= x^j + 1; and E|X - 1| = 2 (1 - 2
/// Phi(-c/2)). With E X^j = e^{c^2 j (j-1) / 2} the logarithm is that exponent, or log 2.
Enclosure log_largest_term(real shift, int j) {
    const real power = static_cast<real>(j);
    const real exponent =
        j == 1 ? std::numbers::ln2_v<real> : shift * shift * (0.5L * power * (power - 1.0L));
    const real slack = exponent * (8.0L * unit_roundoff);
    return enclose_between(exponent - slack, exponent + slack);
}

}  // namespace

Enclosure log_absolute_moment(double noise_multiplier, int j) {
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "a positive finite noise multiplier");
    require(j >= 1 && j <= 10001 && j % 2 == 1, "j", j, "an odd integer in 1..10001");
    const real shift = 2.0L / static_cast<real>(noise_multiplier);
    if (shift > large_shift) return log_largest_term(shift, j);
    const LowerMomentIntegrand integrand(shift, j);
    // The integrand's logarithm is concave: climb to its peak.
    real left = 0.0L;
    real right = 0.5L * shift + 2.0L * std::sqrt(static_cast<real>(j)) + 10.0L;
    for (int i = 0; i < 200; ++i) {
        const real a = left + (right - left) / 3.0L;
        const real b = right - (right - left) / 3.0L;
        if (integrand.at(a).value < integrand.at(b).value)
            left = a;
        else
            right = b;
    }
    const real peak = 0.5L * (left + right);
    const real log_scale = integrand.at(peak).value.log() - 2.0L;
    const real end = peak + 15.0L;  // concavity: falls by at least 15^2/2 from the peak
    PanelIntegral integral = integrate_panels(integrand, 0.0L, end, log_scale);
    const TaylorMoments moments(noise_multiplier, j);
    if (!integral.certified) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return {-infinity, infinity};
    }
    // log g is concave: beyond `end` it falls at least at the slope it has there.
    const real slope =
        static_cast<real>(j) * shift / std::expm1(shift * end) - (end - 0.5L * shift);
    if (!(slope < -5.0L)) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return {-infinity, infinity};
    }
    integral.omitted += integrand.at(end).value * 0.201L;
    const ScaledReal& moment = moments.moment(j);
    const ScaledReal error = integral.error * 2.0L + moment * moments.relative_error();
    const ScaledReal value = moment + integral.value * 2.0L;
    const ScaledReal upper = value + error + integral.omitted * 2.0L;
    const ScaledReal lower = error < value ? difference(value, error) : ScaledReal();
    const real low = lower.log();
    const real high = upper.log();
    const real slack = 8.0L * unit_roundoff;
    return enclose_between(low - slack * (1.0L + std::fabs(low)),
                           high + slack * (1.0L + std::fabs(high)));
}

}  // namespace assay
