#include "assay/pld/jump_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "assay/numeric/errors.hpp"
#include "assay/pld/convolve.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_points = std::size_t{1} << 22U;
constexpr std::size_t most_cells = std::size_t{1} << 15U;
constexpr double most_products = 2e7;  // of a group
/// Steps of a group are at most this part of those behind it.
constexpr std::int64_t groups_a_doubling = 48;
/// What a group may leave to the power, as a part of delta.
constexpr double least_part = 2e-6;

PldResolution resolution_for(const CompositionPlan& plan, double precision) {
    PldResolution resolution;
    resolution.spacing = std::clamp(std::sqrt(0.5 * precision), 1e-3, 0.04);
    resolution.step = short_step(
        std::clamp(plan.scale() * std::sqrt(3.0 * precision / plan.factors()), 1e-9, 0.1));
    return resolution;
}

/// The atoms of an upper distribution with all that rounding may have taken.
RatioAtoms atoms_of(const PrivacyLossPmf& distribution) {
    RatioAtoms atoms;
    atoms.direction = Direction::upper;
    double largest = 0.0;
    double lost = distribution.below_p;  // moved up to the first atom that is kept
    for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
        const double loss = distribution.loss(i);
        const double q = (std::max(0.0, distribution.masses[i]) + distribution.rounding) *
                         std::exp(distribution.log_scale - distribution.tilt * loss);
        const double p = q * std::exp(loss);
        if (q < least_mass || p + lost < least_mass) {
            lost += p;
            continue;
        }
        largest = std::max(largest, std::fabs(loss));
        atoms.under_q.push_back(q + lost * std::exp(-loss));
        atoms.under_p.push_back(p + lost);
        lost = 0.0;
    }
    atoms.infinity_mass = (distribution.infinity_mass + lost) * (1.0 + 16.0 * u);
    atoms.mass_error =
        distribution.mass_error +
        (8.0 * (std::fabs(distribution.log_scale) + 2.0 * std::fabs(distribution.tilt) * largest) +
         static_cast<double>(distribution.masses.size()) + 16.0) *
            u;
    atoms.loss_error = distribution.loss_error + (6.0 * largest + 16.0) * u;
    return atoms;
}

/// `steps` of a pair on the points step k.
PrivacyLossPmf distribution_of(const DominatingPair& pair, std::int64_t steps, Adjacency adjacency,
                               const LossGrid& grid, double precision) {
    const std::vector<RepeatedLossPair> pairs{{pair, steps}};
    CompositionPlan plan(pairs, adjacency, precision);
    plan.neglect(grid.negligible);
    PldResolution resolution = resolution_for(plan, precision);
    // Points farther apart than those of the grid would leave gaps on it.
    resolution.step = std::min(resolution.step, short_step(0.25 * grid.step));
    const LossBlocks blocks = plan.blocks(Direction::upper, resolution);
    return discretise_at(atoms_of(convolve(blocks.parts(), 1.0, most_points)), adjacency, grid,
                         0.0);
}

/// Masses under P on the points step k.
struct Kernel {
    std::int64_t first = 0;
    std::vector<double> masses;
    double infinity_mass = 0.0;
    double mass_error = 0.0;
    double loss_error = 0.0;

    explicit Kernel(const PrivacyLossPmf& distribution)
        : first(distribution.first),
          infinity_mass(distribution.infinity_mass),
          mass_error(distribution.mass_error),
          loss_error(distribution.loss_error) {
        for (std::size_t i = 0; i < distribution.masses.size(); ++i)
            masses.push_back(distribution.masses[i] * std::exp(distribution.loss(i)));
        mass_error += (4.0 * std::fabs(distribution.loss(masses.size() - 1)) + 4.0) * u;
    }
    [[nodiscard]] std::int64_t last() const {
        return first + static_cast<std::int64_t>(masses.size()) - 1;
    }
};

/// U(x)/x = p(y) and its derivative at the ends of cells, for a density constant on each.
struct Payoff {
    std::vector<double> value;
    std::vector<double> slope;

    Payoff(const std::vector<double>& density, double step) {
        const double decay = std::exp(-step);
        const double rise = -std::expm1(-step);
        const double square = step - rise;  // h - 1 + e^{-h}
        value.push_back(0.0);
        slope.push_back(0.0);
        for (const double g : density) {
            value.push_back(value.back() + rise * slope.back() + square * g);
            slope.push_back(decay * slope.back() + rise * g);
        }
    }
};

