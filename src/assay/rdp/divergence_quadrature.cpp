#include "assay/rdp/divergence_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/numeric/trapezoid.hpp"
#include "assay/rdp/reduced_integrand.hpp"

namespace assay {

namespace {

constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;
constexpr real infinity = std::numeric_limits<real>::infinity();
/// Beyond it exponents lose their digits before the point, and soon the range of ScaledReal ends.
constexpr real largest_exponent = 0x1p54L;

class Integrand {
public:
    Integrand(const LikelihoodRatio& pair, real order)
        : pair_(pair),
          shape_(pair.shape()),
          order_(order),
          beta_(order - 1.0L),
          log_f_lowest_(log_reduced_bound(shape_.lowest_excess, beta_)) {}

    [[nodiscard]] const PairShape& shape() const { return shape_; }
    [[nodiscard]] real log_f_lowest() const { return log_f_lowest_; }
    [[nodiscard]] real order() const { return order_; }
    [[nodiscard]] real beta() const { return beta_; }
    [[nodiscard]] LossPoint point(real z) const { return pair_.at(z); }
    /// Slope beyond which P^a Q^(1-a) cannot grow: S with (log P^a Q^(1-a))' <= S.
    [[nodiscard]] real steepest() const {
        return order_ * shape_.p_slope_max - beta_ * shape_.q_slope_min;
    }

    [[nodiscard]] IntegrandTerm term(real z, const LossPoint& point) const {
        return reduced_term(z, point, beta_);
    }

    /// Whether the exponents formed between two places stay in range: log P and log Q are convex,
    /// not larger anywhere between, and not smaller than the logarithm of a weight.
    [[nodiscard]] bool in_range(real z1, const LossPoint& p1, real z2, const LossPoint& p2) const {
        const auto size = [&](real z, const LossPoint& p) {
            return order_ * (std::fabs(p.log_p) + std::fabs(p.log_q) + p.absolute_error) +
                   0.5L * z * z;
        };
        return size(z1, p1) < largest_exponent && size(z2, p2) < largest_exponent;
    }

    /// Rounding of everything that enters a bound: values of log P, log Q and their combinations.
    [[nodiscard]] real bound_slack(real z1, const LossPoint& p1, real z2,
                                   const LossPoint& p2) const {
        const real size =
            order_ * (std::fabs(p1.log_p) + std::fabs(p2.log_p)) +
            beta_ * (std::fabs(p1.log_q) + std::fabs(p2.log_q)) + z1 * z1 + z2 * z2 +
            beta_ * (z2 - z1) * (std::fabs(p1.log_q_slope) + std::fabs(p2.log_q_slope));
        return 8.0L * unit_roundoff * size +
               4.0L * order_ * (p1.absolute_error + p2.absolute_error);
    }

    /// log sup of g sqrt(2 pi) over [z1, z2], from the convexity of log P and log Q.
    [[nodiscard]] real log_bound(real z1, const LossPoint& p1, real z2, const LossPoint& p2) const {
        const real slack = bound_slack(z1, p1, z2, p2);
        const auto peak = [&](real intercept,
                              real slope) {  // max of intercept + slope (z-z1) - z^2/2
            const real z = std::clamp(slope, z1, z2);
            return intercept + slope * (z - z1) - 0.5L * z * z + slack;
        };
        if (p1.loss >= 0.0L) {
            // rho >= 1: g <= P^a Q^(1-a) phi; chord above log P, tangents below log Q.
            const real chord = (p2.log_p - p1.log_p) / (z2 - z1);
            const real base = order_ * p1.log_p;
            const real left =
                peak(base - beta_ * p1.log_q, order_ * chord - beta_ * p1.log_q_slope);
            const real log_q_at_z1 = p2.log_q - p2.log_q_slope * (z2 - z1);
            const real right =
                peak(base - beta_ * log_q_at_z1, order_ * chord - beta_ * p2.log_q_slope);
            return std::min(left, right);
        }
        if (p2.loss <= 0.0L) {
            // rho <= 1: f is decreasing there, g <= f(lowest) Q phi; chord above log Q.
            return log_f_lowest_ + peak(p1.log_q, (p2.log_q - p1.log_q) / (z2 - z1));
        }
        return infinity;
    }

private:
    const LikelihoodRatio& pair_;
    PairShape shape_;
    real order_;
    real beta_;
    real log_f_lowest_;
};

struct Interval {
    real left = 0.0L;
    real right = 0.0L;
    LossPoint at_left;
    LossPoint at_right;
};

/// The part of the line that must be summed, and a bound of what is left out (over sqrt(2 pi)).
struct Region {
    std::vector<std::pair<real, real>> kept;
    ScaledReal omitted;  // bound of h sum g over the nodes that are not kept
    real log_largest = -infinity;
    bool bounded = true;
};

class RegionFinder {
public:
    RegionFinder(const Integrand& integrand, real step, real margin, real log_largest)
        : integrand_(integrand), step_(step), margin_(margin) {
        region_.log_largest = log_largest;
    }

