#include "assay/pld/loss_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/discretise.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

constexpr double most_bytes = 0x1p28;
constexpr std::size_t most_points = std::size_t{1} << 20U;
constexpr int most_passes = 5;
constexpr std::size_t most_tilts = 10;
constexpr double smallest_scale = 1e-8;
constexpr double largest_scale = 25.0;  // larger losses lie on no grid

/// Where a profile is made accurate, as parts of its reach.
constexpr double probe_parts[] = {0.0, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0};

struct Probe {
    double part;
    PayoffSide side;
    std::size_t grid = 0;  // of those with different steps
    double by_step = 0.0;  // the gap that its step makes, relative to what is allowed
};

/// An epsilon beyond which a closed form is below `target` in both directions.
double reach_of(const DominatingPair& pair, double target) {
    const auto exceeds = [&](double epsilon) {
        const PairDivergence d = pair_divergence(pair, epsilon);
        return std::max(d.removal.lower, d.addition.lower) > target;
    };
    double high = 1e-6;
    while (high < 1e4 && exceeds(high)) high *= 1.5;
    return high;
}

/// One divergence between its sides.
struct Sides {
    double lower;
    double upper;
};
Sides one_of(const DeltaSides& sides, PayoffSide side) {
    return side == PayoffSide::removal ? Sides{sides.removal_lower, sides.removal_upper}
                                       : Sides{sides.addition_lower, sides.addition_upper};
}

/// A test where the profile has its tangent at an epsilon, about.
struct Tangent {
    double level;  // -d delta / d e^epsilon
    double power;  // e^epsilon level + delta
};

template <class SidesAt>
Tangent tangent(const SidesAt& sides_at, PayoffSide side, double epsilon, double width) {
    const double here = one_of(sides_at(epsilon), side).upper;
    const double next = one_of(sides_at(epsilon + width), side).upper;
    const double fall = std::max(0.0, here - next) / std::expm1(width);
    return {fall * std::exp(-epsilon), fall + here};
}

/// -log of the least dP/dQ, which of P = (1-q) N_0 + ..., Q = N_0 is 1-q; from above.
real largest_addition_loss_of(const DominatingPair& pair) {
    if (pair.c == 0.0L) return 0.0L;
    if (pair.shape != DominatingPair::Shape::removal || pair.is_cut())
        return std::numeric_limits<real>::infinity();
    constexpr real slack = 8.0L * unit_roundoff;  // of the logarithm, and of q
    return -std::log1p(-pair.q) * (1.0L + slack) + slack * pair.q / (1.0L - pair.q);
}

}  // namespace

struct LossProfile::Composition {
    Composition(std::vector<RepeatedLossPair> repeated, Adjacency adjacency, double gap)
        : pairs(std::move(repeated)), plan(pairs, adjacency, gap) {}

    std::vector<RepeatedLossPair> pairs;
    CompositionPlan plan;
    std::vector<TiltedBracket> grids;  // successive resolutions
    double reach = 0.0;
};

LossProfile::LossProfile(std::span<const Phase> phases, Adjacency adjacency,
                         const ProfileAim& aim) {
    if (phases.empty()) throw DomainError("phases", "none", "at least one");
    std::vector<RepeatedLossPair> dominating;
    std::vector<RepeatedLossPair> attained;
    bool exact = true;
    real largest_addition_loss = 0.0L;
    for (const Phase& phase : phases) {
        require(phase.repetitions >= 1, "steps", static_cast<double>(phase.repetitions),
                "at least 1");
        const DominatingPair pair = dominating_pair(phase.mechanism, adjacency);
        dominating.push_back({pair, phase.repetitions});
        // One pair for all epsilons: the trade-off function of the best of several is another one.
        attained.push_back({pair.attained_pairs().front(), phase.repetitions});
        exact = exact && pair.attained;
        largest_addition_loss +=
            static_cast<real>(phase.repetitions) * largest_addition_loss_of(pair);
        if (dominating.size() == 1 || pair.theorem.standing == Standing::ours)
            upper_theorem_ = pair.theorem;
    }
    lower_theorem_ = cite::attained;
    const real slack = 2.0L * unit_roundoff * static_cast<real>(phases.size() + 1);
    largest_addition_loss_ = round_up(largest_addition_loss * (1.0L + slack));
    const auto make = [&](std::vector<RepeatedLossPair> pairs) {
        auto made = std::make_shared<Composition>(std::move(pairs), adjacency, aim.relative_gap);
        if (!within_part(1.0, [&] { refine(*made, aim); })) note_ = more_work;
        return made;
    };
    const auto whole = [&] {
        const WorkLimit share = part_of_work(exact ? 1.0 : 0.6);
        return make(std::move(dominating));
    }();
    dominating_ = whole;
    reach_ = whole->reach;
    symmetric_ = whole->plan.symmetric();
    if (whole->plan.factors() > 0.0 && whole->plan.single() == nullptr)
        upper_theorem_ = lower_theorem_ = cite::privacy_loss_distributions;
    if (!exact) {
        attained_ = make(std::move(attained));
        if (note_.empty()) note_ = "the dominating pair is not attained by neighbouring data sets";
    }
}

