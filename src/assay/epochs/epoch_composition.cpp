#include "assay/epochs/epoch_composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "assay/epochs/log_distribution.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/discretise.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;
constexpr std::int64_t most_epochs = 100'000;
constexpr std::size_t most_points = std::size_t{1} << 19U;
constexpr std::size_t most_tilts = 8;
constexpr double smallest_step = 1.1e-12;
constexpr double underflow = 1e-40;  // what cells of underflowing mass hold of any payoff
constexpr double least_mass =
    1e-290;  // below it masses have lost digits: dropped on the lower side

double log_step(const BallsAndBins& m, const Resolution& resolution) {
    return short_step(
        std::max(smallest_step, resolution.step * std::min(1.0, 2.0 * typical_deviation(m))));
}

/// What leaves at the ends of an epoch's grid: moment at either end in the removal direction, mass
/// in the addition direction, which pays in full for mass at ratio 0.
LogGrid::Counts counted(LossDirection direction) {
    return direction == LossDirection::removal ? LogGrid::Counts::moment : LogGrid::Counts::mass;
}

/// Below it W holds about `negligible` of what counts: E[W; W < x] <= E[(x' - W)_+] x/(x' - x) and
/// P(W <= x) <= E[(x' - W)_+]/(x' - x) for x < x'.
double log_floor(const SumPayoffs& sum, double batches, double deviation, LossDirection direction,
                 double negligible) {
    const bool by_mass = counted(direction) == LogGrid::Counts::mass;
    double depth = 0.0;
    while (depth < largest_log_ratio) {
        const double further = std::max(std::min(0.05, deviation), depth / 64.0);
        const double x = std::exp(-depth);
        const double shortfall = sum.shortfall(x * batches) / batches;
        depth += further;
        if (shortfall <= negligible * (by_mass ? x : 1.0) * -std::expm1(-further)) break;
    }
    return -std::min(depth, largest_log_ratio);
}

/// About the normal deviations beyond which this probability lies.
double deviations(double probability) {
    const double square = -2.0 * std::log(probability);
    return std::sqrt(square - std::log(square) - 1.8);
}

/// Where W ends: as negligible_beyond, but the large term replaces one of mean 1.
double log_top(const BallsAndBins& m, LossDirection direction, double negligible) {
    const double slope = 1.0 / m.noise_multiplier;
    const double z = deviations(negligible);
    // The mean of the largest term's logarithm, where it counts under P and under Q.
    const double mean = (direction == LossDirection::removal ? 0.5 : -0.5) * slope * slope;
    const double log_largest = std::max(0.0, mean + z * slope);
    const auto batches = static_cast<double>(m.batches_per_epoch);
    if (log_largest - std::log(batches) > 30.0)
        return std::min(log_largest - std::log(batches), largest_log_ratio);
    return std::log1p(std::expm1(log_largest) / batches + (z + 0.7) * typical_deviation(m));
}

/// Masses at e^{hi} as they are.
PrivacyLossPmf upper_loss(const LogDistribution& distribution, double step) {
    PrivacyLossPmf pmf;
    pmf.direction = Direction::upper;
    pmf.adjacency = Adjacency::zero_out;
    pmf.step = step;
    pmf.first = distribution.first;
    pmf.masses = distribution.mass;
    pmf.infinity_mass = distribution.infinite + underflow;
    pmf.null_mass = distribution.low.mass + underflow;
    const double far =
        std::max(std::fabs(pmf.loss(0)), std::fabs(pmf.loss(distribution.mass.size() - 1)));
    pmf.mass_error = 1.01 * distribution.rounding.mass + 32.0 * unit;
    pmf.loss_error = 1.01 * distribution.rounding.position + (2.0 * far + 32.0) * unit;
    return pmf;
}

