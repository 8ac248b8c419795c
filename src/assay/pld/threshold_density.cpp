#include "assay/pld/threshold_density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/pld/concave_majorant.hpp"
#include "assay/pld/power_divergence.hpp"
#include "assay/pld/threshold_payoff.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();
/// What a group may leave to the power, as a part of delta.
constexpr double least_part = 2e-6;

double log_sum(double a, double b) {
    const double top = std::max(a, b);
    if (top == -infinity) return top;
    return top + std::log(std::exp(a - top) + std::exp(b - top)) + 1e-12;
}

}  // namespace

LossKernel::LossKernel(const PrivacyLossPmf& distribution)
    : first(distribution.first),
      infinity_mass(distribution.infinity_mass),
      mass_error(distribution.mass_error),
      loss_error(distribution.loss_error) {
    for (std::size_t i = 0; i < distribution.masses.size(); ++i)
        masses.push_back(distribution.masses[i] * std::exp(distribution.loss(i)));
    mass_error += (4.0 * std::fabs(distribution.loss(masses.size() - 1)) + 4.0) * u;
}

class ThresholdDensity::RunningMaximum {
public:
    RunningMaximum(const std::vector<double>& density, double step)
        : cells_(static_cast<std::int64_t>(density.size())),
          step_(step),
          beyond_(excess_of(density), step) {}

    [[nodiscard]] double highest() const { return highest_; }
    [[nodiscard]] std::size_t mode() const { return mode_; }
    /// The integral of the excess density inside the window.
    [[nodiscard]] double rising() const { return rising_; }

    /// What a group pays at the node, the excess alone.
    [[nodiscard]] double expected_excess(const LossKernel& kernel, std::int64_t node) const {
        double sum = 0.0;
        for (std::size_t i = kernel.masses.size(); i-- > 0;) {
            const std::int64_t at = node + kernel.first + static_cast<std::int64_t>(i);
            const double paid = excess_paid(at);
            if (paid == 0.0) break;  // and to the left of it
            sum += kernel.masses[i] * paid;
        }
        return sum * (1.0 + (static_cast<double>(cells_) + 64.0) * 4.0 * u);
    }

private:
    std::vector<double> excess_of(const std::vector<double>& density) {
        std::vector<double> excess(density.size());
        for (std::size_t i = 0; i < density.size(); ++i) {
            if (density[i] > highest_) {
                highest_ = density[i];
                mode_ = i;
            }
            excess[i] = highest_ - density[i];
            rising_ += excess[i] * step_;
        }
        return excess;
    }
    // Beyond the window its density is the highest.
    [[nodiscard]] double excess_paid(std::int64_t node) const {
        if (node <= 0) return 0.0;
        if (node <= cells_) return beyond_.value[static_cast<std::size_t>(node)];
        const double t = step_ * static_cast<double>(node - cells_);
        const double fall = -std::expm1(-t);
        return beyond_.value.back() + fall * beyond_.slope.back() + highest_ * (t - fall);
    }

    std::int64_t cells_;
    double step_;
    double highest_ = 0.0;
    std::size_t mode_ = 0;
    double rising_ = 0.0;
    ThresholdPayoff beyond_;  // after the numbers that its density sets
};

ThresholdDensity::ThresholdDensity(const ChainMoments& moments, double first, double step,
                                   std::size_t cells)
    : moments_(moments), first_(first), step_(step), density_(cells, 0.0) {
    for (const MomentBound& moment : moments.moments)
        if (moment.order == moments.order) order_moment_ = moment.log_moment;
}

void ThresholdDensity::start(const PrivacyLossPmf& distribution, std::int64_t steps) {
    // One atom a cell: the grid of cells lies half a cell and more below that of thresholds.
    const auto n = static_cast<std::int64_t>(density_.size());
    for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
        const double mass = distribution.masses[i] * std::exp(distribution.loss(i));
        const std::int64_t k = -(distribution.first + static_cast<std::int64_t>(i)) - origin();
        if (k < 0) {
            infinity_mass_ += mass;
        } else {
            density_[static_cast<std::size_t>(std::min(k, n - 1))] += mass / step_;
        }
    }
    infinity_mass_ += distribution.infinity_mass;
    mass_error_ = distribution.mass_error + 1e-12;
    loss_error_ = distribution.loss_error + 1e-13;
    steps_ = static_cast<double>(steps);
}

