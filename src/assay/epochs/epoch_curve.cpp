#include "assay/epochs/epoch_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

constexpr double finest_curve_step = 1e-4;

/// No goal below it: 1e-40 is added to every upper side.
constexpr double least_curve_delta = 1e-37;

/// Elementary steps of one discretisation, from those of a coarser one: a sum on a geometric grid
/// visits cells times window sums, on a centred one pairs of atoms; both grow as 1/step^2.
double cost(const ConvexOrderBracket& bracket) {
    const auto atoms = static_cast<double>(bracket.atoms());
    const double sums =
        2.0 * std::log2(2.0 + static_cast<double>(bracket.mechanism().batches_per_epoch));
    return bracket.resolution().grid == SumGrid::geometric
               ? sums * 2.0 * atoms * 0.7 / bracket.resolution().step
               : sums * 5.0 * atoms * atoms;
}

double largest_gap(const ConvexOrderBracket& bracket, const std::vector<double>& epsilons,
                   double negligible) {
    double gap = 0.0;
    for (const double epsilon : epsilons) {
        const Enclosure delta = bracket.delta(epsilon);
        if (delta.upper < negligible) continue;
        gap = std::max(gap, (delta.upper - delta.lower) / delta.upper);
    }
    return gap;
}

/// The step whose gap is 0.7 tolerance by g = a h^2 + b / h^2, discretisation and rounding, or the
/// one with the least gap; b is seen from the second step on.
double next_step(const std::vector<std::pair<double, double>>& tried, double tolerance) {
    const auto [h, gap] = tried.back();
    double b = 0.0;
    if (tried.size() > 1) {
        const auto [wide, wide_gap] = tried[tried.size() - 2];
        const double square = (h / wide) * (h / wide);
        b = std::max(0.0, (gap - wide_gap * square) * h * h / (1.0 - square * square));
    }
    const double a = std::max((gap - b / (h * h)) / (h * h), 1e-300);
    const double wanted = 0.85 * 0.85 * tolerance;
    const double discriminant = wanted * wanted - 4.0 * a * b;
    const double square =
        discriminant >= 0.0 ? (wanted + std::sqrt(discriminant)) / (2.0 * a) : std::sqrt(b / a);
    return std::max(std::sqrt(square), h / 8.0);
}

Enclosure maximum(const Enclosure& a, const Enclosure& b) {
    return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

/// From 0 to where delta is negligible, denser near 0.
std::vector<double> probes(double largest_epsilon) {
    constexpr int count = 24;
    std::vector<double> epsilons{0.0};
    for (int i = 1; i <= count; ++i) {
        const double x = static_cast<double>(i) / count;
        epsilons.push_back(largest_epsilon * x * x);
    }
    return epsilons;
}

}  // namespace

GapReached bracket_within(const BallsAndBins& mechanism, LossDirection direction,
                          const std::vector<double>& epsilons, const GapGoal& goal) {
    require(goal.tolerance > 0.0 && goal.tolerance < 1.0, "tolerance", goal.tolerance,
            "0 < tolerance < 1");
    validate(mechanism);
    const double negligible = std::max(goal.negligible_delta, least_curve_delta);
    double largest = 0.0;
    for (const double epsilon : epsilons) largest = std::max(largest, epsilon);
    largest = std::min(largest, negligible_beyond(mechanism, negligible));
    Resolution resolution = coarse_resolution(mechanism);
    if (goal.tolerance >= 0.1) resolution.step *= 3.0;
    GapReached best{ConvexOrderBracket(mechanism, direction, largest, resolution), 0.0};
    best.gap = largest_gap(best.bracket, epsilons, negligible);
    std::vector<std::pair<double, double>> tried{{resolution.step, best.gap}};
    const auto refine = [&] {
        while (tried.size() < 7 && best.gap > goal.tolerance) {
            const double affordable =
                resolution.step * std::sqrt(cost(best.bracket) / goal.largest_cost);
            const double step =
                std::max({next_step(tried, goal.tolerance), affordable, finest_curve_step});
            if (step > 0.95 * resolution.step) break;
            resolution.step = step;
            GapReached next{ConvexOrderBracket(mechanism, direction, largest, resolution), 0.0};
            next.gap = largest_gap(next.bracket, epsilons, negligible);
            if (next.gap >= best.gap) break;
            tried.emplace_back(step, next.gap);
            best = std::move(next);
        }
    };
    within_part(part_of_refining, refine);
    return best;
}