/// Atoms at the cells' barycentres, merged into grid points.
PrivacyLossPmf lower_loss(const LogDistribution& distribution, const LogGrid& grid) {
    RatioAtoms atoms;
    atoms.direction = Direction::lower;
    const auto add = [&](double mass, double moment) {
        if (!(mass > least_mass) || !(moment > least_mass)) return;
        atoms.under_q.push_back(mass);
        atoms.under_p.push_back(moment);
    };
    add(distribution.low.mass, distribution.low.moment);
    for (std::size_t i = 0; i < distribution.mass.size(); ++i)
        add(distribution.mass[i], distribution.moment[i]);
    atoms.mass_error = 1.01 * distribution.rounding.mass + 32.0 * unit;
    atoms.loss_error = 1.01 * distribution.rounding.position + 32.0 * unit;
    return discretise(atoms, Adjacency::zero_out,
                      {.step = grid.step, .negligible = grid.negligible, .widest = widest_loss});
}

/// The loss of one epoch on one side, for the payoff of this direction alone.
PrivacyLossPmf loss_of_epoch(const BallsAndBins& mechanism, const ConvexOrderBracket& one,
                             LossDirection direction, ConvexSide which, double step,
                             double negligible) {
    const bool above = which == ConvexSide::above;
    const ConvexOrderBracket::Side& side = one.side(which);
    const auto batches = static_cast<double>(mechanism.batches_per_epoch);
    // Rounded positions move to the safe side: up for excesses, which count from above, and
    // shortfalls, which count from below.
    const double p = 1.01 * side.rounding.position + 16.0 * unit;
    const bool up = above == (direction == LossDirection::removal);
    const double floor =
        log_floor(*side.payoffs, batches, typical_deviation(mechanism), direction, negligible);
    const LogGrid grid{step, floor, log_top(mechanism, direction, negligible), counted(direction),
                       negligible};
    LogDistribution distribution = log_distribution_of_sum(*side.payoffs, 1.0 / batches,
                                                           {up ? p : -p, side.level}, grid, which);
    distribution.rounding.mass += side.rounding.mass + p;
    return above ? upper_loss(distribution, step) : lower_loss(distribution, grid);
}

/// Finer steps take too long: a centred grid costs step^-2 for each of log T sums.
double finest_step(SumGrid grid) {
    return grid == SumGrid::centred ? 2e-3 : 5e-4;
}

bool is_too_fine(const Resolution& resolution) {
    return resolution.step < finest_step(resolution.grid);
}

/// The largest step of a geometric sequence that is no larger: answers about other numbers of
/// epochs ask for the same one.
void round_down(Resolution& resolution, double coarse) {
    const double halves = std::ceil(2.0 * std::log2(coarse / resolution.step) - 1e-9);
    resolution.step = std::max(coarse * std::exp2(-0.5 * halves),
                               std::min(resolution.step, finest_step(resolution.grid)));
}

/// Errors are of second order, but for how the few atoms of a narrow distribution meet the grid:
/// where two finer steps in a row have not halved the gap, rounding is what is left.
class Progress {
public:
    explicit Progress(double gap) : halved_from_(gap) {}
    /// False when `gap` says that going on is no use.
    bool goes_on(double gap) {
        const bool halved = gap <= 0.5 * halved_from_;
        misses_ = halved ? 0 : misses_ + 1;
        if (halved) halved_from_ = gap;
        return misses_ < 2;
    }

private:
    double halved_from_;
    int misses_ = 0;
};

double pairs_of_atoms(const ConvexOrderBracket& one) {
    const auto pairs = [&](ConvexSide side) {
        const SumPayoffs& sum = *one.side(side).payoffs;
        return static_cast<double>(sum.first().positions.size()) *
               static_cast<double>(sum.second().positions.size());
    };
    return pairs(ConvexSide::above) + pairs(ConvexSide::below);
}

EpochDistribution distribution_of(const BallsAndBins& mechanism, LossDirection direction,
                                  const Resolution& resolution, double step, double negligible) {
    // All of W matters, whatever the epsilon: another epoch may take back what one exceeds.
    const ConvexOrderBracket one = ConvexOrderBracket::of_both_ends(
        mechanism, log_top(mechanism, direction, negligible), resolution,
        direction == LossDirection::addition ? negligible : 1.0);
    EpochDistribution distribution{
        loss_of_epoch(mechanism, one, direction, ConvexSide::above, step, negligible),
        loss_of_epoch(mechanism, one, direction, ConvexSide::below, step, negligible), nullptr,
        pairs_of_atoms(one)};
    if (negligible_beyond(mechanism) > largest_log_ratio)
        distribution.whole = std::make_shared<const ConvexOrderBracket>(
            mechanism, direction, largest_log_ratio, resolution);
    return distribution;
}

