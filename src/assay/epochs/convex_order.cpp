#include "assay/epochs/convex_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/epochs/adaptive_sum.hpp"
#include "assay/epochs/geometric_sum.hpp"
#include "assay/epochs/log_distribution.hpp"
#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;

double batches_per_epoch(const BallsAndBins& m) {
    return static_cast<double>(m.batches_per_epoch);
}

/// E[Y^2; Y <= c] - 1 at the c that one of T terms hardly exceeds: the variance that shapes the sum
/// near its mean.
double typical_variance(const BallsAndBins& m) {
    const double slope = 1.0 / m.noise_multiplier;
    const double log_second = slope * slope;
    double log_variance = log_second < 1e-6 ? std::log(std::expm1(log_second))
                                            : log_second + std::log(-std::expm1(-log_second));
    for (int i = 0; i < 20; ++i) {
        const double log_cut = std::max(0.5 * (std::log(batches_per_epoch(m)) + log_variance),
                                        3.0 * std::min(slope, 1.0));
        const double z = (log_cut - 1.5 * log_second) / slope;
        const double part = 0.5 * std::erfc(-z / std::sqrt(2.0));
        const double cut = log_second + std::log(std::max(part, 1e-300));
        log_variance = std::min(log_variance, std::max(cut, std::log(slope * slope / 2.0)));
    }
    return std::exp(std::clamp(log_variance, -60.0, 600.0));  // no grid resolves less
}

/// S_a and S_b with a + b = T, a = T/2 rounded down: by doubling, `add(x, y, n)` giving S_n.
template <class Distribution, class Add>
std::pair<Distribution, Distribution> halves(std::int64_t batches, Distribution nothing,
                                             const Distribution& single, Add add) {
    const std::int64_t half = batches / 2;
    if (half == 0) return {std::move(nothing), single};
    int bit = 0;
    while ((half >> (bit + 1)) > 0) ++bit;
    Distribution sum = single;
    std::int64_t count = 1;
    for (--bit; bit >= 0; --bit) {
        count *= 2;
        sum = add(sum, sum, count);
        if (((half >> bit) & 1) == 0) continue;
        ++count;
        sum = add(sum, single, count);
    }
    if (batches % 2 == 0) return {sum, sum};
    Distribution longer = add(sum, single, count + 1);
    return {std::move(sum), std::move(longer)};
}

DistributionRounding combined(const DistributionRounding& a, const DistributionRounding& b) {
    return {a.mass + b.mass, std::max(a.position, b.position)};
}

/// Where the grid ends: above every threshold. Payoffs are linear (removal) or 0 (addition) there.
double log_top(const BallsAndBins& m, LossDirection direction, double largest_epsilon) {
    return std::log(batches_per_epoch(m)) +
           (direction == LossDirection::removal ? largest_epsilon + 0.5 : 1e-3);
}

/// The epsilon, at most `largest`, beyond which the addition direction has less than
/// e^{log_negligible}: E[(1 - e^eps W)_+] <= P(W < e^-eps) <= P(Y < T e^-eps)^T.
double farthest_of_addition(const BallsAndBins& m, double largest, double log_negligible) {
    const LognormalCells cells(m.noise_multiplier);
    const auto is_negligible = [&](double epsilon) {
        const double mass = cells.below(std::log(batches_per_epoch(m)) - epsilon).mass;
        return batches_per_epoch(m) * std::log(mass) < log_negligible;
    };
    if (!is_negligible(largest)) return largest;
    return bisect(0.0, largest, 0.0, is_negligible, 30).high;
}

