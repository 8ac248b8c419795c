#include "assay/rdp/binomial_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/scaled_real.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/largest_shift.hpp"

namespace assay {

namespace {
constexpr std::int64_t table_size = 2048;
}

BinomialPair::BinomialPair(std::int64_t batch_size, std::int64_t dataset_size, real shift,
                           bool removal)
    : batch_(batch_size),
      probability_(1.0L / static_cast<real>(dataset_size)),
      log_odds_(-std::log(static_cast<real>(dataset_size) - 1.0L)),
      shift_(shift),
      removal_(removal) {
    require(batch_size >= 1, "B", static_cast<double>(batch_size), "|B| >= 1");
    require(dataset_size > batch_size, "D", static_cast<double>(dataset_size), "|D| > |B|");
    require(shift > 0.0L && std::isfinite(shift), "shift", static_cast<double>(shift), "shift > 0");
    const std::int64_t last = std::min(batch_, table_size);
    log_weights_.resize(static_cast<std::size_t>(last) + 1);
    ratios_.reserve(static_cast<std::size_t>(last));
    log_ratios_.reserve(static_cast<std::size_t>(last));
    // A running product of ratios (4 roundings each) keeps the weights' relative error at 4nu.
    ScaledReal weight = ScaledReal::exp_of(static_cast<real>(batch_) * std::log1p(-probability_));
    const real odds = 1.0L / (static_cast<real>(dataset_size) - 1.0L);
    log_weights_[0] = weight.log();
    for (std::int64_t n = 0; n < last; ++n) {
        const auto i = static_cast<std::size_t>(n);
        ratios_.push_back(static_cast<real>(batch_ - n) / static_cast<real>(n + 1));
        log_ratios_.push_back(std::log(ratios_[i]));
        weight *= ratios_[i] * odds;
        log_weights_[i + 1] = weight.log();
    }
}

real BinomialPair::coefficient_ratio(std::int64_t n) const {
    return n < table_size ? ratios_[static_cast<std::size_t>(n)]
                          : static_cast<real>(batch_ - n) / static_cast<real>(n + 1);
}

real BinomialPair::log_weight(std::int64_t n) const {
    if (n <= table_size) return log_weights_[static_cast<std::size_t>(n)];
    const auto b = static_cast<real>(batch_);
    const auto k = static_cast<real>(n);
    return std::lgamma(b + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(b - k + 1.0L) +
           b * std::log1p(-probability_) + k * log_odds_;
}

real BinomialPair::log_ratio(std::int64_t n, real z) const {
    if (n >= batch_) return -std::numeric_limits<real>::infinity();
    const real log_coefficient =
        n < table_size ? log_ratios_[static_cast<std::size_t>(n)] : std::log(coefficient_ratio(n));
    return log_coefficient + log_odds_ + shift_ * (z - (static_cast<real>(n) + 0.5L) * shift_);
}

BinomialPair::Value BinomialPair::mixture(real z) const {
    // Around V = 1 the excess is summed directly; elsewhere the logarithm suffices.
    return log_ratio(0, z) < 1.0L ? near_one(z) : far(z);
}

BinomialPair::Value BinomialPair::near_one(real z) const {
    const real p_ratio = std::exp(log_odds_);
    const real c = shift_;
    real weight = std::exp(log_weights_[0]);
    real excess = 0.0L;
    real magnitude = 0.0L;  // sum of |terms|, with the error each carries relative to u
    real derivative = 0.0L;
    real tail = 0.0L;
    for (std::int64_t n = 1; n <= batch_; ++n) {
        const auto k = static_cast<real>(n);
        weight *= coefficient_ratio(n - 1) * p_ratio;
        const real exponent = k * c * (z - 0.5L * k * c);
        const real rise = std::expm1(exponent);
        const real term = weight * rise;
        excess += term;
        derivative += weight * (rise + 1.0L) * k * c;
        magnitude += std::fabs(term) * (4.0L * k + 8.0L) +
                     weight * (rise + 1.0L) * 6.0L * k * c * (std::fabs(z) + k * c);
        // Terms fall at least by these ratios from here on (both sequences are log-concave).
        const real weight_ratio = n < batch_ ? coefficient_ratio(n) * p_ratio : 0.0L;
        const real term_ratio = weight_ratio * std::exp(c * (z - (k + 0.5L) * c));
        if (weight_ratio < 0.5L && term_ratio < 0.5L) {
            const real rest = 2.0L * weight * (weight_ratio + term_ratio * (rise + 1.0L));
            if (rest < 1e-22L * std::fabs(excess) || n == batch_) {
                tail = rest;
                break;
            }
        }
    }
    Value value;
    value.excess = std::max(excess, -1.0L + 1e-4000L);
    value.log = std::log1p(value.excess);
    value.slope = derivative / (1.0L + value.excess);
    const real error = unit_roundoff * magnitude + tail;
    value.relative_error =
        excess == 0.0L ? 1.0L
                       : std::min(1.0L, 2.0L * error / std::fabs(excess) + 8.0L * unit_roundoff);
    value.absolute_error = 2.0L * error / (1.0L + value.excess) + 4.0L * unit_roundoff;
    return value;
}

BinomialPair::Value BinomialPair::far(real z) const {
    // The largest term: log_ratio is decreasing in n, so bisect for its sign change.
    std::int64_t low = 0;
    std::int64_t high = batch_;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (log_ratio(middle, z) > 0.0L)
            low = middle + 1;
        else
            high = middle;
    }
    const std::int64_t mode = low;
    const auto k = static_cast<real>(mode);
    const real log_term = log_weight(mode) + k * shift_ * (z - 0.5L * k * shift_);
    const real square = std::exp(-shift_ * shift_);
    // Outward from the mode with exact ratios updated by one multiplication each.
    real sum = 1.0L;
    real moment = 0.0L;
    real rest = 0.0L;
    std::int64_t terms = 1;
    real term = 1.0L;
    real growth = mode < batch_ ? std::exp(log_odds_ + shift_ * (z - (k + 0.5L) * shift_)) : 0.0L;
    for (std::int64_t n = mode; n < batch_; ++n, ++terms) {
        const real ratio = coefficient_ratio(n) * growth;
        term *= ratio;
        sum += term;
        moment += term * static_cast<real>(n + 1 - mode);
        growth *= square;
        if (ratio < 0.9L && term < 1e-22L) {
            rest += term * 10.0L;
            break;
        }
    }
    term = 1.0L;
    growth = mode > 0 ? std::exp(-log_odds_ - shift_ * (z - (k - 0.5L) * shift_)) : 0.0L;
    for (std::int64_t n = mode; n > 0; --n, ++terms) {
        const real ratio = growth / coefficient_ratio(n - 1);
        term *= ratio;
        sum += term;
        moment -= term * static_cast<real>(mode - n + 1);
        growth *= square;
        if (ratio < 0.9L && term < 1e-22L) {
            rest += term * 10.0L;
            break;
        }
    }
    Value value;
    value.log = log_term + std::log(sum);
    value.slope = shift_ * (k + moment / sum);
    const real size = k * shift_ * (std::fabs(z) + k * shift_);
    const auto b = static_cast<real>(batch_);
    const real weight_size =
        mode <= table_size
            ? 4.0L * k + 4.0L * std::fabs(log_weight(mode)) + 64.0L
            : 16.0L * (b + 2.0L) * std::log(b + 2.0L) + 8.0L * k * std::fabs(log_odds_);
    const auto count = static_cast<real>(terms);
    // A neighbour's ratio carries the rounding of every exponent before it: count * O(u) * shift
    // |z|.
    const real neighbour = 8.0L * count * (1.0L + shift_ * (std::fabs(z) + k * shift_) / 16.0L);
    value.absolute_error =
        unit_roundoff * (8.0L * size + weight_size + 4.0L * std::fabs(value.log) + neighbour +
                         8.0L * shift_ * (std::fabs(z) + k * shift_) + 32.0L) +
        rest;
    value.excess = value.log < 11000.0L ? std::expm1(value.log) : HUGE_VALL;
    const real scale = std::fabs(-std::expm1(-value.log));
    value.relative_error =
        scale == 0.0L
            ? 1.0L
            : std::min(1.0L, value.absolute_error * (1.0L + 1.0L / scale) + 8.0L * unit_roundoff);
    return value;
}

LossPoint BinomialPair::at(real z) const {
    const Value value = mixture(removal_ ? z : -z);
    LossPoint point;
    point.absolute_error = value.absolute_error;
    point.relative_error = value.relative_error;
    if (removal_) {
        point.log_p = value.log;
        point.loss = value.log;
        point.excess = value.excess;
    } else {
        point.log_q = value.log;
        point.log_q_slope = -value.slope;
        point.loss = -value.log;
        point.excess = std::expm1(-value.log);
        // 1/V - 1 = -(V-1)/V: the same relative error once more for V.
        point.relative_error = std::min(1.0L, 2.0L * value.relative_error);
    }
    return point;
}

TailPair BinomialPair::tails(real z) const {
    // Copies beyond the table, or weighing less than e^-80, are left out of P's side (from below)
    // and, for the other order, counted whole in Q's (from above).
    real sum = 0.0L;
    real weights = 0.0L;
    for (std::size_t n = 0; n < log_weights_.size() && log_weights_[n] > -80.0L; ++n) {
        const real weight = std::exp(log_weights_[n]);
        const real shift = static_cast<real>(n) * shift_;
        weights += weight;
        sum += weight * normal_tail(removal_ ? z - shift : z + shift);
    }
    const real plain = normal_tail(z);
    if (removal_) return {sum * (1.0L - 0x1p-44L), plain * (1.0L + 0x1p-44L)};
    const real rest = std::max(0.0L, 1.0L - weights) + 0x1p-50L;
    return {plain * (1.0L - 0x1p-44L), (sum + rest) * (1.0L + 0x1p-44L)};
}

PairShape BinomialPair::shape() const {
    const real longest = static_cast<real>(batch_) * shift_;
    PairShape shape;
    shape.strip = std::numbers::pi_v<real> / shift_ * (1.0L - 0x1p-50L);
    if (removal_) {
        shape.p_slope_max = longest;
        // V >= Bin(0) = (1-1/D)^B.
        shape.lowest_excess = std::max(-1.0L, std::expm1(log_weights_[0]) * (1.0L + 0x1p-50L));
    } else {
        shape.q_slope_min = -longest;
        shape.q_left_mean = -longest;
        shape.sector = shift_;
        shape.sector_power = static_cast<real>(batch_);
    }
    // sum a_n (n c z - n^2 c^2/2) = 0 at z = c/2 E[n^2]/E[n].
    const real mean = static_cast<real>(batch_) * probability_;
    shape.crossing = (removal_ ? 0.5L : -0.5L) * shift_ * (1.0L + mean - probability_);
    return shape;
}

std::optional<Enclosure> BinomialPair::ruled_by_largest_shift(real order) const {
    const real beta = order - 1.0L;
    const auto copies = static_cast<real>(batch_);
    if (!removal_) {
        // V >= a_0, and left of c/4 hardly more; there is nearly all of the standard normal.
        const real rarity = -copies * std::log1p(-probability_);
        const real others = std::expm1(rarity) * std::exp(-0.25L * shift_ * shift_);
        return largest_shift_rdp({.order = order,
                                  .added = rarity,
                                  .lost = others + 2.0L * normal_tail(0.25L * shift_) / beta});
    }
    // Term B-j over term B is at most r^j (docs/error_bounds.md#largest-shift).
    const real r =
        std::exp(std::log(copies) - log_odds_ - 0.5L * beta * shift_ * shift_ * copies) * 1.001L;
    if (!(r < 0.5L)) return std::nullopt;
    return largest_shift_rdp({.order = order,
                              .shift = copies * shift_,
                              .log_weight = copies * std::log(probability_),
                              .others = r / (1.0L - r)});
}

}  // namespace assay
