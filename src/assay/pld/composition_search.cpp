#include "assay/pld/composition_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/work_limit.hpp"
#include "assay/pld/near_bracket.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A plan for a coarser gap doubles more and leaves less to the transform. The plan for this one is
/// tried where finer grids of a finer one no longer help.
constexpr double coarsest_plan = 1e-3;

constexpr std::size_t most_tilts = 8;

/// A bracket with a larger gap is worth another method.
constexpr double collapsed = 0.01;

/// An epsilon this many scales of the composed loss out has a delta of which nothing is known
/// beforehand, and grids whose ends reach too far for it lose more to rounding than it is. So it is
/// outlined first, where deltas as small as this one matter: by sums of losses, within this gap or
/// with this part of the effort.
constexpr double far_out = 8.0;
constexpr double far_delta = 1e-20;
constexpr double outline_gap = 0.5;
constexpr double outline_effort = 0.05;
/// Sums of losses of a larger scale are answered by the uniform grid, or by none.
constexpr double largest_near_scale = 3.0;

/// Losses of a smaller scale are lost between the points of the finest uniform grid.
constexpr double smallest_scale = 1e-8;

/// The losses of a composition, about half the square of its scale, lie on a grid at the first of
/// these scales, and hardly any of them at the second.
constexpr double comfortable_scale = 250.0;
constexpr double hopeless_scale = 350.0;

/// The same pairs in so few steps that losses lie on a grid. Fewer steps release less: lower bounds
/// of theirs hold for all. Empty where that is not needed.
std::vector<RepeatedLossPair> shortened(const std::vector<RepeatedLossPair>& pairs, double scale) {
    std::vector<RepeatedLossPair> fewer;
    if (scale < hopeless_scale) return fewer;
    const double part = comfortable_scale / scale;
    for (const RepeatedLossPair& repeated : pairs) {
        const double steps = std::floor(static_cast<double>(repeated.steps) * part * part);
        if (steps >= 1.0) fewer.push_back({repeated.pair, static_cast<std::int64_t>(steps)});
    }
    if (fewer.empty()) {  // one step of the largest shift has a closed form
        const auto largest = std::max_element(
            pairs.begin(), pairs.end(), [](const RepeatedLossPair& a, const RepeatedLossPair& b) {
                return a.pair.c < b.pair.c;
            });
        fewer.push_back({largest->pair, 1});
    }
    return fewer;
}

DeltaSides sides_of(const DominatingPair& pair, double epsilon) {
    const PairDivergence exact = pair_divergence(pair, epsilon);
    return {exact.removal.lower, exact.removal.upper, exact.addition.lower, exact.addition.upper};
}

/// Tightens brackets by sums of losses on a geometric grid, where the Fourier transform's rounding
/// or its grid do not admit of more.
void sum_losses(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency,
                std::span<const double> epsilons, const PldOptions& options, std::string& note,
                std::vector<DeltaSides>& best, double& worst_gap) {
    const NearPlan plan(pairs, adjacency);
    worst_gap = 0.0;
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
        if (best[i].relative_gap() > options.relative_gap && best[i].upper() > 1e-300)
            best[i] = near_delta(plan, epsilons[i], best[i],
                                 {options.relative_gap,
                                  options.most_products / static_cast<double>(epsilons.size())});
        worst_gap = std::max(worst_gap, best[i].relative_gap());
    }
    note = worst_gap <= options.relative_gap
               ? ""
               : "finer sums of losses exceed the effort or no longer help";
}

/// How a search of grids ended: at its gap or its limits, where finer grids no longer help, or
/// where rounding outweighs the delta.
enum class Grids { ended, stuck, lost };

