#include "assay/rdp/loss_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/trapezoid.hpp"

namespace assay {

namespace {

constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;
constexpr real most_nodes = 3'000.0L;

}  // namespace

LossSampler::LossSampler(const LikelihoodRatio& pair) : pair_(&pair), shape_(pair.shape()) {}

void LossSampler::cover(real step, real left, real right) {
    // A finer step serves as well: the rule's error only falls.
    if (!(step_ > 0.4L * step && step_ <= step)) {
        nodes_.clear();
        step_ = step;
        left_ = left;
        next_ = std::floor((left - shape_.crossing) / step);
    }
    for (;; next_ += 1.0L) {
        const real z = shape_.crossing + (next_ + 0.5L) * step_;
        if (z > right) break;
        const LossPoint point = pair_->at(z);
        nodes_.push_back({z, point.log_p, point.loss, point.absolute_error});
    }
}

std::optional<LossMoments> LossSampler::moments(real tilt) {
    require(tilt >= 0.0L && std::isfinite(tilt), "tilt", static_cast<double>(tilt), "tilt >= 0");
    // Half the strip keeps |log(P/Q)| off the zeros: |L(x+iy)| <= |L(x)| + bulge there, with
    // bulge <= 2 (sector_power + 1) (log sqrt 2 + pi/2).
    const real strip = 0.5L * shape_.strip;
    const real bulge = 4.0L * (shape_.sector_power + 1.0L) + 4.0L * (1.0L + shape_.p_slope_max);
    constexpr real digits = 110.0L;
    const TrapezoidRule rule =
        TrapezoidRule::for_accuracy(digits, strip, shape_.sector, shape_.sector_power * tilt);
    const real steepest = (tilt + 1.0L) * shape_.p_slope_max - tilt * shape_.q_slope_min;
    // P^{t+1} Q^{-t} phi lies below normal densities with means in [q_left_mean, steepest], up to
    // weights, so 15 deviations leave e^{-112}.
    const real left = shape_.q_left_mean - 15.0L;
    const real right = steepest + 15.0L;
    if (!(rule.step > 0.0L) || (right - left) / rule.step > most_nodes) return std::nullopt;
    cover(rule.step, left, right);
    allow_interruption(40 * nodes_.size());

    struct Weighted {
        real weight;  // first its logarithm
        real loss;
    };
    std::vector<Weighted> nodes;
    nodes.reserve(nodes_.size());
    real largest = -std::numeric_limits<real>::infinity();
    real worst = 0.0L;
    for (const Node& node : nodes_) {
        if (node.z > right) break;
        const real log_weight = node.log_p + tilt * node.loss - 0.5L * node.z * node.z;
        nodes.push_back({log_weight, node.loss});
        largest = std::max(largest, log_weight);
        worst = std::max(worst, (1.0L + tilt) * node.absolute_error +
                                    unit_roundoff * (node.z * node.z + std::fabs(log_weight)));
    }
    real total = 0.0L;
    real first = 0.0L;
    real spread = 0.0L;
    for (Weighted& node : nodes) {
        node.weight = std::exp(node.weight - largest);
        total += node.weight;
        first += node.weight * node.loss;
        spread += node.weight * std::fabs(node.loss);
    }
    LossMoments moments;
    moments.mean = first / total;
    real second = 0.0L;
    real fourth = 0.0L;
    for (const Weighted& node : nodes) {
        const real gap = node.loss - moments.mean;
        second += node.weight * gap * gap;
        fourth += node.weight * gap * gap * gap * gap;
    }
    moments.variance = second / total;
    moments.fourth = fourth / total;
    // The rule's and the tails' share: below e^-100 of 8 (|L|^4 + bulge^4), relative to the
    // variance.
    const real scale = 8.0L * (moments.fourth + std::pow(std::fabs(moments.mean) + bulge, 4.0L));
    const real analytic = std::exp(-100.0L) * scale;
    const auto count = static_cast<real>(nodes.size());
    const real rounding = 8.0L * worst + 4.0L * count * unit_roundoff;
    moments.mean_error = rounding * spread / total + analytic;
    const real gap = moments.mean_error * moments.mean_error / moments.variance;
    moments.variance_error = 4.0L * rounding + 2.0L * analytic / moments.variance + gap;
    moments.fourth *= 1.0L + 1e-6L;
    if (!(moments.variance > 0.0L) || !(moments.variance_error < 1e-6L)) return std::nullopt;
    const real log_total = std::log(total * step_) + largest - log_root_two_pi;
    moments.log_mgf = log_total - 2.0L * worst -
                      8.0L * unit_roundoff * (count + std::fabs(log_total)) - std::exp(-90.0L);
    return moments;
}

std::optional<LossMoments> tilted_loss_moments(const LikelihoodRatio& pair, real tilt) {
    return LossSampler(pair).moments(tilt);
}

}  // namespace assay