Enclosure larger_direction(const GapGoal& goal, const DeltaInDirection& delta_in) {
    Enclosure removal{0.0, 1.0};
    Enclosure addition{0.0, 1.0};
    within_part(0.6, [&] { removal = delta_in(LossDirection::removal, goal); });
    GapGoal beside = goal;
    beside.negligible_delta = std::max(goal.negligible_delta, removal.lower);
    within_part(1.0, [&] { addition = delta_in(LossDirection::addition, beside); });
    return maximum(removal, addition);
}

Enclosure delta_within(const BallsAndBins& mechanism, double epsilon, const GapGoal& goal) {
    return larger_direction(goal, [&](LossDirection direction, const GapGoal& aim) {
        return bracket_within(mechanism, direction, {epsilon}, aim).bracket.delta(epsilon);
    });
}

EpochCurve::EpochCurve(const BallsAndBins& mechanism, Adjacency adjacency, const GapGoal& goal)
    : goal_(goal),
      removal_((require_theorem(mechanism, adjacency),
                bracket_within(mechanism, LossDirection::removal,
                               probes(negligible_beyond(mechanism)), goal)
                    .bracket)),
      addition_(mechanism, LossDirection::addition, removal_.largest_epsilon(),
                coarse_resolution(mechanism)) {
    // The addition direction counts only as far as it shows in the maximum.
    const std::vector<double> epsilons = probes(removal_.largest_epsilon());
    const auto reached = [&] {
        double gap = 0.0;
        for (const double epsilon : epsilons) {
            const Enclosure both = delta(epsilon);
            if (both.upper >= goal_.negligible_delta)
                gap = std::max(gap, (both.upper - both.lower) / both.upper);
        }
        return gap;
    };
    gap_ = reached();
    const auto refine = [&] {
        for (int attempt = 0; attempt < 4 && gap_ > goal_.tolerance; ++attempt) {
            Resolution finer = addition_.resolution();
            finer.step *= 0.85 * std::sqrt(goal_.tolerance / gap_);
            const double growth = addition_.resolution().step / finer.step;
            if (finer.step < finest_curve_step ||
                cost(addition_) * growth * growth > goal_.largest_cost)
                break;
            addition_ = ConvexOrderBracket(mechanism, LossDirection::addition,
                                           removal_.largest_epsilon(), finer);
            const double before = gap_;
            gap_ = reached();
            if (gap_ >= before) break;
        }
    };
    within_part(part_of_refining, refine);
}

Enclosure EpochCurve::delta(double epsilon) const {
    return maximum(removal_.delta(epsilon), addition_.delta(epsilon));
}

Enclosure EpochCurve::delta(LossDirection direction, double epsilon) const {
    return bracket(direction).delta(epsilon);
}

const ConvexOrderBracket& EpochCurve::bracket(LossDirection direction) const {
    return direction == LossDirection::removal ? removal_ : addition_;
}

Enclosure EpochCurve::epsilon(double target) const {
    require(target > 0.0 && target < 1.0, "delta", target, "0 < delta < 1");
    const double far = removal_.largest_epsilon();
    Enclosure answer{0.0, std::numeric_limits<double>::infinity()};
    // Both sides fall as epsilon grows, so that a bisection keeps what it has certified.
    const auto is_enough = [&](double e) { return delta(e).upper <= target; };
    if (is_enough(far))
        answer.upper = is_enough(0.0) ? 0.0 : bisect(0.0, far, 1e-12, is_enough).high;
    const auto may_be_enough = [&](double e) { return delta(e).lower <= target; };
    if (!may_be_enough(0.0)) answer.lower = bisect(0.0, far, 1e-12, may_be_enough).low;
    return answer;
}

}  // namespace assay