    Region find() {
        const PairShape& shape = integrand_.shape();
        const real reach = std::sqrt(2.0L * (margin_ + std::max(0.0L, -region_.log_largest) +
                                             std::max(0.0L, integrand_.log_f_lowest()))) +
                           2.0L;
        const real left = shape.q_left_mean - reach;
        const real right = integrand_.steepest() + reach;
        const LossPoint at_left = integrand_.point(left);
        const LossPoint at_right = integrand_.point(right);
        region_.bounded = integrand_.in_range(left, at_left, right, at_right);
        if (!region_.bounded) return std::move(region_);
        add_left_tail(left, at_left);
        add_right_tail(right, at_right);
        stack_.push_back({left, right, at_left, at_right});
        while (!stack_.empty() && region_.bounded) {
            const Interval interval = stack_.back();
            stack_.pop_back();
            visit(interval);
        }
        std::sort(region_.kept.begin(), region_.kept.end());
        return std::move(region_);
    }

private:
    void add_left_tail(real z, const LossPoint& point) {
        if (point.loss > 0.0L) {
            region_.bounded = false;
            return;
        }
        // Q phi is at most a mixture of normal densities with means >= q_left_mean > z.
        const real y = integrand_.shape().q_left_mean - z;
        const ScaledReal tail = ScaledReal::exp_of(log_normal_tail(y) + log_root_two_pi) +
                                ScaledReal::exp_of(-0.5L * y * y) * step_;
        region_.omitted += tail * ScaledReal::exp_of(integrand_.log_f_lowest()) * 1.001L;
    }

    void add_right_tail(real z, const LossPoint& point) {
        if (point.loss < 0.0L) {
            region_.bounded = false;
            return;
        }
        // g <= g*(z) e^(S (y-z)) phi(y)/phi(z) for y > z > S, decreasing at rate z - S at least.
        const real log_g = integrand_.order() * point.log_p - integrand_.beta() * point.log_q;
        const real slack = integrand_.bound_slack(z, point, z, point);
        region_.omitted += ScaledReal::exp_of(log_g - 0.5L * z * z + slack) *
                           (1.001L * (1.0L / (z - integrand_.steepest()) + step_));
    }