/// sup over m adaptive steps of E f_a(ratio), f_a'' = t^{a-2}, a = 1 + slope <= 1.
class PowerDivergence {
public:
    PowerDivergence(const ChainMoments& moments, std::int64_t steps)
        : moments_(moments), steps_(static_cast<double>(steps)) {}

    [[nodiscard]] double operator()(double slope) const {
        const double linear = steps_ * moments_.divergence;
        const double b = -1.0 - slope;  // a = -b
        if (b <= 0.0) return linear;
        // log E W^{1+b} is convex in b and 0 at 0: chords.
        double left_b = 0.0;
        double left = 0.0;
        for (const MomentBound& moment : moments_.moments) {
            const double right_b = moment.order - 1.0;
            if (!std::isfinite(moment.log_moment)) break;
            if (right_b >= b) {
                const double part = (b - left_b) / (right_b - left_b);
                const double log_moment = left + part * (moment.log_moment - left);
                return std::expm1(steps_ * log_moment) / (b * (1.0 + b)) * (1.0 + 64.0 * u) +
                       1e-300;
            }
            left_b = right_b;
            left = moment.log_moment;
        }
        return infinity;
    }

    /// Beyond it the moments of so many steps grow too fast to be of use.
    [[nodiscard]] double steepest() const {
        double order = 1.0;
        for (const MomentBound& moment : moments_.moments) {
            if (!(steps_ * moment.log_moment <= 0.3)) break;
            order = moment.order;
        }
        return -order;  // a = 1 - order: the moment of order 1 - a
    }

private:
    const ChainMoments& moments_;
    double steps_;
};

/// The least concave majorant of log g at the right ends of cells, from `from` on: slopes and
/// support values.
class Hull {
public:
    Hull(const std::vector<double>& density, std::size_t from, double first, double step) {
        for (std::size_t j = from; j < density.size(); ++j) {
            if (!(density[j] > 0.0)) continue;
            const Vertex next{first + step * static_cast<double>(j + 1), std::log(density[j])};
            while (vertices_.size() >= 2 &&
                   slope(vertices_.size() - 2) <= (next.height - vertices_.back().height) /
                                                      (next.place - vertices_.back().place))
                vertices_.pop_back();
            while (vertices_.size() == 1 && next.height >= vertices_.back().height)
                vertices_.pop_back();
            vertices_.push_back(next);
        }
    }
    /// A slope in [steepest, 0] that fits near `place`; places come in increasing order.
    [[nodiscard]] double slope_at(double place, double steepest) {
        if (vertices_.size() < 2) return 0.0;
        while (at_ + 2 < vertices_.size() && vertices_[at_ + 1].place <= place &&
               slope(at_) > steepest)
            ++at_;
        return std::clamp(slope(at_), steepest, 0.0);
    }
    /// max_j (log g_j - slope y_{j+1}) over the vertices, by slopes that fall.
    [[nodiscard]] double support(double slope) const {
        double best = -infinity;
        const std::size_t low = at_ > 2 ? at_ - 2 : 0;
        for (std::size_t i = low; i < std::min(vertices_.size(), at_ + 4); ++i)
            best = std::max(best, vertices_[i].height - slope * vertices_[i].place);
        return best;
    }
    [[nodiscard]] bool empty() const { return vertices_.empty(); }

private:
    struct Vertex {
        double place;
        double height;
    };
    [[nodiscard]] double slope(std::size_t i) const {
        return (vertices_[i + 1].height - vertices_[i].height) /
               (vertices_[i + 1].place - vertices_[i].place);
    }
    std::vector<Vertex> vertices_;
    std::size_t at_ = 0;
};

class Chain {
public:
    Chain(const ChainMoments& moments, double first, double step, std::size_t cells)
        : moments_(moments), first_(first), step_(step), density_(cells, 0.0) {
        for (const MomentBound& moment : moments.moments)
            if (moment.order == moments.order) order_moment_ = moment.log_moment;
    }