/// Tightens brackets by the grids of a plan. One `outlined` delta tells where grids end, and when
/// to give them up: where rounding outweighs half of it.
Grids refine_sides(CompositionPlan& plan, std::span<const double> epsilons,
                   const PldOptions& options, bool outlined, std::string& note,
                   std::vector<DeltaSides>& best, double& worst_gap) {
    const double known = outlined ? best.front().upper() : 0.0;
    plan.neglect(options.negligible_part() * std::max(known, options.smallest_delta));
    if (!outlined) worst_gap = infinity;
    GridSearch search(options, plan, worst_gap);
    for (;;) {
        TiltedBracket bracket(
            plan, search.resolution(), search.most_points(),
            {options.allowed_part(), options.smallest_delta, farthest_pld_epsilon});
        double by_step = 0.25;
        double by_spacing = 0.25;
        worst_gap = 0.0;
        double smallest = 1.0;
        std::vector<bool> done(epsilons.size(), false);
        for (std::size_t left = epsilons.size(); left > 0;) {
            // Tilt to the middle one of those that are left.
            std::size_t middle = left / 2;
            std::size_t pick = 0;
            for (std::size_t i = 0; i < epsilons.size(); ++i)
                if (!done[i] && middle-- == 0) pick = i;
            const bool enough = bracket.tilts() >= most_tilts;
            if (!enough) bracket.tilt_to(epsilons[pick]);
            for (std::size_t i = 0; i < epsilons.size(); ++i) {
                if (done[i]) continue;
                const DeltaSides sides = bracket.at(epsilons[i]);
                if (!enough && i != pick && !bracket.accurate(epsilons[i])) continue;
                done[i] = true;
                --left;
                DeltaSides& kept = best[i];
                kept.tighten(sides);
                if (kept.upper() < options.smallest_delta) {
                    smallest = options.smallest_delta;
                    continue;
                }
                smallest = std::min(smallest, kept.upper());
                const double gap = kept.upper() - kept.lower();
                worst_gap = std::max(worst_gap, gap / kept.upper());
                // A variance of factors step^2/4 between the sides costs half the density.
                const double h = search.resolution().step;
                const double due_to_step =
                    plan.geometric() ? 0.125 * plan.factors() * h * h *
                                           bracket.cost_of_shift(epsilons[i], PayoffSide::removal)
                                     : gap;
                const double allowed = options.relative_gap * kept.upper();
                const double rest = std::max(0.1 * gap, gap - due_to_step);
                by_step =
                    std::max(by_step, std::min(due_to_step, gap) / (search.step_part() * allowed));
                by_spacing = std::max(by_spacing, rest / (0.5 * allowed));
            }
        }
        if (outlined) {
            const DeltaSides& kept = best.front();
            const PayoffSide larger = kept.removal_upper >= kept.addition_upper
                                          ? PayoffSide::removal
                                          : PayoffSide::addition;
            const double rounding = bracket.rounding(epsilons.front(), larger);
            if (std::isfinite(rounding) && rounding > 0.5 * kept.upper()) return Grids::lost;
        }
        // The upper side of this pass tells how little mass at the ends matters.
        plan.neglect(options.negligible_part() * smallest);
        if (!search.goes_on(worst_gap, by_step, by_spacing)) break;
    }
    note = search.note();
    return search.is_stuck() ? Grids::stuck : Grids::ended;
}

/// What became of a far delta.
enum class Far { is_not, is_wide, is_solved };

/// By sums of losses in outline, by grids that are laid for it, and by sums again. Where these
/// leave it wide, and for any other delta, there are the ordinary grids.
Far solve_far(CompositionPlan& plan, const std::vector<RepeatedLossPair>& pairs,
              Adjacency adjacency, std::span<const double> epsilons, const PldOptions& options,
              std::string& note, std::vector<DeltaSides>& best, double& worst_gap) {
    if (epsilons.size() != 1 || options.smallest_delta >= far_delta ||
        best.front().lower() >= far_delta || plan.scale() > largest_near_scale ||
        epsilons.front() <= far_out * plan.scale())
        return Far::is_not;
    PldOptions outline = options;
    outline.relative_gap = outline_gap;
    outline.most_products *= outline_effort;
    sum_losses(pairs, adjacency, epsilons, outline, note, best, worst_gap);
    if (worst_gap > outline_gap) return Far::is_not;
    const Grids grids = refine_sides(plan, epsilons, options, true, note, best, worst_gap);
    if (worst_gap <= options.relative_gap) return Far::is_solved;
    sum_losses(pairs, adjacency, epsilons, options, note, best, worst_gap);
    const double enough = grids == Grids::lost ? collapsed : options.relative_gap;
    return worst_gap <= enough ? Far::is_solved : Far::is_wide;
}

}  // namespace

std::vector<DeltaSides> search_deltas(const std::vector<RepeatedLossPair>& pairs,
                                      Adjacency adjacency, std::span<const double> epsilons,
                                      const PldOptions& options, std::string& note,
                                      double& worst_gap) {
    CompositionPlan plan(pairs, adjacency, options.aimed_gap());
    std::vector<DeltaSides> best(epsilons.size());
    worst_gap = 0.0;
    if (plan.factors() == 0.0) {
        for (DeltaSides& sides : best) sides = {0.0, 0.0, 0.0, 0.0};
        return best;
    }
    if (const DominatingPair* pair = plan.single()) {
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            best[i] = sides_of(*pair, epsilons[i]);
            if (best[i].upper() >= options.smallest_delta)
                worst_gap = std::max(worst_gap, 1.0 - best[i].lower() / best[i].upper());
        }
        return best;
    }
    const double most = std::min(1.0, plan.total_variation());
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
        best[i] = {0.0, most, 0.0, most};
        for (const RepeatedLossPair& repeated : pairs) {  // all steps release no less than one
            const DeltaSides one = sides_of(repeated.pair, epsilons[i]);
            best[i].removal_lower = std::max(best[i].removal_lower, one.removal_lower);
            best[i].addition_lower = std::max(best[i].addition_lower, one.addition_lower);
        }
    }
    if (plan.scale() < smallest_scale) {
        sum_losses(pairs, adjacency, epsilons, options, note, best, worst_gap);
        return best;
    }
    if (const auto fewer = shortened(pairs, plan.scale()); !fewer.empty()) {
        best = search_deltas(fewer, adjacency, epsilons, options, note, worst_gap);
        worst_gap = 0.0;
        for (DeltaSides& sides : best) {
            sides.removal_upper = sides.addition_upper = most;
            worst_gap = std::max(worst_gap, 1.0 - sides.lower() / most);
        }
        note = "the losses are too large for a grid: fewer steps give the lower side";
        return best;
    }
    std::vector<DeltaSides> found = best;
    Far far = Far::is_not;
    const bool is_enough = within_part(1.0, [&] {
        far = solve_far(plan, pairs, adjacency, epsilons, options, note, best, worst_gap);
        if (far == Far::is_solved) return;
        // The search goes by what it finds itself.
        if (refine_sides(plan, epsilons, options, false, note, found, worst_gap) == Grids::stuck &&
            options.aimed_gap() < coarsest_plan) {
            plan = CompositionPlan(pairs, adjacency, coarsest_plan);
            refine_sides(plan, epsilons, options, false, note, found, worst_gap);
        }
    });
    worst_gap = is_enough ? worst_gap : 0.0;
    for (std::size_t i = 0; i < best.size(); ++i) {
        best[i].tighten(found[i]);
        if (!is_enough) worst_gap = std::max(worst_gap, best[i].relative_gap());
    }
    if (!is_enough) note = more_work;
    if (!is_enough || far == Far::is_solved) return best;
    if (far == Far::is_wide) {
        worst_gap = best.front().relative_gap();
        if (worst_gap <= options.relative_gap) note.clear();
    } else if (worst_gap > collapsed) {
        sum_losses(pairs, adjacency, epsilons, options, note, best, worst_gap);
    }
    return best;
}

