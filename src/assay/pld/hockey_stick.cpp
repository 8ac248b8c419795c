#include "assay/pld/hockey_stick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/grid_exponential.hpp"

namespace assay {

HockeyStick::HockeyStick(const PrivacyLossPmf& pmf)
    : direction_(pmf.direction),
      step_(pmf.step),
      offset_(pmf.offset),
      first_(pmf.first),
      factor_(0.0),
      loss_error_(pmf.loss_error),
      infinity_mass_(pmf.infinity_mass),
      null_mass_(pmf.null_mass),
      below_p_mass_(pmf.below_p),
      above_q_mass_(pmf.above_q),
      aliased_(pmf.aliased),
      tilt_(pmf.tilt),
      log_scale_(pmf.log_scale),
      rounding_(pmf.rounding) {
    require(direction_ != Direction::estimate, "direction", 0.0, "upper or lower");
    const std::size_t n = pmf.masses.size();
    above_p_.assign(n + 1, 0.0L);
    above_q_.assign(n + 1, 0.0L);
    below_p_.assign(n + 1, 0.0L);
    below_q_.assign(n + 1, 0.0L);
    const double side = direction_ == Direction::upper ? pmf.rounding : -pmf.rounding;
    // Extended: delta and e^{-epsilon} together leave the range of doubles.
    std::vector<long double> under_q(n);
    std::vector<long double> under_p(n);
    const double first_loss = pmf.loss(0);
    const double largest_loss = std::max(std::fabs(first_loss), std::fabs(pmf.loss(n - 1)));
    // The exact convolution's mass lies within `rounding`, and is not negative.
    for_each_exponential<long double>(log_scale_ - tilt_ * first_loss, -tilt_ * step_, n,
                                      [&](std::size_t i, long double e) {
                                          const long double mass = pmf.masses[i] + side;
                                          under_q[i] = mass > 0.0L ? mass * e : 0.0L;
                                      });
    for_each_exponential<long double>(first_loss, step_, n, [&](std::size_t i, long double e) {
        under_p[i] = under_q[i] > 0.0L ? under_q[i] * e : 0.0L;
    });
    for (std::size_t i = n; i-- > 0;) {
        above_p_[i] = above_p_[i + 1] + under_p[i];
        above_q_[i] = above_q_[i + 1] + under_q[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        below_p_[i + 1] = below_p_[i] + under_p[i];
        below_q_[i + 1] = below_q_[i] + under_q[i];
    }
    const double largest = std::fabs(log_scale_) + 2.0 * std::fabs(tilt_) * largest_loss;
    factor_ = pmf.mass_error + (8.0 * largest + 16.0) * 0x1p-53;
    // under_p / under_q is the ratio up to the rounding of the loss, of exp and of the product.
    loss_error_ += (6.0 * largest_loss + 16.0) * 0x1p-53;
}

double HockeyStick::point(std::size_t i) const {
    return offset_ + step_ * static_cast<double>(first_ + static_cast<std::int64_t>(i));
}

std::size_t HockeyStick::first_above(double loss) const {
    const double k = std::floor((loss - offset_) / step_) - static_cast<double>(first_) - 1.0;
    const auto n = static_cast<double>(above_p_.size() - 1);
    auto i = static_cast<std::size_t>(std::clamp(k, 0.0, n));
    while (i < above_p_.size() - 1 && point(i) <= loss) ++i;
    return i;
}

/// Whether the untilted masses overflow, or the roundings behind them leave no digit.
bool HockeyStick::is_unknown(long double masses) const {
    return !std::isfinite(masses) || !std::isfinite(rounding_) || !(factor_ + loss_error_ < 600.0);
}

// Sums of masses with relative errors, mass_error apart: |error| <= (n 2^-64 + 4 2^-64) (p + K q).
double HockeyStick::removal(double epsilon) const {
    require(std::isfinite(epsilon), "epsilon", epsilon, "a finite number");
    const bool upper = direction_ == Direction::upper;
    const double at = upper ? epsilon - loss_error_ : epsilon + loss_error_;
    const std::size_t i = first_above(at);
    const long double threshold = std::exp(static_cast<long double>(at));
    const long double p = above_p_[i];
    const long double q = threshold * above_q_[i];
    if (is_unknown(p + q)) return upper ? 1.0 : 0.0;
    const long double slack =
        (static_cast<long double>(above_p_.size()) + 16.0L) * unit_roundoff * (p + q);
    if (upper) {
        // What lies below the first point pays only for thresholds below it.
        const double outside = infinity_mass_ + (at < point(0) ? below_p_mass_ : 0.0);
        const long double sum = std::max(0.0L, p - q + slack) + static_cast<long double>(outside);
        const double scale = std::exp(factor_ + loss_error_);
        return std::min(1.0, widen_up(static_cast<double>(sum) * scale, 4));
    }
    // Mass that wrapped round may stand where the payoff, divided by the tilt, is largest.
    long double alias = 0.0L;
    if (aliased_ > 0.0) {
        const auto payoff = [&](double loss) {
            return std::exp(static_cast<long double>(log_scale_ - tilt_ * loss)) *
                   std::max(0.0L, std::exp(static_cast<long double>(loss)) - threshold);
        };
        const std::size_t n = above_p_.size() - 1;
        // e^{-tL}(e^L - K) is unimodal: largest at e^L = K t/(t-1), or at the end.
        double peak = point(n - 1);
        if (tilt_ > 1.0) peak = std::min(peak, at + std::log(tilt_ / (tilt_ - 1.0)));
        if (i < n) alias = payoff(peak) * 1.0001L * static_cast<long double>(aliased_);
    }
    const long double sum = p - q - slack - alias;
    return std::max(0.0,
                    widen_down(static_cast<double>(sum) * std::exp(-factor_ - loss_error_), 4));
}

double HockeyStick::addition(double epsilon) const {
    require(std::isfinite(epsilon), "epsilon", epsilon, "a finite number");
    const bool upper = direction_ == Direction::upper;
    const double at = upper ? epsilon - loss_error_ : epsilon + loss_error_;
    const std::size_t i = first_above(-at);
    const long double threshold = std::exp(static_cast<long double>(at));
    const long double q = below_q_[i];
    const long double p = threshold * below_p_[i];
    if (is_unknown(p + q)) return upper ? 1.0 : 0.0;
    const long double slack =
        (static_cast<long double>(above_p_.size()) + 16.0L) * unit_roundoff * (p + q);
    if (upper) {
        const bool beyond = -at > point(above_p_.size() - 2);
        const double outside = null_mass_ + (beyond ? above_q_mass_ : 0.0);
        const long double sum = std::max(0.0L, q - p + slack) + static_cast<long double>(outside);
        return std::min(1.0, widen_up(static_cast<double>(sum) * std::exp(factor_), 4));
    }
    long double alias = 0.0L;
    if (aliased_ > 0.0 && i > 0) {
        // e^{-tL}(1 - K e^L) is at most e^{-tL} at the end where that is larger.
        const double low = point(0);
        const double peak = tilt_ >= 0.0 ? low : -at;
        alias = std::exp(static_cast<long double>(log_scale_ - tilt_ * peak)) * 1.0001L *
                static_cast<long double>(aliased_);
    }
    const long double sum = q - p - slack - alias;
    return std::max(0.0, widen_down(static_cast<double>(sum) * std::exp(-factor_), 4));
}

double HockeyStick::delta(double epsilon) const {
    return std::max(removal(epsilon), addition(epsilon));
}

double HockeyStick::epsilon(double target) const {
    require(target > 0.0 && target < 1.0, "delta", target, "0 < delta < 1");
    if (delta(0.0) <= target) return 0.0;
    double low = 0.0;
    double high = 1.0;
    while (delta(high) > target) {
        low = high;
        high *= 2.0;
        if (high > 700.0)
            return direction_ == Direction::upper ? std::numeric_limits<double>::infinity() : low;
    }
    while (high - low > 1e-12 * high) {
        const double middle = 0.5 * (low + high);
        (delta(middle) > target ? low : high) = middle;
    }
    return direction_ == Direction::upper ? high : low;
}

/// rounding / step times the integral of e^{log_scale + rate L} over [from, to].
double HockeyStick::rounding_between(double rate, double from, double to) const {
    const double length = std::max(0.0, to - from);
    const double integral = std::fabs(rate) < 1e-9 ? length : std::expm1(rate * length) / rate;
    return rounding_ / step_ * std::exp(log_scale_ + rate * from) * integral;
}

double HockeyStick::allowance_of_removal(double epsilon) const {
    const double end = point(above_p_.size() - 1);
    return infinity_mass_ + (epsilon < point(0) ? below_p_mass_ : 0.0) +
           rounding_between(1.0 - tilt_, epsilon, end) -
           std::exp(epsilon) * rounding_between(-tilt_, epsilon, end);
}

double HockeyStick::allowance_of_addition(double epsilon) const {
    return null_mass_ + (-epsilon > point(above_p_.size() - 2) ? above_q_mass_ : 0.0) +
           rounding_between(-tilt_, point(0), -epsilon) -
           std::exp(epsilon) * rounding_between(1.0 - tilt_, point(0), -epsilon);
}

double HockeyStick::density(double loss) const {
    const std::size_t i = first_above(loss - 8.0 * step_);
    const std::size_t j = first_above(loss + 8.0 * step_);
    return static_cast<double>(above_q_[i] - above_q_[j]) / (16.0 * step_);
}

}  // namespace assay