    void visit(const Interval& interval) {
        if (++visits_ > 400'000) {
            region_.bounded = false;
            return;
        }
        const real length = interval.right - interval.left;
        const real bound = integrand_.log_bound(interval.left, interval.at_left, interval.right,
                                                interval.at_right);
        if (bound + std::log(length + step_) < region_.log_largest - margin_) {
            region_.omitted += ScaledReal::exp_of(bound) * (1.001L * (length + step_));
            return;
        }
        if (length <= 2.0L || length <= step_) {
            region_.kept.emplace_back(interval.left, interval.right);
            if (region_.kept.size() > 200'000) region_.bounded = false;
            return;
        }
        const real middle = std::midpoint(interval.left, interval.right);
        const LossPoint at_middle = integrand_.point(middle);
        const real log_term = integrand_.term(middle, at_middle).value.log();
        region_.log_largest = std::max(region_.log_largest, log_term);
        stack_.push_back({interval.left, middle, interval.at_left, at_middle});
        stack_.push_back({middle, interval.right, at_middle, interval.at_right});
    }

    const Integrand& integrand_;
    real step_;
    real margin_;
    Region region_;
    std::vector<Interval> stack_;
    int visits_ = 0;
};

/// A first idea of how large the integrand gets: only efficiency depends on it.
real probe(const Integrand& integrand) {
    const real s = integrand.steepest();
    const real left = integrand.shape().q_left_mean;
    const std::array<real, 14> places{-2.0L, -1.0L, -0.5L, 0.5L,     1.0L, 2.0L,      4.0L,
                                      6.0L,  8.0L,  s,     0.5L * s, left, 0.99L * s, left + 1.0L};
    real largest = -infinity;
    for (const real z : places)
        largest = std::max(largest, integrand.term(z, integrand.point(z)).value.log());
    return largest;
}

struct Sum {
    ScaledReal value;
    ScaledReal error;  // sum of term * relative error
    int nodes = 0;
    bool complete = true;
};

Sum sum_nodes(const Integrand& integrand, const Region& region, real step, int max_nodes) {
    Sum sum;
    real length = 0.0L;
    for (const auto& [left, right] : region.kept) length += right - left;
    sum.complete = length < step * static_cast<real>(max_nodes);
    if (!sum.complete) return sum;
    for (const auto& [left, right] : region.kept) {
        const real first = std::ceil(left / step);
        const real last = std::ceil(right / step);  // half open: the end belongs to the next piece
        const auto count = static_cast<int>(last - first);
        for (int k = 0; k < count; ++k) {
            allow_interruption(300);
            const real z = (first + static_cast<real>(k)) * step;
            const IntegrandTerm term = integrand.term(z, integrand.point(z));
            sum.value += term.value;
            sum.error += term.value * term.relative_error;
            ++sum.nodes;
        }
    }
    sum.value *= step;
    sum.error *= step;
    return sum;
}

}  // namespace

ExcessMoment excess_moment(const LikelihoodRatio& pair, real order, int max_nodes) {
    require(order > 1.0L && std::isfinite(order), "alpha", static_cast<double>(order),
            "1 < alpha < inf");
    const Integrand integrand(pair, order);
    const PairShape& shape = integrand.shape();
    const real beta = integrand.beta();
    const real root = std::exp(-log_root_two_pi);

    ExcessMoment result;
    result.certified = false;
    const real left = shape.q_left_mean;
    const real right = integrand.steepest();
    if (!integrand.in_range(left, pair.at(left), right, pair.at(right))) return result;
    real largest = probe(integrand);
    real extra = 0.0L;
    for (int attempt = 0; attempt < 4; ++attempt) {
        const real smallness = std::max(0.0L, -largest);
        const real digits = 39.0L + std::log(3.0L + 2.0L * order) + smallness + extra;
        const TrapezoidRule rule = TrapezoidRule::for_accuracy(digits, shape.strip, shape.sector,
                                                               shape.sector_power * beta);
        if (!(rule.step > 0.0L)) return result;
        const Region region = RegionFinder(integrand, rule.step, 44.0L + extra, largest).find();
        if (!region.bounded) return result;
        const Sum sum = sum_nodes(integrand, region, rule.step, max_nodes);
        if (!sum.complete) return result;
        result.nodes += sum.nodes;

        // g = P^a Q^(1-a) phi - (a P - (a-1) Q) phi: the rule errs by at most
        // relative_error (F + 2a - 1), F = 1 + (F-1); solved for the error e of F - 1.
        const ScaledReal value = sum.value * root;
        const ScaledReal rounding =
            sum.error * root +
            value * (unit_roundoff * (4.0L * static_cast<real>(sum.nodes) + 64.0L));
        const ScaledReal omitted = region.omitted * root;
        const real k = 1.001L * rule.relative_error;
        const ScaledReal rule_error =
            (value + rounding + omitted + ScaledReal(2.0L * order)) * (k / (1.0L - k));
        const ScaledReal below = rounding + rule_error;
        result.upper = value + rounding + omitted + rule_error;
        result.lower = below < value ? difference(value, below) : ScaledReal();
        result.certified = true;
        const ScaledReal slack = omitted + rule_error;
        if (slack < value * 2e-15L || value.is_zero()) return result;
        largest = std::min(largest, value.log());
        extra += std::max(5.0L, (slack / value).log() + 36.0L);
    }
    return result;
}

Enclosure renyi_divergence(const ExcessMoment& moment, real order) {
    if (!moment.certified) return {0.0, std::numeric_limits<double>::infinity()};
    const real beta = order - 1.0L;
    const real slack = 16.0L * unit_roundoff;
    return enclose_between(moment.lower.log1p() / beta * (1.0L - slack),
                           moment.upper.log1p() / beta * (1.0L + slack));
}

Enclosure renyi_divergence(const LikelihoodRatio& pair, real order) {
    if (const auto closed = pair.ruled_by_largest_shift(order)) return *closed;
    return renyi_divergence(excess_moment(pair, order), order);
}

}  // namespace assay