/// Products that the cells of single steps may take on a side: a step that needs more is widened.
constexpr double most_products_of_cells = 1e9;

/// What the grids of a sequence may lose at their ends beside this delta: one of a few values, so
/// that answers about other deltas ask for the same distributions.
double negligible_beside(double delta, const EpochSequence& sequence) {
    double factors = 0.0;
    for (const auto& [mechanism, count] : sequence.epochs) factors += static_cast<double>(count);
    const double wanted = 1e-5 * delta / factors;
    return wanted >= 1e-20 ? 1e-20 : wanted >= 1e-30 ? 1e-30 : 1e-40;
}

/// Upper sides hold this much for masses that underflow: smaller deltas are beyond them.
double least_resolved_delta(const EpochSequence& sequence) {
    double epochs = 0.0;
    for (const auto& [mechanism, count] : sequence.epochs) epochs += static_cast<double>(count);
    return underflow * epochs;
}

void require_sequence(const EpochSequence& sequence, const std::vector<Resolution>& resolutions) {
    require(!sequence.epochs.empty(), "epochs", 0.0, "at least one");
    require(resolutions.size() == sequence.epochs.size(), "resolutions",
            static_cast<double>(resolutions.size()), "one for each mechanism");
    for (const auto& [mechanism, count] : sequence.epochs)
        if (count < 1 || count > most_epochs)
            throw DomainError("epochs", fmt::format("{}", count),
                              fmt::format("1 .. {}", most_epochs));
    for (const RepeatedLossPair& step : sequence.steps)
        require(step.steps >= 1, "steps", static_cast<double>(step.steps), "at least 1");
}

/// One grid of losses for all; that of single steps as the privacy loss distributions have it.
PldResolution common_grid(const EpochSequence& sequence, const CompositionPlan& plan,
                          const std::vector<Resolution>& resolutions) {
    PldResolution grid;
    grid.spacing = std::clamp(resolutions.front().step, 1e-3, 0.04);
    grid.step = 1.0;
    double refined = 1.0;
    double widest = 0.0;
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
        const BallsAndBins& mechanism = sequence.epochs[i].mechanism;
        grid.step = std::min(grid.step, log_step(mechanism, resolutions[i]));
        refined = std::min(refined, resolutions[i].step / coarse_resolution(mechanism).step);
        widest = std::max(widest, 2.0 * log_top(mechanism, LossDirection::removal, 1e-20));
    }
    if (plan.factors() > 0.0)
        grid.step = std::min(grid.step, refined * 0.04 * plan.scale() / std::sqrt(plan.factors()));
    // However little the steps lose, the epochs' losses have to fit.
    const double finest = 2.0 * widest / static_cast<double>(most_points);
    grid.step = short_step(std::max({grid.step, finest, 1e-9}));
    while (grid.step < 0.5 && plan.products_of_cells(grid) > most_products_of_cells)
        grid.step = short_step(2.0 * grid.step);
    return grid;
}

LossBlocks of_steps(const CompositionPlan& plan, Direction side, const PldResolution& grid) {
    return plan.factors() > 0.0 ? plan.blocks(side, grid) : LossBlocks{};
}

std::vector<Resolution> coarse_resolutions(const EpochSequence& sequence) {
    std::vector<Resolution> resolutions;
    for (const auto& [mechanism, count] : sequence.epochs) {
        validate(mechanism);
        resolutions.push_back(coarse_resolution(mechanism));
    }
    return resolutions;
}

/// What is left of the cost that an answer may take, shared by its compositions.
class Budget {
public:
    explicit Budget(double all) : left_(all) {}

    /// A composition at these resolutions took `cost`. False where finer ones take too long.
    bool refine(std::vector<Resolution>& resolutions, double gap, double tolerance, double cost) {
        left_ -= cost;
        const double affordable = left_ > 0.0 ? std::sqrt(cost / left_) : 1.0;
        const double factor = std::max({0.25, 0.85 * std::sqrt(tolerance / gap), affordable});
        if (factor > 0.86) return false;
        for (Resolution& resolution : resolutions) resolution.step *= factor;
        return std::none_of(resolutions.begin(), resolutions.end(), is_too_fine);
    }

private:
    double left_;
};

}  // namespace

