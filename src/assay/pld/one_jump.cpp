#include "assay/pld/one_jump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/convolve.hpp"
#include "assay/pld/hockey_stick.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_points = std::size_t{1} << 22U;

/// Of one cut, a dozen of which are tried: a release that tells little at most of its steps takes
/// many points.
constexpr double most_products_of_cells = 2e8;

/// Every stage of doubling may add spacing^2/6, every factor step^2/6 to the losses' variance.
PldResolution resolution_for(const CompositionPlan& plan, double precision) {
    PldResolution resolution;
    resolution.spacing = std::clamp(std::sqrt(0.5 * precision), 1e-3, 0.04);
    resolution.step = short_step(
        std::clamp(plan.scale() * std::sqrt(3.0 * precision / plan.factors()), 1e-9, 0.1));
    while (resolution.step < 0.1 && plan.products_of_cells(resolution) > most_products_of_cells)
        resolution.step = short_step(1.3 * resolution.step);
    return resolution;
}

}  // namespace

double OneJump::compose(const JumpSplit& split, Adjacency adjacency, double epsilon, double delta,
                        double precision) {
    require(precision > 0.0 && precision < 1.0, "precision", precision, "0 < precision < 1");
    CompositionPlan first(split.first, adjacency, precision);
    first.neglect(1e-8 * delta);
    scale_ = first.scale();
    const LossBlocks blocks = first.blocks(Direction::upper, resolution_for(first, precision));
    const std::vector<RepeatedLoss> parts = blocks.parts();
    double tilt = 1.0;
    for (const double slack : {7.0, 0.0}) {
        tilt = tilt_for(parts, epsilon, PayoffSide::removal, slack);
        distributions_.emplace_back(convolve(parts, tilt, most_points));
    }
    return tilt;
}

OneJump::OneJump(const JumpSplit& split, Adjacency adjacency, double epsilon, double least_epsilon,
                 double delta, double precision, int widest) {
    // One tilt serves both parts: that of the payoff.
    const double tilt = compose(split, adjacency, epsilon, delta, precision);
    CompositionPlan last(split.last, adjacency, precision);
    last.neglect(1e-8 * delta);
    const LossBlocks jump = last.blocks(Direction::upper, resolution_for(last, precision));
    const PrivacyLossPmf distribution = convolve(jump.parts(), tilt, most_points);
    // A wider kernel smooths what the grids leave of atoms.
    std::vector<RisingThresholds> candidates;
    double lowest = infinity;
    for (int width = 1; width <= widest; width *= 4) {
        candidates.push_back(rising_thresholds(distribution, width));
        if (candidates.back().thresholds.empty()) return;
        lowest = std::min(lowest, candidates.back().thresholds.front());
    }
    tail_.emplace(distributions_, split.moments, least_epsilon + lowest - 1e-6,
                  std::min(0.1, std::sqrt(precision) * scale_), 1e-6 * delta);
    double least = infinity;
    for (RisingThresholds& candidate : candidates) {
        const double value = bound(candidate, epsilon);
        if (value >= least) continue;
        least = value;
        thresholds_ = std::move(candidate);
    }
}

OneJump::OneJump(const JumpSplit& split, const ChainLink& link, Adjacency adjacency, double epsilon,
                 double least_epsilon, double delta, double precision)
    : thresholds_(link.thresholds), power_rate_(link.order - 1.0) {
    compose(split, adjacency, epsilon, delta, precision);
    if (thresholds_.thresholds.empty()) return;
    tail_.emplace(distributions_, split.moments,
                  least_epsilon + thresholds_.thresholds.front() - 1e-6,
                  std::min(0.1, std::sqrt(precision) * scale_), 1e-6 * delta);
    log_power_ = infinity;
    for (const MomentBound& moment : split.moments)
        if (moment.order == link.order) log_power_ = link.log_power + moment.log_moment;
}

double OneJump::bound(const RisingThresholds& thresholds, double epsilon) const {
    if (!tail_ || thresholds.thresholds.empty() || !std::isfinite(thresholds.infinity_mass))
        return 1.0;
    const double from = epsilon - thresholds.loss_error;
    const double at = from - 4.0 * u * std::fabs(from);
    double sum = 0.0;
    for (std::size_t j = 0; j < thresholds.thresholds.size(); ++j)
        sum += thresholds.rises[j] * (*tail_)(at + thresholds.thresholds[j]);
    sum *= 1.0 + (static_cast<double>(thresholds.thresholds.size()) + 16.0) * 2.0 * u;
    const double scale = std::exp(thresholds.mass_error + thresholds.loss_error);
    return widen_up((sum + thresholds.infinity_mass) * scale, 8);
}

double OneJump::delta(double epsilon) const {
    const double exponent = log_power_ - power_rate_ * epsilon;
    const double size = std::fabs(log_power_) + std::fabs(power_rate_ * epsilon) + 1.0;
    const double power =
        log_power_ == -infinity ? 0.0 : widen_up(std::exp(exponent + 8.0 * u * size), 4);
    return std::min(1.0, widen_up(bound(thresholds_, epsilon) + power, 1));
}

std::optional<double> OneJump::epsilon(double target, double low, double high) const {
    if (!(delta(high) <= target)) return std::nullopt;
    return bisect(low, high, 1e-12, [&](double e) { return delta(e) <= target; }).high;
}

}  // namespace assay