ConvexOrderBracket::Side geometric_side(const BallsAndBins& m, bool low_end, double log_merged,
                                        double log_end, double step, ConvexSide which) {
    // The lowest cells are merged where the variance that this adds is far below that of the grid,
    // in the addition direction also under the tilt that reaches a delta of about 1e-15; and where
    // a term is below e^{log_merged}.
    const LognormalCells cells(m.noise_multiplier);
    const double share = (low_end ? 1e-6 : 1e-3) * step * step / 6.0;
    double log_floor = 0.0;
    while (log_floor > -700.0 &&
           (log_floor > log_merged ||
            (log_floor > -600.0 && std::exp(log_floor) * cells.below(log_floor).moment > share)))
        log_floor -= 4.0 * step;
    GeometricSums sums(which, step, log_floor, log_end);
    const double tilt = low_end ? 8.0 / std::sqrt(batches_per_epoch(m) * typical_variance(m)) : 0.0;
    const auto add = [&](const GeometricGridDistribution& a, const GeometricGridDistribution& b,
                         std::int64_t count) {
        const auto n = static_cast<double>(count);
        return sums.trimmed(sums.sum(a, b), share * n * n, std::exp(std::min(tilt * n, 60.0)),
                            n * std::exp(log_merged));
    };
    GeometricGridDistribution nothing;
    nothing.low = {1.0, 0.0};
    const auto [a, b] =
        halves(m.batches_per_epoch, std::move(nothing), sums.lognormal(m.noise_multiplier), add);
    return {std::make_shared<SumPayoffs>(sums.atoms(a), sums.atoms(b)),
            combined(a.rounding, b.rounding), 0.0};
}

ConvexOrderBracket::Side centred_side(const BallsAndBins& m, double log_end, double step,
                                      ConvexSide which) {
    const double variance = typical_variance(m);
    const double end = std::exp(log_end);
    const auto grid = [&](std::int64_t count) {
        const auto n = static_cast<double>(count);
        return centred_grid(n, std::sqrt(n * variance), step,
                            13.0 * std::sqrt(n * (variance + 1.0)), end);
    };
    const auto add = [&](const CentredDistribution& a, const CentredDistribution& b,
                         std::int64_t count) { return centred_sum(a, b, grid(count), which); };
    CentredDistribution nothing;
    nothing.position = {0.0};
    nothing.mass = {1.0};
    const auto [a, b] = halves(m.batches_per_epoch, std::move(nothing),
                               centred_lognormal(m.noise_multiplier, grid(1), which), add);
    return {std::make_shared<SumPayoffs>(atoms(a), atoms(b)), combined(a.rounding, b.rounding),
            batches_per_epoch(m)};
}

}  // namespace

Resolution coarse_resolution(const BallsAndBins& mechanism) {
    // Unless the variance of the sum is small against its mean, relative cells resolve it.
    const double slope = 1.0 / mechanism.noise_multiplier;
    const double log_variance = slope > 1.0 ? slope * slope : std::log(std::expm1(slope * slope));
    return std::log(batches_per_epoch(mechanism)) - log_variance > std::log(1000.0)
               ? Resolution{SumGrid::centred, 0.01}
               : Resolution{SumGrid::geometric, 0.02};
}

double typical_deviation(const BallsAndBins& mechanism) {
    return std::sqrt(typical_variance(mechanism) / batches_per_epoch(mechanism));
}

double negligible_beyond(const BallsAndBins& mechanism, double delta) {
    // W = 1 + one large term + deviations, each beyond what happens with that probability under P.
    const double rarer = delta < 1e-16 ? std::sqrt(-2.0 * std::log(delta)) : 0.0;
    const double slope = 1.0 / mechanism.noise_multiplier;
    const double log_term =
        0.5 * slope * slope + std::max(8.3, rarer) * slope - std::log(batches_per_epoch(mechanism));
    const double deviation = std::max(9.0, rarer) * typical_deviation(mechanism);
    if (log_term > 30.0) return std::min(log_term, 600.0);
    return std::log1p(std::exp(log_term) + deviation);
}