const EpochDistribution& EpochCache::of(const BallsAndBins& mechanism, LossDirection direction,
                                        const Resolution& resolution, double step,
                                        double negligible) {
    const std::tuple key(mechanism.noise_multiplier, mechanism.batches_per_epoch, direction,
                         resolution.grid, resolution.step, step, negligible);
    const auto found = distributions_.find(key);
    if (found != distributions_.end()) {
        count_work(found->second.work);  // as much as without the cache
        return found->second;
    }
    const std::uint64_t before = work_left();
    EpochDistribution made = distribution_of(mechanism, direction, resolution, step, negligible);
    made.work = before - work_left();
    return distributions_.emplace(key, std::move(made)).first->second;
}

EpochComposition::Parts EpochComposition::compose(const EpochSequence& sequence,
                                                  LossDirection direction,
                                                  const std::vector<Resolution>& resolutions,
                                                  EpochCache* cache, double negligible) {
    require_sequence(sequence, resolutions);
    require(negligible >= 1e-40 && negligible <= 1e-10, "negligible", negligible,
            "1e-40 <= negligible <= 1e-10");
    CompositionPlan plan(sequence.steps, Adjacency::zero_out, 1e-3);
    plan.neglect(negligible);
    const PldResolution grid = common_grid(sequence, plan, resolutions);
    LossBlocks above = of_steps(plan, Direction::upper, grid);
    LossBlocks below = of_steps(plan, Direction::lower, grid);
    std::shared_ptr<const ConvexOrderBracket> one_epoch;
    double cost = plan.factors() > 0.0 ? 2.0 * plan.products_of_cells(grid) : 0.0;
    EpochCache own;
    EpochCache& distributions = cache != nullptr ? *cache : own;
    for (std::size_t i = 0; i < resolutions.size(); ++i) {
        const auto& [mechanism, count] = sequence.epochs[i];
        const EpochDistribution& distribution =
            distributions.of(mechanism, direction, resolutions[i], grid.step, negligible);
        above.distributions.push_back(distribution.above);
        above.counts.push_back(count);
        below.distributions.push_back(distribution.below);
        below.counts.push_back(count);
        if (!one_epoch) one_epoch = distribution.whole;
        cost += distribution.cost;
    }
    return {direction == LossDirection::removal ? PayoffSide::removal : PayoffSide::addition,
            TiltedBracket(std::move(above), std::move(below), most_points, TiltAim{1e-4, 1e-15}),
            std::move(one_epoch), cost};
}

Enclosure EpochComposition::delta(double epsilon) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    if (epsilon <= largest_pld_epsilon && parts_.distributions.tilts() < most_tilts &&
        !parts_.distributions.accurate(epsilon, parts_.side))
        parts_.distributions.tilt_to(epsilon, parts_.side);
    return known_delta(epsilon);
}

Enclosure EpochComposition::known_delta(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    const bool beyond = epsilon > largest_pld_epsilon;  // delta falls: an upper bound all the same
    const DeltaSides sides = parts_.distributions.at(std::min(epsilon, largest_pld_epsilon));
    const bool removal = parts_.side == PayoffSide::removal;
    const double upper = removal ? sides.removal_upper : sides.addition_upper;
    const double lower = removal ? sides.removal_lower : sides.addition_lower;
    // More epochs release more.
    const double one = parts_.one_epoch ? parts_.one_epoch->delta(epsilon).lower : 0.0;
    return {std::min(std::max(beyond ? 0.0 : lower, one), upper), upper};
}

double EpochComposition::likely_epsilon(double delta) const {
    return parts_.distributions.chernoff_epsilon(std::log(delta) +
                                                 2.0);  // Chernoff's bound is too large
}