    void start(const PrivacyLossPmf& distribution, std::int64_t steps) {
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

    /// Whether the group could be bounded.
    bool add(const Kernel& kernel, std::int64_t steps) {
        const auto n = static_cast<std::int64_t>(density_.size());
        std::vector<double> next(density_.size(), 0.0);
        double mass = 0.0;
        double escaped = 0.0;
        for (const double g : density_) mass += g * step_;
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
            for (std::int64_t j = 0; j < from; ++j) escaped += p * all[j] * step_;
            for (std::int64_t j = to; j < n; ++j) next.back() += p * all[j];
        }
        const Payoff before(density_, step_);
        const Payoff after(next, step_);

        // The running maximum, and what it pays beyond U.
        std::vector<double> excess(density_.size());
        double highest = 0.0;
        std::size_t mode = 0;
        double rising = 0.0;  // integral of the excess density inside the window
        for (std::size_t i = 0; i < density_.size(); ++i) {
            if (density_[i] > highest) {
                highest = density_[i];
                mode = i;
            }
            excess[i] = highest - density_[i];
            rising += excess[i] * step_;
        }
        const Payoff beyond(excess, step_);
        // Beyond the window its density is `highest`.
        const auto excess_paid = [&](std::int64_t node) {
            if (node <= 0) return 0.0;
            if (node <= n) return beyond.value[static_cast<std::size_t>(node)];
            const double t = step_ * static_cast<double>(node - n);
            const double fall = -std::expm1(-t);
            return beyond.value.back() + fall * beyond.slope.back() + highest * (t - fall);
        };
        const auto expected_excess = [&](std::int64_t node) {
            double sum = 0.0;
            for (std::size_t i = kernel.masses.size(); i-- > 0;) {
                const std::int64_t at = node + kernel.first + static_cast<std::int64_t>(i);
                const double paid = excess_paid(at);
                if (paid == 0.0) break;  // and to the left of it
                sum += kernel.masses[i] * paid;
            }
            return sum * (1.0 + (static_cast<double>(n) + 64.0) * 4.0 * u);
        };
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
        const double line = kernel.infinity_mass * (mass + rising) + far;
        double power =
            highest *
            std::exp(m * order_moment_ - b * reach + b * std::log(b) - (1.0 + b) * std::log1p(b)) /
            b;

        // Left of the switch the running maximum, right of it the powers.
        Hull hull(density_, mode, first_, step_);
        if (hull.empty()) return false;
        const PowerDivergence divergence(moments_, steps);
        const double steepest = divergence.steepest();
        double floor_power = 0.0;
        // E (U1 - U)(xW)/x does not fall: the first node's covers all x below the window.
        double floor_line = expected_excess(1);
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
                next_excess = expected_excess(l + 2) * std::exp(2.0 * step_);
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
            log_sum(log_power_ + m * order_moment_, std::log(power) + log_factor_ + mass_error_ +
                                                        moments_.order * loss_error_ + 1e-9);
        infinity_mass_ += (line + floor_line + escaped) * (1.0 + 1e-9);
        mass_error_ += kernel.mass_error + (static_cast<double>(kernel.masses.size()) + 16.0) * u;
        loss_error_ += kernel.loss_error;
        density_ = std::move(next);
        // The factor multiplies what is added too: it need not, but may.
        const double more = supplement.mass / (step_ * static_cast<double>(supplement.cells));
        if (more > 0.0)
            for (std::size_t i = 0; i < supplement.cells; ++i)
                density_[supplement.cell + i] += more;
        return true;
    }

