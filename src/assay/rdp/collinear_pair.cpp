#include "assay/rdp/collinear_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/largest_shift.hpp"

namespace assay {

CollinearPair::CollinearPair(real sampling_probability, real x, real y)
    : q_(sampling_probability),
      log_q_(std::log(sampling_probability)),
      odds_((1.0L - sampling_probability) / sampling_probability),
      x_(x),
      y_(y) {
    require(q_ > 0.0L && q_ <= 1.0L, "q", static_cast<double>(q_), "0 < q <= 1");
    require(std::isfinite(x) && std::isfinite(y) && x >= y, "shift", static_cast<double>(x - y),
            "finite, x >= y");
}

CollinearPair::Mixture CollinearPair::mixture(real exponent) const {
    if (q_ == 1.0L) return {exponent, 1.0L};
    const real scaled = log_q_ + exponent;
    if (scaled > 1.0L) {
        const real rest = odds_ * std::exp(-exponent);
        return {scaled + std::log1p(rest), 1.0L / (1.0L + rest)};
    }
    // Near -1 the sum 1 + q (e^x - 1) would lose 1-q: add the two positive parts there.
    const real rise = q_ * std::expm1(exponent);
    const real log =
        rise > -0.5L ? std::log1p(rise) : std::log((1.0L - q_) + q_ * std::exp(exponent));
    return {log, std::exp(scaled - log)};
}

LossPoint CollinearPair::at(real z) const {
    const real exponent_p = x_ * (z - 0.5L * x_);
    const real exponent_q = y_ * (z - 0.5L * y_);
    const Mixture p = x_ == 0.0L ? Mixture{0.0L, q_} : mixture(exponent_p);
    const Mixture q = y_ == 0.0L ? Mixture{0.0L, q_} : mixture(exponent_q);

    LossPoint point;
    point.log_p = p.log;
    point.log_q = q.log;
    point.log_q_slope = y_ * q.posterior;
    // P - Q = q Y (e^d - 1) = q X (1 - e^-d), d = (x-y)(z - (x+y)/2): no cancellation.
    const real centre = 0.5L * (x_ + y_);
    const real d = (x_ - y_) * (z - centre);
    point.excess = d > 60.0L ? std::exp(log_q_ + exponent_p - q.log)  // e^-60 < u
                             : q_ * std::expm1(d) * std::exp(exponent_q - q.log);
    point.loss =
        std::fabs(point.excess) < 0.5L ? std::log1p(point.excess) : point.log_p - point.log_q;
    // Shifts carry relative error 2u, sums of two terms twice that; posteriors are <= 1.
    const real size_p = std::fabs(x_) * (std::fabs(z) + std::fabs(x_));
    const real size_q = std::fabs(y_) * (std::fabs(z) + std::fabs(y_));
    point.absolute_error = unit_roundoff * (8.0L * (size_p + size_q) + 8.0L * std::fabs(log_q_) +
                                            4.0L * (std::fabs(p.log) + std::fabs(q.log)) + 16.0L);
    const real size_d = 6.0L * (x_ - y_) * (std::fabs(z) + std::fabs(centre));
    const real shape = std::fabs(d) + 1.0L;  // |d (e^d)/(e^d - 1)| <= |d| + 1
    point.relative_error =
        d == 0.0L
            ? 1.0L
            : std::min(1.0L, unit_roundoff *
                                 (shape * size_d / std::fabs(d) + 8.0L * (size_p + size_q) +
                                  8.0L * std::fabs(log_q_) + 4.0L * std::fabs(q.log) + 24.0L));
    return point;
}

TailPair CollinearPair::tails(real z) const {
    const real none = (1.0L - q_) * normal_tail(z);
    return {(none + q_ * normal_tail(z - x_)) * (1.0L - 0x1p-44L),
            (none + q_ * normal_tail(z - y_)) * (1.0L + 0x1p-44L)};
}

PairShape CollinearPair::shape() const {
    PairShape shape;
    shape.p_slope_max = std::max(0.0L, x_);
    shape.q_slope_min = std::min(0.0L, y_);
    // y = 0: Q = 1 and P >= 1-q.
    shape.lowest_excess = y_ == 0.0L ? -std::min(1.0L, q_ * (1.0L + 4.0L * unit_roundoff)) : -1.0L;
    shape.q_left_mean = std::min(0.0L, y_);
    const real rate = std::max(std::fabs(x_), std::fabs(y_));
    shape.strip = rate == 0.0L ? 1e9L : std::numbers::pi_v<real> / rate * (1.0L - 0x1p-50L);
    shape.sector = std::fabs(y_);
    shape.sector_power = y_ == 0.0L ? 0.0L : 1.0L;
    shape.crossing = 0.5L * (x_ + y_);
    return shape;
}

std::optional<Enclosure> CollinearPair::ruled_by_largest_shift(real order) const {
    if (x_ < 0.0L || y_ > 0.0L || q_ == 1.0L) return std::nullopt;
    const real beta = order - 1.0L;
    LargestShift rule{.order = order, .shift = x_};
    if (x_ > 0.0L) {
        rule.log_weight = log_q_;
        rule.others = odds_ * std::exp(-0.5L * beta * x_ * x_);
    }
    if (y_ < 0.0L) {
        // Q >= (1-q) phi, and right of y/4 hardly more; there is nearly all of X^a phi.
        rule.added = -std::log1p(-q_);
        const real left_out = normal_tail(order * x_ - 0.25L * y_);
        rule.lost = std::exp(-0.25L * y_ * y_) / odds_ + 2.0L * left_out / beta;
    }
    return largest_shift_rdp(rule);
}

}  // namespace assay