ThresholdDensity::Moved ThresholdDensity::moved_by(const LossKernel& kernel) const {
    const auto n = static_cast<std::int64_t>(density_.size());
    Moved moved;
    std::vector<double>& next = moved.density;
    next.assign(density_.size(), 0.0);
    for (const double g : density_) moved.mass += g * step_;
    for (std::size_t i = 0; i < kernel.masses.size(); ++i) {
        const double p = kernel.masses[i];
        const std::int64_t shift = kernel.first + static_cast<std::int64_t>(i);
        const std::int64_t from = std::clamp<std::int64_t>(shift, 0, n);
        const std::int64_t to = std::clamp<std::int64_t>(n + shift, 0, n);
        if (from < to) {
            const double* const source = density_.data() + from;
            double* const target = next.data() + (from - shift);
            for (std::int64_t j = 0; j < to - from; ++j) target[j] += p * source[j];
        }
        const double* const all = density_.data();
        for (std::int64_t j = 0; j < from; ++j) moved.escaped += p * all[j] * step_;
        for (std::int64_t j = to; j < n; ++j) next.back() += p * all[j];
    }
    return moved;
}

bool ThresholdDensity::add(const LossKernel& kernel, std::int64_t steps) {
    const auto n = static_cast<std::int64_t>(density_.size());
    Moved moved = moved_by(kernel);
    const std::vector<double>& next = moved.density;
    const ThresholdPayoff before(density_, step_);
    const ThresholdPayoff after(next, step_);

    const RunningMaximum maximum(density_, step_);
    const std::size_t mode = maximum.mode();
    const double highest = maximum.highest();
    // What the kernel's mass at infinity and larger ratios pay: a line and a power.
    const double reach =
        first_ + step_ * static_cast<double>(n + std::max<std::int64_t>(0, kernel.last()));
    const double b = moments_.order - 1.0;
    const double m = static_cast<double>(steps);
    steps_ += m;
    const double least_line = least_part * moments_.delta;
    const double least_power =
        least_part * std::exp(std::min(600.0, steps_ * order_moment_ - moments_.log_reach));
    const double far = highest * kernel.infinity_mass * step_ *
                       static_cast<double>(std::max<std::int64_t>(0, kernel.last()));
    const double line = kernel.infinity_mass * (moved.mass + maximum.rising()) + far;
    double power =
        highest *
        std::exp(m * order_moment_ - b * reach + b * std::log(b) - (1.0 + b) * std::log1p(b)) / b;

    // Left of the switch the running maximum, right of it the powers.
    ConcaveMajorant hull(density_, mode, first_, step_);
    if (hull.empty()) return false;
    const PowerDivergence divergence(moments_, steps);
    const double steepest = divergence.steepest();
    double floor_power = 0.0;
    // E (U1 - U)(xW)/x does not fall: the first node's covers all x below the window.
    double floor_line = maximum.expected_excess(kernel, 1);
    bool switched = false;
    std::vector<double> need(density_.size() + 1, 0.0);  // of each cell, beyond U_A
    double next_excess = -1.0;
    for (std::int64_t l = 0; l <= n; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const double y = first_ + step_ * static_cast<double>(l);
        const double paid = after.value[i];
        // Recursions of so many terms, logarithms and exponentials.
        const double slack = 16.0 * static_cast<double>(n + 64) * u;
        // Powers: needs a slope <= 0, so at or right of the mode.
        double by_power = infinity;
        if (i >= mode) {
            const double slope = hull.slope_at(y, steepest);
            const double most = std::exp(hull.support(slope) + slope * y);
            const double gain = after.value[i] - before.value[i];
            const double gain_slope = after.slope[i] - before.slope[i];
            const double curve = l < n ? next[i] - density_[i] : 0.0;
            const double length = l < n ? -std::expm1(-step_) : 1.0;
            const double least_gain = gain + length * std::min(0.0, gain_slope) +
                                      0.5 * step_ * step_ * std::min(0.0, curve) - slack * paid;
            by_power = most * divergence(slope) * (1.0 + slack) - least_gain;
        }
        double by_maximum = infinity;
        if (!switched && l < n) {
            next_excess = maximum.expected_excess(kernel, l + 2) * std::exp(2.0 * step_);
            by_maximum = next_excess;
        }
        const double needed = std::min(by_power, by_maximum);
        if (by_power < by_maximum) switched = true;
        if (needed <= 0.0) continue;
        if (!std::isfinite(needed)) return false;
        const double alone = needed * std::exp(-b * y);
        if (alone <= least_power)
            floor_power = std::max(floor_power, alone);
        else if (needed <= least_line && i < mode)
            floor_line = std::max(floor_line, needed);
        else if (2 * i < mode && needed > 0.5 * paid)
            return false;  // large losses: no supplement reaches that far
        else
            need[i] = needed;
    }
    const Supplement supplement = supply(need, after.value, mode, b);
    const double theta = supplement.factor * (1.0 + 1e-9);
    if (!(theta < 0.5) || !std::isfinite(power)) return false;
    power += floor_power;
    log_factor_ += std::log1p(theta);
    log_power_ =
        log_sum(log_power_ + m * order_moment_,
                std::log(power) + log_factor_ + mass_error_ + moments_.order * loss_error_ + 1e-9);
    infinity_mass_ += (line + floor_line + moved.escaped) * (1.0 + 1e-9);
    mass_error_ += kernel.mass_error + (static_cast<double>(kernel.masses.size()) + 16.0) * u;
    loss_error_ += kernel.loss_error;
    density_ = std::move(moved.density);
    spread(supplement);
    return true;
}