    [[nodiscard]] ChainLink link(std::int64_t steps) const {
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
    [[nodiscard]] double log_factor() const { return log_factor_; }

private:
    /// (1 + factor) U_A, and excesses at thresholds spread evenly over some cells near the mode.
    struct Supplement {
        double factor = 0.0;
        double mass = 0.0;
        std::size_t cell = 0;
        std::size_t cells = 1;
    };
    /// Covers what every cell needs; of several places for the excess the one that costs least at
    /// the tilt `rate`.
    [[nodiscard]] Supplement supply(const std::vector<double>& need,
                                    const std::vector<double>& paid, std::size_t mode,
                                    double rate) const {
        Supplement best;
        for (std::size_t i = 0; i < need.size(); ++i)
            if (need[i] > 0.0) best.factor = std::max(best.factor, need[i] / paid[i]);
        if (best.factor == 0.0) return best;
        const auto place = [&](std::size_t i) { return first_ + step_ * static_cast<double>(i); };
        double weight = 0.0;  // of the density, tilted
        for (std::size_t i = 0; i < density_.size(); ++i)
            weight += density_[i] * step_ * std::exp(-rate * (place(i) - place(mode)));
        double least = best.factor * weight;
        // A spread of a third of the scale: a spike would be a new maximum.
        double highest = 0.0;
        for (const double g : density_) highest = std::max(highest, g);
        const auto spread = static_cast<std::size_t>(
            std::clamp(0.13 / (highest * step_), 1.0, 0.1 * static_cast<double>(density_.size())));
        const std::size_t skipped = spread / 2 + 1;
        // What a unit mass pays at the nodes after the first cell; beyond the window it is more.
        std::vector<double> unit(density_.size(), 0.0);
        for (std::size_t i = 0; i < spread; ++i)
            unit[i] = 1.0 / (step_ * static_cast<double>(spread));
        std::vector<double> excesses = Payoff(unit, step_).value;
        for (double& excess : excesses) excess *= 1.0 - 1e-9;
        const std::size_t stride = std::max<std::size_t>(1, density_.size() / 400);
        const Supplement whole = best;
        for (std::size_t cell = mode > 40 * stride ? mode - 40 * stride : 0;
             cell + 1 < density_.size() && cell < mode + 60 * stride; cell += stride) {
            Supplement tried;
            tried.cell = cell;
            tried.cells = spread;
            if (cell + spread > density_.size()) break;
            for (std::size_t i = 0; i <= cell + skipped; ++i)
                if (need[i] > 0.0) tried.factor = std::max(tried.factor, need[i] / paid[i]);
            if (tried.factor >= whole.factor) break;
            for (std::size_t i = cell + skipped + 1; i < need.size(); ++i) {
                const double rest = need[i] - tried.factor * paid[i];
                if (rest > 0.0)
                    tried.mass = std::max(tried.mass,
                                          rest / excesses[std::min(i - cell, excesses.size() - 1)]);
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

    /// The index of the first cell: cell i holds what stood at the threshold step (origin + i).
    [[nodiscard]] std::int64_t origin() const {
        return static_cast<std::int64_t>(std::ceil(first_ / step_));
    }
    static double log_sum(double a, double b) {
        const double top = std::max(a, b);
        if (top == -infinity) return top;
        return top + std::log(std::exp(a - top) + std::exp(b - top)) + 1e-12;
    }

    const ChainMoments& moments_;
    double order_moment_ = infinity;
    double first_;
    double step_;
    std::vector<double> density_;
    double steps_ = 0.0;
    double log_factor_ = 0.0;
    double infinity_mass_ = 0.0;
    double log_power_ = -infinity;
    double mass_error_ = 0.0;
    double loss_error_ = 0.0;
};

}  // namespace

std::vector<ChainLink> jump_chain(const DominatingPair& one_sided, const DominatingPair& symmetric,
                                  const ChainMoments& moments, Adjacency adjacency,
                                  std::int64_t start, std::int64_t most, double precision) {
    require(start >= 1 && start <= most, "start", static_cast<double>(start), "1 <= start <= most");
    const std::vector<RepeatedLossPair> all{{one_sided, most}};
    const double scale = CompositionPlan(all, adjacency, precision).scale();
    const double doublings =
        std::log2(static_cast<double>(most) / static_cast<double>(start)) + 1.0;
    const double groups = doublings * static_cast<double>(groups_a_doubling);
    LossGrid grid{.step = short_step(scale * std::sqrt(6.0 * precision / groups)),
                  .negligible = 1e-8 * moments.delta / groups};
    const double h = grid.step;
    const PrivacyLossPmf distribution =
        distribution_of(symmetric, start, adjacency, grid, precision);
    // Thresholds move down by gains and up by costs.
    const double low = std::max(-10.0 * scale - distribution.loss(distribution.masses.size() - 1),
                                -(moments.epsilon + 7.0));
    const double high = 10.0 * scale;
    const auto origin = static_cast<std::int64_t>(std::floor(low / h));
    const auto cells =
        static_cast<std::size_t>(std::ceil(high / h)) + static_cast<std::size_t>(-origin);
    std::vector<ChainLink> links;
    if (cells > most_cells) return links;
    const double shift = (0.5 * h + h * h / 24.0) * (1.0 + 64.0 * u) + 1e-14;
    Chain chain(moments, h * static_cast<double>(origin) - shift, h, cells);
    chain.start(distribution, start);
    links.push_back(chain.link(start));
    std::map<std::int64_t, Kernel> kernels;
    std::int64_t done = start;
    for (std::int64_t next_link = 2 * start; done < most;) {
        std::int64_t group = 1;
        while (2 * group * groups_a_doubling <= done) group *= 2;
        group = std::min(group, most - done);
        auto known = kernels.find(group);
        if (known == kernels.end())
            known =
                kernels
                    .emplace(group,
                             Kernel(distribution_of(one_sided, group, adjacency, grid, precision)))
                    .first;
        if (static_cast<double>(cells) * static_cast<double>(known->second.masses.size()) >
            most_products)
            break;
        if (!chain.add(known->second, group)) break;
        done += group;
        if (done >= next_link || done == most) {
            links.push_back(chain.link(done));
            next_link = 2 * done;
        }
    }
    return links;
}

}  // namespace assay