void LossProfile::refine(Composition& composition, const ProfileAim& aim) {
    CompositionPlan& plan = composition.plan;
    if (plan.factors() == 0.0) return;
    const auto sides_at = [&](double epsilon) { return sides_of(composition, epsilon); };
    if (const DominatingPair* pair = plan.single()) {
        // A record that is rarely drawn leaves delta far below the level of the test.
        double& reach = composition.reach;
        reach = reach_of(*pair, aim.smallest_level);
        const auto level = [&](PayoffSide side) {
            return tangent(sides_at, side, reach, 1e-2 * reach).level;
        };
        while (reach < 1e4 && std::max(level(PayoffSide::removal), level(PayoffSide::addition)) >
                                  aim.smallest_level)
            reach *= 1.5;
        return;
    }
    composition.reach = 1e-3;
    for (const RepeatedLossPair& repeated : composition.pairs)
        composition.reach =
            std::max(composition.reach, reach_of(repeated.pair, aim.smallest_level));
    composition.reach = std::min(composition.reach, largest_pld_epsilon);
    if (plan.scale() < smallest_scale || plan.scale() > largest_scale) {
        note_ = plan.scale() < 1.0 ? "the losses are too small for a grid"
                                   : "the losses are too large for a grid";
        return;
    }
    plan.neglect(1e-2 * aim.relative_gap * aim.smallest_level);
    PldResolution resolution;
    resolution.step =
        short_step(std::clamp(0.08 * plan.scale() / std::sqrt(plan.factors()), 1e-9, 1.0));
    const auto fits = [&](const PldResolution& r) { return plan.points(r) * 32.0 <= most_bytes; };
    double spent = 0.0;
    const auto is_affordable = [&](const PldResolution& r) {
        return spent + plan.products_of_cells(r) <= aim.most_products;
    };
    while (resolution.step < 1.0 && !(fits(resolution) && is_affordable(resolution)))
        resolution.step = short_step(std::min(1.0, 2.0 * resolution.step));
    double previous = std::numeric_limits<double>::infinity();
    // Near epsilon = 0 the density of the loss is large and a gap small against it: probes that do
    // with a much larger step have a grid of their own.
    std::vector<Probe> probes;
    for (const PayoffSide side : {PayoffSide::removal, PayoffSide::addition})
        for (const double part : probe_parts) probes.push_back({part, side});
    std::vector<double> steps{resolution.step};
    for (int pass = 1;; ++pass) {
        const std::size_t first = composition.grids.size();
        for (TiltedBracket& grid :
             tilted_brackets(plan, resolution.spacing, steps, most_points,
                             TiltAim{0.1 * aim.relative_gap, aim.smallest_level}))
            composition.grids.push_back(std::move(grid));
        const auto prepare = [&](TiltedBracket& grid, double epsilon, PayoffSide side) {
            if (grid.tilts() < most_tilts && !grid.accurate(epsilon, side))
                grid.tilt_to(epsilon, side);
        };
        if (pass == 1) {
            // From where Chernoff's bound has it, down to where the level itself is that small.
            TiltedBracket& grid = composition.grids.front();
            double far = std::clamp(grid.chernoff_epsilon(std::log(aim.smallest_level)), 1e-9,
                                    largest_pld_epsilon);
            prepare(grid, far, PayoffSide::removal);
            const double width = 1e-2 * far;
            for (double near = 0.0; far - near > width;) {
                const double middle = 0.5 * (near + far);
                double level = 0.0;
                for (const PayoffSide side : {PayoffSide::removal, PayoffSide::addition})
                    level = std::max(level, tangent(sides_at, side, middle, width).level);
                (level > aim.smallest_level ? near : far) = middle;
            }
            composition.reach = far;
        }
        const double reach = composition.reach;
        const double width = 1e-2 * reach;
        double excess = 0.0;
        double by_spacing = 0.0;
        for (Probe& probe : probes) {
            const double epsilon = probe.part * reach;
            const Tangent before = tangent(sides_at, probe.side, epsilon, width);
            const bool is_rare = pass > 1 && before.level < 1e-2 * aim.smallest_level;
            if (is_rare || before.level > aim.largest_level) continue;
            TiltedBracket& grid = composition.grids[first + probe.grid];
            prepare(grid, epsilon, probe.side);
            const Tangent test = tangent(sides_at, probe.side, epsilon, width);
            const double allowed = std::min(
                aim.absolute_gap, aim.relative_gap * std::max(test.power, aim.smallest_level));
            const Sides found = one_of(sides_at(epsilon), probe.side);
            const double gap = found.upper - found.lower;
            excess = std::max(excess, gap / allowed);
            // A variance of factors step^2/4 between the sides costs half the density.
            const double weight = grid.cost_of_shift(epsilon, probe.side);
            const double h = steps[probe.grid];
            const double due_to_step =
                plan.geometric() ? std::min(gap, 0.125 * plan.factors() * h * h * weight) : gap;
            probe.by_step = due_to_step / (0.45 * allowed);
            by_spacing = std::max(by_spacing, (gap - due_to_step) / (0.5 * allowed));
        }
        if (excess <= 1.1) return;
        const auto by_step_on = [&](std::size_t grid) {
            double most = 0.0;
            for (const Probe& probe : probes)
                if (probe.grid == grid) most = std::max(most, probe.by_step);
            return most;
        };
        if (pass == 1) {
            const double most = by_step_on(0);
            for (Probe& probe : probes)
                if (16.0 * probe.by_step < most) probe.grid = 1;
            if (std::any_of(probes.begin(), probes.end(),
                            [](const Probe& p) { return p.grid == 1; }))
                steps.push_back(resolution.step);
        }
        const double least = pass == 1 ? 0.25 : 1.0;  // once told apart, neither is let grow again
        const auto finer = [&](double by) {
            return 1.0 / std::sqrt(1.05 * std::clamp(by, least, 400.0));
        };
        const auto next_step = [&](std::size_t grid) {
            return short_step(std::clamp(steps[grid] * finer(by_step_on(grid)), 1e-9, 1.0));
        };
        PldResolution next{std::max(5e-4, resolution.spacing * finer(by_spacing)), next_step(0)};
        // A window that is cut would leave out what it is refined for.
        const double finest =
            1.001 * composition.grids[first].width() / static_cast<double>(most_points);
        if (next.step < finest) next.step = short_step(std::min(finest, resolution.step));
        // As fine as memory and effort allow.
        spent += plan.products_of_cells(resolution);
        while (!(fits(next) && is_affordable(next)) && next.step < resolution.step)
            next.step = short_step(std::min(1.1 * next.step, 1.0));
        while (plan.geometric() && plan.products(next) > aim.most_products &&
               next.spacing < resolution.spacing)
            next.spacing *= 1.1;
        const bool is_finer = next.step < 0.95 * resolution.step ||
                              (plan.geometric() && next.spacing < 0.95 * resolution.spacing);
        if (pass == most_passes || excess > 0.95 * previous)
            note_ = "finer grids no longer help, or were refined as often as is allowed";
        else if (!is_finer || !fits(next) || !is_affordable(next))
            note_ = "the gap asked for needs finer grids than the effort or the memory allows";
        if (!note_.empty()) return;
        previous = excess;
        resolution = next;
        steps[0] = next.step;
        if (steps.size() > 1) steps[1] = std::max(next_step(1), next.step);
    }
}

