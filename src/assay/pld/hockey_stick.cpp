#include "assay/pld/hockey_stick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/grid_exponential.hpp"

namespace assay {

TailSums::TailSums(std::unique_ptr<const long double[]> values, std::size_t size)
    : values_(std::move(values)), size_(size) {
    const std::size_t blocks = size / block + 1;
    above_.assign(blocks + 1, 0.0L);
    below_.assign(blocks + 1, 0.0L);
    for (std::size_t b = 0; b < blocks; ++b) {
        long double sum = 0.0L;
        for (std::size_t i = b * block; i < std::min((b + 1) * block, size); ++i) sum += values_[i];
        above_[b] = sum;
        below_[b + 1] = below_[b] + sum;
    }
    for (std::size_t b = blocks; b-- > 0;) above_[b] += above_[b + 1];
}

long double TailSums::above(std::size_t first) const {
    const std::size_t next = first / block + 1;
    long double sum = above_[next];
    for (std::size_t i = std::min(next * block, size_); i-- > first;) sum += values_[i];
    return sum;
}

long double TailSums::below(std::size_t end) const {
    long double sum = below_[end / block];
    for (std::size_t i = end / block * block; i < end; ++i) sum += values_[i];
    return sum;
}

namespace {

/// e^loss of a window that reaches no farther stays far from overflow.
constexpr double comfortable_loss = 690.0;

double largest_loss(const PrivacyLossPmf& pmf) {
    return std::max(std::fabs(pmf.loss(0)), std::fabs(pmf.loss(pmf.masses.size() - 1)));
}

/// 0, or the middle of a window where e^loss leaves the range of numbers.
double base_of(const PrivacyLossPmf& pmf) {
    if (largest_loss(pmf) <= comfortable_loss) return 0.0;
    return 0.5 * (pmf.loss(0) + pmf.loss(pmf.masses.size() - 1));
}

/// A double near it, and no smaller one where doubles lose digits.
double above(long double sum) {
    return sum < 1e-290L ? round_up(sum) : static_cast<double>(sum);
}

/// The masses under Q, times e^base for a base above 0: the exact convolution's mass lies within
/// `rounding`, and is not negative.
std::unique_ptr<long double[]> masses_under_q(const PrivacyLossPmf& pmf, double base) {
    const std::size_t n = pmf.masses.size();
    const double side = pmf.direction == Direction::upper ? pmf.rounding : -pmf.rounding;
    auto masses = std::make_unique_for_overwrite<long double[]>(n);
    const double first = pmf.log_scale - pmf.tilt * pmf.loss(0) + std::max(base, 0.0);
    for_each_exponential<long double>(first, -pmf.tilt * pmf.step, n,
                                      [&](std::size_t i, long double e) {
                                          const long double mass = pmf.masses[i] + side;
                                          masses[i] = mass > 0.0L ? mass * e : 0.0L;
                                      });
    return masses;
}

/// The masses under P, times e^-base for a base below 0, of those under Q.
std::unique_ptr<long double[]> masses_under_p(const PrivacyLossPmf& pmf, double base,
                                              const TailSums& under_q) {
    const std::size_t n = pmf.masses.size();
    auto masses = std::make_unique_for_overwrite<long double[]>(n);
    for_each_exponential<long double>(pmf.loss(0) - base, pmf.step, n,
                                      [&](std::size_t i, long double e) {
                                          masses[i] = under_q[i] > 0.0L ? under_q[i] * e : 0.0L;
                                      });
    return masses;
}

}  // namespace

HockeyStick::HockeyStick(const PrivacyLossPmf& pmf)
    : direction_(pmf.direction),
      step_(pmf.step),
      offset_(pmf.offset),
      base_(base_of(pmf)),
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
      rounding_(pmf.rounding),
      under_q_(masses_under_q(pmf, base_), pmf.masses.size()),
      under_p_(masses_under_p(pmf, base_, under_q_), pmf.masses.size()) {
    require(direction_ != Direction::estimate, "direction", 0.0, "upper or lower");
    const double farthest = largest_loss(pmf);
    const double largest =
        std::fabs(log_scale_) + 2.0 * std::fabs(tilt_) * farthest + 2.0 * std::fabs(base_);
    factor_ = pmf.mass_error + (8.0 * largest + 16.0) * 0x1p-53;
    // under_p / under_q is the ratio up to the rounding of the loss, of exp and of the product.
    loss_error_ += (6.0 * (farthest + 2.0 * std::fabs(base_)) + 16.0) * 0x1p-53;
    if (base_ == 0.0) return;
    // Masses that leave the range of numbers tell nothing.
    for (const double loss : {point(0), point(size() - 1)}) {
        const double exponent = log_scale_ - tilt_ * loss + std::max(base_, 0.0);
        if (std::fabs(exponent) > 11000.0 || std::fabs(exponent + loss - base_) > 11000.0)
            factor_ = std::numeric_limits<double>::infinity();
    }
}

double HockeyStick::point(std::size_t i) const {
    return offset_ + step_ * static_cast<double>(first_ + static_cast<std::int64_t>(i));
}

std::size_t HockeyStick::first_above(double loss) const {
    const double k = std::floor((loss - offset_) / step_) - static_cast<double>(first_) - 1.0;
    auto i = static_cast<std::size_t>(std::clamp(k, 0.0, static_cast<double>(size())));
    while (i < size() && point(i) <= loss) ++i;
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
    const long double threshold = std::exp(static_cast<long double>(at - base_));
    const long double p = under_p_.above(i);
    const long double q_mass = under_q_.above(i);
    const long double q = q_mass > 0.0L ? threshold * q_mass : 0.0L;
    if (is_unknown(p + q)) return upper ? 1.0 : 0.0;
    const long double slack = (static_cast<long double>(size()) + 16.0L) * unit_roundoff * (p + q);
    // The sums stand for this much of theirs: those under P are scaled where the base is below 0.
    const long double unit = std::exp(static_cast<long double>(std::min(base_, 0.0)));
    if (upper) {
        // What lies below the first point pays only for thresholds below it.
        const double outside = infinity_mass_ + (at < point(0) ? below_p_mass_ : 0.0);
        const long double sum =
            unit * std::max(0.0L, p - q + slack) + static_cast<long double>(outside);
        const double scale = std::exp(factor_ + loss_error_);
        return std::min(1.0, widen_up(above(sum) * scale, 4));
    }
    // Mass that wrapped round may stand where the payoff, divided by the tilt, is largest.
    long double alias = 0.0L;
    if (aliased_ > 0.0) {
        const auto payoff = [&](double loss) {
            return std::exp(static_cast<long double>(log_scale_ - tilt_ * loss + base_)) *
                   std::max(0.0L, std::exp(static_cast<long double>(loss - base_)) - threshold);
        };
        const std::size_t n = size();
        // e^{-tL}(e^L - K) is unimodal: largest at e^L = K t/(t-1), or at the end.
        double peak = point(n - 1);
        if (tilt_ > 1.0) peak = std::min(peak, at + std::log(tilt_ / (tilt_ - 1.0)));
        if (i < n) alias = payoff(peak) * 1.0001L * static_cast<long double>(aliased_);
    }
    const long double sum = unit * (p - q - slack) - alias;
    if (!std::isfinite(sum)) return 0.0;
    return std::max(0.0,
                    widen_down(static_cast<double>(sum) * std::exp(-factor_ - loss_error_), 4));
}

double HockeyStick::addition(double epsilon) const {
    require(std::isfinite(epsilon), "epsilon", epsilon, "a finite number");
    const bool upper = direction_ == Direction::upper;
    const double at = upper ? epsilon - loss_error_ : epsilon + loss_error_;
    const std::size_t i = first_above(-at);
    const long double threshold = std::exp(static_cast<long double>(at + base_));
    const long double q = under_q_.below(i);
    const long double p_mass = under_p_.below(i);
    const long double p = p_mass > 0.0L ? threshold * p_mass : 0.0L;
    if (is_unknown(p + q)) return upper ? 1.0 : 0.0;
    const long double slack = (static_cast<long double>(size()) + 16.0L) * unit_roundoff * (p + q);
    const long double unit = std::exp(static_cast<long double>(-std::max(base_, 0.0)));
    if (upper) {
        const bool beyond = -at > point(size() - 1);
        const double outside = null_mass_ + (beyond ? above_q_mass_ : 0.0);
        const long double sum =
            unit * std::max(0.0L, q - p + slack) + static_cast<long double>(outside);
        return std::min(1.0, widen_up(above(sum) * std::exp(factor_), 4));
    }
    long double alias = 0.0L;
    if (aliased_ > 0.0 && i > 0) {
        // e^{-tL}(1 - K e^L) is at most e^{-tL} at the end where that is larger.
        const double low = point(0);
        const double peak = tilt_ >= 0.0 ? low : -at;
        alias = std::exp(static_cast<long double>(log_scale_ - tilt_ * peak)) * 1.0001L *
                static_cast<long double>(aliased_);
    }
    const long double sum = unit * (q - p - slack) - alias;
    if (!std::isfinite(sum)) return 0.0;
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
    const auto found = bisect(low, high, 1e-12, [&](double e) { return !(delta(e) > target); });
    return direction_ == Direction::upper ? found.high : found.low;
}

/// rounding / step times the integral of e^{log_scale + rate L} over [from, to].
double HockeyStick::rounding_between(double rate, double from, double to) const {
    const double length = std::max(0.0, to - from);
    const double integral = std::fabs(rate) < 1e-9 ? length : std::expm1(rate * length) / rate;
    return rounding_ / step_ * std::exp(log_scale_ + rate * from) * integral;
}

double HockeyStick::rounding_of_removal(double epsilon) const {
    const double under_p = rounding_between(1.0 - tilt_, epsilon, point(size()));
    if (epsilon > comfortable_loss) return under_p;  // a little more
    return under_p - std::exp(epsilon) * rounding_between(-tilt_, epsilon, point(size()));
}

double HockeyStick::rounding_of_addition(double epsilon) const {
    const double under_q = rounding_between(-tilt_, point(0), -epsilon);
    if (epsilon > comfortable_loss) return under_q;
    return under_q - std::exp(epsilon) * rounding_between(1.0 - tilt_, point(0), -epsilon);
}

double HockeyStick::allowance_of_removal(double epsilon) const {
    return infinity_mass_ + (epsilon < point(0) ? below_p_mass_ : 0.0) +
           rounding_of_removal(epsilon);
}

double HockeyStick::allowance_of_addition(double epsilon) const {
    return null_mass_ + (-epsilon > point(size() - 1) ? above_q_mass_ : 0.0) +
           rounding_of_addition(epsilon);
}

double HockeyStick::shift_of_removal(double epsilon) const {
    return static_cast<double>(std::exp(static_cast<long double>(epsilon - std::max(base_, 0.0))) *
                               density(epsilon));
}

double HockeyStick::shift_of_addition(double epsilon) const {
    return static_cast<double>(std::exp(static_cast<long double>(-std::max(base_, 0.0))) *
                               density(-epsilon));
}

/// Mass under Q per nat, times e^base for a base above 0.
long double HockeyStick::density(double loss) const {
    // Not a difference of tails: the far end of a tilted distribution may hold huge numbers.
    const std::size_t end = first_above(loss + 8.0 * step_);
    long double mass = 0.0L;
    for (std::size_t i = first_above(loss - 8.0 * step_); i < end; ++i) mass += under_q_[i];
    return mass / (16.0L * static_cast<long double>(step_));
}

}  // namespace assay