// The factor multiplies what is added too: it need not, but may.
void ThresholdDensity::spread(const Supplement& supplement) {
    const double more = supplement.mass / (step_ * static_cast<double>(supplement.cells));
    if (more > 0.0)
        for (std::size_t i = 0; i < supplement.cells; ++i) density_[supplement.cell + i] += more;
}

ChainLink ThresholdDensity::link(std::int64_t steps) const {
    ChainLink link;
    link.steps = steps;
    double highest = 0.0;
    for (std::size_t i = 0; i < density_.size(); ++i) {
        if (density_[i] <= highest) continue;
        link.thresholds.thresholds.push_back(first_ + step_ * static_cast<double>(i));
        link.thresholds.rises.push_back(density_[i] - highest);
        highest = density_[i];
    }
    link.thresholds.infinity_mass = infinity_mass_;
    link.thresholds.mass_error = mass_error_ + log_factor_ + 1e-12;
    link.thresholds.loss_error = loss_error_ + 1e-13;
    link.density = density_;
    link.first = first_;
    link.step = step_;
    link.log_power = log_power_;
    link.order = moments_.order;
    return link;
}

ThresholdDensity::Supplement ThresholdDensity::supply(const std::vector<double>& need,
                                                      const std::vector<double>& paid,
                                                      std::size_t mode, double rate) const {
    Supplement best;
    for (std::size_t i = 0; i < need.size(); ++i)
        if (need[i] > 0.0) best.factor = std::max(best.factor, need[i] / paid[i]);
    if (best.factor == 0.0) return best;
    const auto place = [&](std::size_t i) { return first_ + step_ * static_cast<double>(i); };
    double weight = 0.0;  // of the density, tilted
    for (std::size_t i = 0; i < density_.size(); ++i)
        weight += density_[i] * step_ * std::exp(-rate * (place(i) - place(mode)));
    double least = best.factor * weight;
    // A length of a third of the scale: a spike would be a new maximum.
    double highest = 0.0;
    for (const double g : density_) highest = std::max(highest, g);
    const auto length = static_cast<std::size_t>(
        std::clamp(0.13 / (highest * step_), 1.0, 0.1 * static_cast<double>(density_.size())));
    const std::size_t skipped = length / 2 + 1;
    // What a unit mass pays at the nodes after the first cell; beyond the window it is more.
    std::vector<double> unit(density_.size(), 0.0);
    for (std::size_t i = 0; i < length; ++i) unit[i] = 1.0 / (step_ * static_cast<double>(length));
    std::vector<double> excesses = ThresholdPayoff(unit, step_).value;
    for (double& excess : excesses) excess *= 1.0 - 1e-9;
    const std::size_t stride = std::max<std::size_t>(1, density_.size() / 400);
    const Supplement whole = best;
    for (std::size_t cell = mode > 40 * stride ? mode - 40 * stride : 0;
         cell + 1 < density_.size() && cell < mode + 60 * stride; cell += stride) {
        Supplement tried;
        tried.cell = cell;
        tried.cells = length;
        if (cell + length > density_.size()) break;
        for (std::size_t i = 0; i <= cell + skipped; ++i)
            if (need[i] > 0.0) tried.factor = std::max(tried.factor, need[i] / paid[i]);
        if (tried.factor >= whole.factor) break;
        for (std::size_t i = cell + skipped + 1; i < need.size(); ++i) {
            const double rest = need[i] - tried.factor * paid[i];
            if (rest > 0.0)
                tried.mass =
                    std::max(tried.mass, rest / excesses[std::min(i - cell, excesses.size() - 1)]);
        }
        tried.mass *= 1.0 + 1e-9;
        const double cost =
            tried.factor * weight + tried.mass * std::exp(-rate * (place(cell) - place(mode)));
        if (cost < least) {
            least = cost;
            best = tried;
        }
    }
    return best;
}

std::int64_t ThresholdDensity::origin() const {
    return static_cast<std::int64_t>(std::ceil(first_ / step_));
}

}  // namespace assay
