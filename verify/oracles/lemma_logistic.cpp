#include "verify/oracles/lemma_logistic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay::verify::lemma {

namespace {

constexpr double powers = 3.0;  // the largest i + j

/// Step and error of the rule: with s = sqrt(variance), |1 + w e^{i phi}| >= (1+w) cos(phi/2) gives
/// |sg^i (1-sg)^j (x + iy)| <= its value at x / cos(s y/2)^3, so by the strip theorem
/// (docs/proofs.md, H) the relative error is at most
/// 2 e^{y^2/2} cos(s y/2)^-3 / (e^{2 pi y/h} - 1) for s y < pi.
struct Rule {
    double step = 0.0;
    double log_error = 0.0;
};

Rule rule_for(double deviation, double nats) {
    const double most = std::min(30.0, 0.98 * std::numbers::pi / std::max(deviation, 1e-9));
    Rule rule;
    for (int i = 1; i <= 40; ++i) {
        const double y = most * i / 40;
        const double growth = y * y / 2 - powers * std::log(std::cos(deviation * y / 2)) + 1.0;
        const double step = 2 * std::numbers::pi * y / (nats + growth);
        if (step > rule.step) rule = {step, growth - 2 * std::numbers::pi * y / step};
    }
    rule.step = std::ldexp(std::floor(std::ldexp(rule.step, 12)), -12);
    return rule;  // a smaller step, the same bound
}

/// x with everything up to `relative` of it and `absolute` added on both sides.
Interval widened(const Interval& x, const Interval& relative, const Interval& absolute) {
    const Interval error = abs(x) * relative + absolute;
    return Interval::between(x - error, x + error);
}

}  // namespace

LogisticMoments logistic_moments(const Interval& mean, const Interval& variance, long bits) {
    // Moments are at least about e^{-3 |mean|}, and the probability of |y| <= 1 times 1/50: tails
    // and errors go below that.
    const double size = std::max(std::abs(mean.lower_double()), std::abs(mean.upper_double()));
    const double spread = variance.upper_double();
    const double smallness =
        std::min(3.0 * size, (size + 1) * (size + 1) / (2 * spread) + 0.5 * std::log1p(spread) + 5);
    const long p = bits + static_cast<long>(smallness / std::numbers::ln2) + 40;
    const double nats = static_cast<double>(p) * std::numbers::ln2;
    const Interval deviation = sqrt(variance);
    const Rule rule = rule_for(deviation.upper_double(), nats);
    const long last = static_cast<long>(std::ceil((std::sqrt(2 * nats) + 1.0) / rule.step));
    const Interval one(1.0, p);
    Interval sums[4] = {Interval(0.0, p), Interval(0.0, p), Interval(0.0, p), Interval(0.0, p)};
    for (long k = -last; k <= last; ++k) {
        const Interval z(rule.step * static_cast<double>(k), p);
        const Interval weight = exp(square(z) * -0.5);
        const Interval e = exp(-(mean + deviation * z));
        const Interval sg = one / (one + e);
        const Interval rest = e / (one + e);
        const Interval slope = weight * sg * rest;
        sums[0] += weight * sg;
        sums[1] += slope;
        sums[2] += slope * rest;
        sums[3] += slope * sg;
    }
    const Interval factor = Interval(rule.step, p) / sqrt(Interval::pi(p) * 2.0);
    // Outside, every moment is at most 1: two half-lines of at most (h + 1) phi(Z).
    const double beyond = rule.step * static_cast<double>(last);
    const Interval tail = exp(square(Interval(beyond, p)) * -0.5) * (rule.step + 1.0);
    const Interval relative = exp(Interval(rule.log_error + 0.7, p));  // log 2, and the "- 1"
    for (Interval& sum : sums) sum = widened(sum * factor, relative, tail);
    return {sums[0], sums[1], sums[2], sums[3], sums[2] - sums[3]};
}

LogisticMoments psi_moments(const Interval& L, const Interval& t, long bits) {
    return logistic_moments(L + t / 2.0, t, bits);
}

LogisticMoments g_moments(const Interval& L, const Interval& m, const Interval& b, long bits) {
    return logistic_moments(L + m, b, bits);
}

}  // namespace assay::verify::lemma
