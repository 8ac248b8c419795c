#include "assay/pld/near_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/work_limit.hpp"
#include "assay/pld/pair_masses.hpp"

namespace assay {

namespace {

constexpr double finest_spacing = 2e-4;
constexpr double first_spacing = 0.02;

/// A sum of some steps, and about the variance of its loss.
struct Part {
    LossSum sum;
    double variance;
};

/// All steps of all pairs, as one or two sums.
std::vector<LossSum> sums_of(const NearPlan& plan, const std::shared_ptr<const LossPoints>& points,
                             double spacing, Direction direction, PayoffSide side) {
    const auto plus = [&](const Part& a, const Part& b) {
        const double variance = a.variance + b.variance;
        // What lies nearer to 0 hardly shows.
        return Part{a.sum.plus(b.sum, points->place(0.2 * spacing * std::sqrt(variance))),
                    variance};
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const RepeatedLossPair& repeated = plan.pairs[i];
        Part power{LossSum(repeated.pair, points, direction, side, plan.negligible),
                   plan.deviations[i] * plan.deviations[i]};
        for (std::int64_t rest = repeated.steps; rest > 0; rest /= 2) {
            if (rest % 2 == 1) parts.push_back(power);
            if (rest == 2 && plan.pairs.size() == 1 && parts.empty()) {
                parts = {power, power};  // twice the same
                break;
            }
            if (rest > 1) power = plus(power, power);
        }
    }
    // The last one, the largest of a single pair, stays apart.
    while (parts.size() > 2) {
        parts[1] = plus(parts[0], parts[1]);
        parts.erase(parts.begin());
    }
    std::vector<LossSum> sums;
    sums.reserve(parts.size());
    for (Part& part : parts) sums.push_back(std::move(part.sum));
    return sums;
}

/// Of what is known with a bracket, and of the bracket alone.
struct Gaps {
    double left;
    double own;
};

/// Refines until `gaps_of(bracket).left` is small enough, a bracket is no closer than the one
/// before or the work is spent. `addition` tells whether that direction may still decide.
template <class GapsOf>
void refine(const NearPlan& plan, const NearAim& aim, const bool& addition, const GapsOf& gaps_of) {
    double spent = 0.0;
    double previous = std::numeric_limits<double>::infinity();
    double spacing = first_spacing;
    while (spacing < 0.3 && plan.products(spacing) > aim.most_products) spacing *= 1.2;
    for (int pass = 0; pass < 5; ++pass) {
        const NearBracket bracket(plan, spacing, addition);
        const auto [left, gap] = gaps_of(bracket);
        const double done = bracket.products() + plan.products_of_masses(spacing);
        spent += done;
        // Tails take less than was estimated.
        const auto cost = [&](double finer) {
            return done * plan.products(finer) / plan.products(spacing);
        };
        // Where rounding decides, finer points do not help.
        if (!(left > aim.relative_gap && gap <= 0.8 * previous)) return;
        if (pass > 0 && !std::isfinite(gap)) return;
        previous = gap;
        // The gap falls with the square of the spacing, or has not begun to.
        double finer = spacing * std::clamp(std::sqrt(0.7 * aim.relative_gap / gap), 0.05, 0.7);
        if (gap > 0.5) finer = 0.4 * spacing;
        finer = std::max(finer, finest_spacing);
        while (finer < 0.8 * spacing && spent + cost(finer) > aim.most_products) finer *= 1.05;
        if (finer >= 0.8 * spacing) return;
        spacing = finer;
    }
}

/// What `gaps_of` was told before a limit of the work was reached stays.
template <class GapsOf>
void refine_within_limit(const NearPlan& plan, const NearAim& aim, const bool& addition,
                         const GapsOf& gaps_of) {
    within_part(1.0, [&] { refine(plan, aim, addition, gaps_of); });
}

}  // namespace

NearPlan::NearPlan(std::span<const RepeatedLossPair> all, Adjacency adjacency) {
    const CompositionPlan whole(all, adjacency, 1e-3);
    scale = whole.scale();
    symmetric = whole.symmetric();
    for (const RepeatedLossPair& repeated : all) {
        if (repeated.pair.c == 0.0L) continue;
        const CompositionPlan one({&repeated, 1}, adjacency, 1e-3);
        pairs.push_back(repeated);
        deviations.push_back(one.scale() / std::sqrt(static_cast<double>(repeated.steps)));
    }
}

double NearPlan::steps() const {
    double sum = 0.0;
    for (const RepeatedLossPair& repeated : pairs) sum += static_cast<double>(repeated.steps);
    return sum;
}

std::shared_ptr<const LossPoints> NearPlan::points(double spacing) const {
    double smallest = std::numeric_limits<double>::infinity();
    double highest = 0.0;
    for (const double deviation : deviations) smallest = std::min(smallest, deviation);
    // All but a negligible tail of every step, and room for the others beside it.
    const auto deviation = static_cast<real>(std::sqrt(-2.0 * std::log(negligible)) + 1.0);
    for (const RepeatedLossPair& repeated : pairs) {
        const LossRange range = loss_range(repeated.pair, deviation);
        highest = std::max({highest, static_cast<double>(range.highest),
                            std::min(static_cast<double>(-range.lowest), 600.0)});
    }
    const double reach = 1.2 * highest + (2.0 + static_cast<double>(deviation)) * scale;
    const double top = std::clamp(reach, 1e-250, 590.0);
    // Steps far below the scale of the sum count by their variance alone.
    const double floor = 0.2 * spacing * std::max(smallest, 1e-3 * scale / std::sqrt(steps()));
    return loss_points(std::clamp(floor, 1e-270, 0.1 * top), top, spacing);
}

double NearPlan::products(double spacing) const {
    const auto size = static_cast<double>(points(spacing)->size());
    double sums = -1.0;
    for (const RepeatedLossPair& repeated : pairs)
        for (std::int64_t rest = repeated.steps; rest > 0; rest /= 2)
            sums += (rest > 1 ? 1.0 : 0.0) + (rest % 2 == 1 ? 2.0 : 0.0);
    const double distances = std::log(1.0 / spacing) / spacing;
    return (symmetric ? 1.0 : 2.0) * sums * 2.5 * size * distances + products_of_masses(spacing);
}

double NearPlan::products_of_masses(double spacing) const {
    const auto size = static_cast<double>(points(spacing)->size());
    double summed = 0.0;
    for (const RepeatedLossPair& repeated : pairs) summed += summed_pairs(repeated.pair);
    return (symmetric ? 2.0 : 4.0) * summed * 2.0 * size * 500.0;
}

NearBracket::NearBracket(const NearPlan& plan, double spacing, bool addition) {
    const auto points = plan.points(spacing);
    const auto divergence = [&](Direction direction, PayoffSide side) {
        const std::vector<LossSum> sums = sums_of(plan, points, spacing, direction, side);
        double products = 0.0;
        for (const LossSum& one : sums) products += one.products();
        products_ += (plan.symmetric ? 2.0 : 1.0) * products / 3.0;
        return SumDivergence(sums.front(), sums.size() == 2 ? &sums.back() : nullptr);
    };
    const auto sides_of = [&](PayoffSide side) {
        return Sides{divergence(Direction::upper, side), divergence(Direction::lower, side)};
    };
    removal_ = sides_of(PayoffSide::removal);
    if (plan.symmetric)
        addition_ = removal_;
    else if (addition)
        addition_ = sides_of(PayoffSide::addition);
}

DeltaSides NearBracket::at(double epsilon) const {
    DeltaSides sides;
    sides.removal_upper = removal_->upper.delta(epsilon);
    sides.removal_lower = removal_->lower.delta(epsilon);
    if (!addition_) return sides;
    sides.addition_upper = addition_->upper.delta(epsilon);
    sides.addition_lower = addition_->lower.delta(epsilon);
    return sides;
}

DeltaSides near_delta(NearPlan plan, double epsilon, const DeltaSides& known, const NearAim& aim) {
    DeltaSides best = known;
    const auto neglect = [&] {
        plan.negligible = std::max(1e-302, 1e-9 * best.lower() / plan.steps());
    };
    neglect();
    bool addition = true;
    refine_within_limit(plan, aim, addition, [&](const NearBracket& bracket) {
        DeltaSides own = bracket.at(epsilon);
        best.tighten(own);
        neglect();
        addition = best.addition_upper > best.removal_lower;
        own.addition_upper = best.addition_upper;  // known, where that direction is left open
        return Gaps{best.relative_gap(), own.relative_gap()};
    });
    return best;
}

Enclosure near_epsilon(NearPlan plan, double delta, const Enclosure& known, const NearAim& aim) {
    Enclosure best = known;
    plan.negligible = std::max(1e-302, 1e-9 * delta / plan.steps());
    // delta_addition <= delta at the epsilon where the removal direction is still above it.
    bool addition = true;
    double addition_epsilon = 0.0;
    refine_within_limit(plan, aim, addition, [&](const NearBracket& bracket) {
        const auto sides_at = [&](double epsilon) {
            DeltaSides sides = bracket.at(epsilon);
            if (!addition && epsilon >= addition_epsilon) sides.addition_upper = 0.0;
            return sides;
        };
        const Enclosure found = epsilon_crossing(sides_at, delta);
        if (addition) {
            addition_epsilon = found.lower;
            addition = bracket.at(found.lower).addition_upper > delta;
        }
        best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
        return Gaps{best.relative_width(), found.relative_width()};
    });
    return best;
}

}  // namespace assay