DeltaSides LossProfile::sides_of(const Composition& composition, double epsilon) {
    if (composition.plan.factors() == 0.0) return {0.0, 0.0, 0.0, 0.0};
    const auto closed_form = [epsilon](const DominatingPair& pair) {
        const PairDivergence exact = pair_divergence(pair, epsilon);
        return DeltaSides{exact.removal.lower, exact.removal.upper, exact.addition.lower,
                          exact.addition.upper};
    };
    if (const DominatingPair* pair = composition.plan.single()) return closed_form(*pair);
    const double most = std::min(1.0, composition.plan.total_variation());
    DeltaSides sides{0.0, most, 0.0, most};
    for (const RepeatedLossPair& repeated : composition.pairs) {
        // All steps release no less than one of them. A pair that no neighbours attain is left out:
        // its lower side is not used.
        if (repeated.pair.c == 0.0L || !repeated.pair.attained) continue;
        DeltaSides one = closed_form(repeated.pair);
        one.removal_upper = one.addition_upper = 1.0;
        sides.tighten(one);
    }
    for (const TiltedBracket& grid : composition.grids) {
        DeltaSides found = grid.at(std::min(epsilon, largest_pld_epsilon));
        if (epsilon > largest_pld_epsilon)  // the upper sides fall with epsilon
            found.removal_lower = found.addition_lower = 0.0;
        sides.tighten(found);
    }
    return sides;
}

bool LossProfile::has_no_grid() const {
    const DeltaSides there = sides_of(*dominating_, reach_);
    return there.upper() > 0.5 && there.lower() < 0.5 * there.upper();
}

DeltaSides LossProfile::at(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    DeltaSides sides = sides_of(*dominating_, epsilon);
    if (attained_) {
        const DeltaSides below = sides_of(*attained_, epsilon);
        sides.removal_lower = below.removal_lower;
        sides.addition_lower = below.addition_lower;
    }
    if (epsilon >= largest_addition_loss_) sides.addition_upper = 0.0;
    return sides;
}

}  // namespace assay
