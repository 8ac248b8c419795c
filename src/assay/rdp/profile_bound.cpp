#include "assay/rdp/profile_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/gauss_panels.hpp"
#include "assay/rdp/collinear_pair.hpp"

namespace assay {

namespace {

constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;

/// g = (W^a + W^{1-a} - W - 1) phi = 4 W^{1/2} sinh(aL/2) sinh((a-1)L/2) phi, L = log W,
/// in the variable y = z - c/2 >= 0, where L >= 0.
class ProfileIntegrand final : public PanelIntegrand {
public:
    ProfileIntegrand(real order, real q, real shift)
        : order_(order), beta_(order - 1.0L), q_(q), log_q_(std::log(q)), shift_(shift) {}

    [[nodiscard]] real log_w(real y) const {
        const real exponent = shift_ * y;  // c z - c^2/2
        const real scaled = log_q_ + exponent;
        return scaled > 1.0L ? scaled + std::log1p((1.0L - q_) / q_ * std::exp(-exponent))
                             : std::log1p(q_ * std::expm1(exponent));
    }

    [[nodiscard]] Value at(real y) const override {
        const real loss = log_w(y);
        const real z = y + 0.5L * shift_;
        Value result;
        result.value = half_sinh(order_ * loss) * half_sinh(beta_ * loss) * 4.0L *
                       ScaledReal::exp_of(0.5L * loss - 0.5L * z * z - log_root_two_pi);
        // L = log(1 + q(e^s - 1)): absolute error O(u)(s + |log q|) where L > 1, relative below;
        // then sinh carries (1 + |t|) times the relative one.
        const real size = unit_roundoff * (16.0L + 4.0L * shift_ * y + 4.0L * std::fabs(log_q_));
        const real relative = loss > 1.0L ? size / loss : size;
        result.relative_error = (4.0L + 2.0L * order_ * loss) * relative +
                                unit_roundoff * (4.0L * z * z + 4.0L * loss + 64.0L);
        return result;
    }

    [[nodiscard]] real log_bound(real left, real right, real height) const override {
        const real angle = shift_ * height;
        if (angle > 3.0L) return std::numeric_limits<real>::infinity();
        const real cosine = std::cos(0.5L * angle);
        const real loss_left = log_w(left);
        const real loss_right = log_w(right);
        const real scaled = log_q_ + shift_ * right;
        const real posterior = std::min(1.0L, std::exp(scaled - loss_right) * 1.001L);
        // |log W(x + is)| <= |log W(x)| + c s p(x) / cos(c s / 2), p = q X / W increasing.
        const real size =
            std::max(std::fabs(loss_left), std::fabs(loss_right)) + angle * posterior / cosine;
        // |sinh w| <= |w| e^{|Re w|}: |g| <= a (a-1) |L|^2 max(W^a, W^{1-a} cos^{1-a}) |phi|.
        const real chord = (loss_right - loss_left) / (right - left);
        const auto gaussian_peak = [&](real slope) {  // max of slope (y-left) - (y + c/2)^2/2
            const real y = std::clamp(slope - 0.5L * shift_, left, right);
            const real z = y + 0.5L * shift_;
            return slope * (y - left) - 0.5L * z * z;
        };
        real peak = order_ * loss_left + gaussian_peak(order_ * chord);
        if (loss_left < 0.0L || height > 0.0L)
            peak = std::max(peak, beta_ * (std::max(0.0L, -loss_left) - std::log(cosine)) +
                                      gaussian_peak(0.0L));
        return std::log(order_ * beta_) + 2.0L * std::log(size) + peak + 0.5L * height * height -
               log_root_two_pi + 0.01L;
    }

private:
    /// sinh(t/2) for t >= 0.
    static ScaledReal half_sinh(real t) {
        return t < 1000.0L ? ScaledReal(std::sinh(0.5L * t)) : ScaledReal::exp_of(0.5L * t) * 0.5L;
    }

    real order_;
    real beta_;
    real q_;
    real log_q_;
    real shift_;
};

}  // namespace

Enclosure profile_bound_rdp(double order, double noise_multiplier, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "1 < alpha < inf");
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "a positive finite noise multiplier");
    require(q >= 0.0 && q <= 1.0, "q", q, "0 <= q <= 1");
    if (q == 0.0) return exactly(0.0);
    const real shift = 2.0L / static_cast<real>(noise_multiplier);
    const ProfileIntegrand integrand(order, q, shift);
    real log_scale = -std::numeric_limits<real>::infinity();
    // With F = E[W^a]: F - 2 <= 1 + h <= F + 1, all the same to a double where F is large.
    const auto closed = CollinearPair(q, shift, 0.0L).ruled_by_largest_shift(order);
    if (closed && (order - 1.0) * closed->lower > 60.0)
        return {widen_down(closed->lower, 1), widen_up(closed->upper, 1)};
    // Neither that nor exponents, up to order^2 shift^2 / 2, that keep their digits.
    const real far = static_cast<real>(order) * shift - 0.5L * shift;
    if (!(far * far < 0x1p54L && order < 0x1p54))
        return {0.0, std::numeric_limits<double>::infinity()};
    for (const real y : {0.1L, 0.5L, 1.0L, 1.5L, 2.5L, 4.0L, 6.0L, far - 1.0L, far, far + 1.0L,
                         0.5L / shift, 1.0L / shift})
        if (y > 0.0L)
            log_scale =
                std::max(log_scale, integrand.at(y).value.log() + std::log(std::min(1.0L, y)));
    // Beyond `end` the bound W^a phi falls at least like a normal density 14 deviations out,
    // measured from the peak at a c; the remainder is bounded by g*(end)/(end - peak).
    const real reach = std::sqrt(2.0L * (50.0L + std::max(0.0L, -log_scale))) + 1.0L;
    const real end = std::max(far, 0.0L) + reach;
    PanelIntegral integral = integrate_panels(integrand, 0.0L, end, log_scale);
    if (!integral.certified) return {0.0, std::numeric_limits<double>::infinity()};
    const real z = end + 0.5L * shift;
    integral.omitted +=
        ScaledReal::exp_of(static_cast<real>(order) * integrand.log_w(end) - 0.5L * z * z) * 1.001L;
    const ScaledReal upper = integral.value + integral.error + integral.omitted;
    const ScaledReal lower =
        integral.error < integral.value ? difference(integral.value, integral.error) : ScaledReal();
    const real beta = static_cast<real>(order) - 1.0L;
    const real slack = 16.0L * unit_roundoff;
    return enclose_between(lower.log1p() / beta * (1.0L - slack),
                           upper.log1p() / beta * (1.0L + slack));
}

}  // namespace assay