EpochComposition composition_within(const EpochSequence& sequence, LossDirection direction,
                                    double epsilon, const GapGoal& goal) {
    std::vector<Resolution> resolutions = coarse_resolutions(sequence);
    double negligible = negligible_beside(1.0, sequence);
    EpochComposition best(sequence, direction, resolutions, nullptr, negligible);
    double upper = 1.0;
    const double negligible_delta =
        std::max(goal.negligible_delta, 4.0 * least_resolved_delta(sequence));
    const auto gap = [&](EpochComposition& composition) {
        const Enclosure delta = composition.delta(epsilon);
        upper = delta.upper;
        return delta.upper < negligible_delta ? 0.0 : (delta.upper - delta.lower) / delta.upper;
    };
    double reached = gap(best);
    Progress progress(reached);
    double cost = best.cost();
    Budget budget(0.5 * goal.largest_cost);  // another direction takes as much
    const auto refine = [&] {
        for (int attempt = 0; attempt < 6 && reached > goal.tolerance; ++attempt) {
            // What leaves at the ends must be far below delta, whose size is known only now.
            const double beside = negligible_beside(upper, sequence);
            const bool is_wider = beside < negligible;
            negligible = std::min(negligible, beside);
            if (!is_wider && !budget.refine(resolutions, reached, goal.tolerance, cost)) break;
            EpochComposition next(sequence, direction, resolutions, nullptr, negligible);
            const double now = gap(next);
            cost = next.cost();
            if (now < reached) {
                best = std::move(next);
                reached = now;
            }
            if (!is_wider && !progress.goes_on(now)) break;
        }
    };
    within_part(part_of_refining, refine);
    return best;
}

Enclosure composed_delta(const EpochSequence& sequence, double epsilon, const GapGoal& goal) {
    return larger_direction(goal, [&](LossDirection direction, const GapGoal& aim) {
        return composition_within(sequence, direction, epsilon, aim).delta(epsilon);
    });
}

Enclosure composed_epsilon(const EpochSequence& sequence, double delta, const GapGoal& goal,
                           EpochCache* cache) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    Enclosure answer{0.0, std::numeric_limits<double>::infinity()};
    if (delta <= least_resolved_delta(sequence)) return answer;
    const std::vector<Resolution> coarse = coarse_resolutions(sequence);
    std::vector<Resolution> resolutions = coarse;
    const double negligible = negligible_beside(delta, sequence);
    EpochCache own;
    if (cache == nullptr) cache = &own;
    Progress progress(std::numeric_limits<double>::infinity());
    Budget budget(goal.largest_cost);
    const auto refine = [&] {
        for (int attempt = 0; attempt < 4; ++attempt) {
            EpochComposition removal(sequence, LossDirection::removal, resolutions, cache,
                                     negligible);
            EpochComposition addition(sequence, LossDirection::addition, resolutions, cache,
                                      negligible);
            const auto at = [&](double epsilon) {
                const Enclosure r = removal.known_delta(epsilon);
                const Enclosure a = addition.known_delta(epsilon);
                return DeltaSides{r.lower, r.upper, a.lower, a.upper};
            };
            // Tilted first where Chernoff's bound has it, then where that shows it.
            double near = removal.likely_epsilon(delta);
            Enclosure found;
            for (int pass = 0; pass < 2; ++pass) {
                static_cast<void>(removal.delta(near));
                static_cast<void>(addition.delta(near));
                found = epsilon_crossing(at, delta);
                near = std::isfinite(found.upper) ? found.upper : found.lower;
            }
            answer = {std::max(answer.lower, found.lower), std::min(answer.upper, found.upper)};
            const DeltaSides there = at(std::isfinite(answer.upper) ? answer.upper : answer.lower);
            const double upper = there.upper();
            const double gap = upper > 0.0 ? (upper - there.lower()) / upper : 0.0;
            if (gap <= goal.tolerance || upper < goal.negligible_delta) break;
            if (!progress.goes_on(gap)) break;
            const double cost = removal.cost() + addition.cost();
            if (!budget.refine(resolutions, gap, goal.tolerance, cost)) break;
            for (std::size_t i = 0; i < coarse.size(); ++i)
                round_down(resolutions[i], coarse[i].step);
        }
    };
    within_part(1.0, refine);
    return answer;
}

}  // namespace assay