namespace {

/// Tightens a bracket by the grids of a plan.    Returns  whether finer grids no longer help
bool refine_epsilon(CompositionPlan& plan, double delta, const PldOptions& options,
                    std::string& note, Enclosure& best) {
    plan.neglect(options.negligible_part() * delta);
    GridSearch search(options, plan, infinity);
    for (;;) {
        // Half of delta: a side that reaches delta at the crossing must not pass for negligible.
        TiltedBracket bracket(plan, search.resolution(), search.most_points(),
                              {options.allowed_part(), 0.5 * delta, farthest_pld_epsilon});
        // Chernoff's bound of delta is a few times too large.
        bracket.tilt_to(bracket.chernoff_epsilon(std::log(delta) + 2.0));
        Enclosure found = bracket.epsilon(delta);
        const double near = std::isfinite(found.upper) ? found.upper : found.lower;
        if (!bracket.accurate(near)) {
            bracket.tilt_to(near);
            found = bracket.epsilon(delta);
        }
        best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
        const double gap = best.relative_width();
        const double at = std::isfinite(best.upper) ? best.upper : best.lower;
        const DeltaSides sides = bracket.at(at);
        const double delta_gap = std::max(1e-300, sides.upper() - sides.lower());
        const double h = search.resolution().step;
        const double due_to_step =
            plan.geometric()
                ? std::min(delta_gap, 0.125 * plan.factors() * h * h *
                                          bracket.cost_of_shift(at, PayoffSide::removal))
                : delta_gap;
        const double excess = std::min(gap / options.relative_gap, 100.0);
        const double share = due_to_step / delta_gap;
        if (!search.goes_on(gap, excess * share / search.step_part(),
                            excess * std::max(0.1, 1.0 - share) / 0.5))
            break;
    }
    note = search.note();
    return search.is_stuck();
}

}  // namespace

Enclosure search_epsilon(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency,
                         double delta, const PldOptions& options, std::string& note) {
    CompositionPlan plan(pairs, adjacency, options.aimed_gap());
    if (plan.factors() == 0.0) return exactly(0.0);
    if (const DominatingPair* pair = plan.single())
        return epsilon_crossing([&](double epsilon) { return sides_of(*pair, epsilon); }, delta,
                                farthest_pld_epsilon);
    if (plan.total_variation() <= delta) return exactly(0.0);
    const NearAim near_aim{options.relative_gap, options.most_products};
    if (plan.scale() < smallest_scale)
        return near_epsilon(NearPlan(pairs, adjacency), delta, {0.0, infinity}, near_aim);
    if (const auto fewer = shortened(pairs, plan.scale()); !fewer.empty()) {
        const double lower = search_epsilon(fewer, adjacency, delta, options, note).lower;
        note = "the losses are too large for a grid: fewer steps give the lower side";
        return {lower, infinity};
    }
    Enclosure best{0.0, infinity};
    const bool is_enough = within_part(1.0, [&] {
        if (!refine_epsilon(plan, delta, options, note, best) ||
            options.aimed_gap() >= coarsest_plan)
            return;
        plan = CompositionPlan(pairs, adjacency, coarsest_plan);
        refine_epsilon(plan, delta, options, note, best);
    });
    if (!is_enough) {
        note = more_work;
        return best;
    }
    if (best.relative_width() > collapsed && plan.scale() <= largest_near_scale) {
        best = near_epsilon(NearPlan(pairs, adjacency), delta, best, near_aim);
        if (best.relative_width() <= options.relative_gap) note.clear();
    }
    return best;
}

}  // namespace assay