ConvexOrderBracket::ConvexOrderBracket(const BallsAndBins& mechanism, LossDirection direction,
                                       double largest_epsilon, const Resolution& resolution,
                                       bool both_ends, double null_mass)
    : mechanism_(mechanism),
      direction_(direction),
      largest_epsilon_(largest_epsilon),
      resolution_(resolution) {
    validate(mechanism);
    require(largest_epsilon >= 0.0 && largest_epsilon <= 600.0, "largest-epsilon", largest_epsilon,
            "0 <= epsilon <= 600");
    require(resolution.step >= 1e-5 && resolution.step <= 0.25, "step", resolution.step,
            "1e-5 <= step <= 1/4");
    const bool addition = direction == LossDirection::addition;
    if (addition) largest_epsilon_ = farthest_of_addition(mechanism, largest_epsilon, -41.5);
    const double end = log_top(mechanism, direction, largest_epsilon);
    const bool low_end = both_ends || addition;
    // Terms below it are merged: a hundredth of the grid's own error at the least threshold, T
    // e^{-epsilon}; in a composition, what all T terms are below with that probability.
    double log_merged = 1e3;
    if (addition) log_merged = -largest_epsilon_ + std::log(0.01 * resolution.step);
    if (both_ends && null_mass < 1.0)
        log_merged = -farthest_of_addition(mechanism, largest_log_ratio, std::log(null_mass));
    for (const ConvexSide which : {ConvexSide::below, ConvexSide::above})
        (which == ConvexSide::below ? below_ : above_) =
            resolution.grid == SumGrid::geometric
                ? geometric_side(mechanism, low_end, log_merged, end, resolution.step, which)
                : centred_side(mechanism, end, resolution.step, which);
}

Enclosure ConvexOrderBracket::resolved(double x) const {
    const double batches = batches_per_epoch(mechanism_);
    const bool removal = direction_ == LossDirection::removal;
    const double threshold = batches * std::exp(removal ? x : -x);
    const double scale = removal ? 1.0 / batches : std::exp(x) / batches;
    // docs/error_bounds.md#convex-order: true positions are between y - p (y + level) and
    // y + p (y + level), true masses within a factor e^{+-m}; x and e^x are rounded, and payoffs.
    const auto value = [&](const Side& side, bool upper) {
        const double p = 1.01 * side.rounding.position + 16.0 * unit;
        const double m =
            side.rounding.mass + p + 8.0 * (static_cast<double>(atoms()) + 16.0) * unit;
        const bool out =
            upper == removal;  // positions move out: up for excesses, which count from above
        const double q = out ? p : -p;
        const double moved = std::max(0.0, (threshold - q * side.level) / (1.0 + q));
        const double payoff =
            removal ? side.payoffs->excess(moved) : side.payoffs->shortfall(moved);
        return payoff * scale * (upper ? std::exp(m) : std::exp(-m));
    };
    // Cells whose mass underflows hold less than 1e-40 of any payoff. In the addition direction
    // what 1e12 underflowing moments lose is multiplied by e^x.
    constexpr double least = std::numeric_limits<double>::denorm_min();
    const double underflow = 1e-40 + (removal ? 0.0 : 1e12 * least * std::exp(x));
    const double upper = std::min(1.0, value(above_, true) + underflow);
    const double lower = value(below_, false) - underflow;
    return {lower > 0.0 ? std::min(lower, upper) : 0.0, upper};  // nothing where it is NaN
}

Enclosure ConvexOrderBracket::delta(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    if (epsilon <= largest_epsilon_) return resolved(epsilon);
    // delta falls with epsilon, so that the upper side holds beyond.
    const double upper = resolved(largest_epsilon_).upper;
    constexpr double farthest = 700.0;  // where e^epsilon is a number
    if (direction_ == LossDirection::removal || epsilon > farthest) return {0.0, upper};
    const Enclosure there = resolved(epsilon);
    return {std::min(there.lower, upper), std::min(there.upper, upper)};
}

std::size_t ConvexOrderBracket::atoms() const {
    return std::max(below_.payoffs->atoms(), above_.payoffs->atoms());
}

const ConvexOrderBracket::Side& ConvexOrderBracket::side(ConvexSide which) const {
    return which == ConvexSide::below ? below_ : above_;
}

}  // namespace assay
