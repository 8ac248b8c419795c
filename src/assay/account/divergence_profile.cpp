#include "assay/account/divergence_profile.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "assay/account/epoch_parts.hpp"
#include "assay/account/renyi_profile.hpp"
#include "assay/account/without_amplification.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/loss_profile.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

constexpr double largest_epsilon = 500.0;

bool is_published_only(const ProfileGoal& goal) {
    return goal.goal.standing == StandingFilter::published;
}

double most_products(Effort effort) {
    if (effort == Effort::quick) return 1e8;
    return effort == Effort::normal ? 1e9 : 1e10;
}

/// The part of its largest shift that a release has with a positive probability beside a null
/// hypothesis on the other side of 0 (docs/proofs.md W.3 (d)).
struct TailPart {
    Adjacency adjacency;

    /// A record against a null one, beside null ones, where it could be exchanged for its opposite.
    [[nodiscard]] real against_null() const {
        return adjacency == Adjacency::replace_one ? 0.5L : 1.0L;
    }

    real operator()(const SampledGaussian& /*m*/) const { return against_null(); }
    real operator()(const FixedSizeWithReplacementGaussian& /*m*/) const { return against_null(); }
    real operator()(const TruncatedPoissonGaussian& /*m*/) const {
        return adjacency == Adjacency::zero_out ? 1.0L : 0.5L;
    }
    real operator()(const auto& /*m*/) const { return 1.0L; }
};

GaussianShift sum_of_shifts(const Release& release) {
    real unamplified = 0.0L;
    real tail = 0.0L;
    for (const Phase& phase : release.phases) {
        const real shift = largest_shift(phase.mechanism, release.adjacency);
        const real part = std::visit(TailPart{release.adjacency}, phase.mechanism);
        const real square = static_cast<real>(phase.repetitions) * shift * shift;
        unamplified += square;
        tail += part * part * square;
    }
    const real slack = 8.0L * unit_roundoff * static_cast<real>(release.phases.size() + 1);
    return {std::sqrt(tail) * (1.0L - slack), std::sqrt(unamplified) * (1.0L + slack)};
}

/// The shift of a release that is a plain Gaussian mechanism.
std::optional<GaussianShift> gaussian_shift(std::span<const Phase> steps, Adjacency adjacency) {
    real sum = 0.0L;
    for (const Phase& phase : steps) {
        const auto* gaussian = std::get_if<Gaussian>(&phase.mechanism);
        if (gaussian == nullptr) return std::nullopt;
        const real shift = largest_shift(*gaussian, adjacency);
        sum += static_cast<real>(phase.repetitions) * shift * shift;
    }
    const real slack = 4.0L * unit_roundoff * static_cast<real>(steps.size() + 1);
    return GaussianShift{std::sqrt(sum) * (1.0L - slack), std::sqrt(sum) * (1.0L + slack)};
}

Enclosure gaussian_divergence(const GaussianShift& shift, double epsilon) {
    const auto square = [](real x, real rounding) { return x * x * (1.0L + rounding); };
    return {gaussian_delta(square(shift.lower, -0x1p-62L), epsilon).lower,
            gaussian_delta(square(shift.upper, 0x1p-62L), epsilon).upper};
}

double gaussian_reach(const GaussianShift& shift, double smallest) {
    double high = 1e-6;
    while (high < 1e4 && gaussian_divergence(shift, high).upper > smallest) high *= 1.5;
    return high;
}

/// What is said without any accountant: nothing of either divergence.
DivergenceSample nothing_known(double epsilon) {
    return {epsilon, {0.0, 1.0}, {0.0, 1.0}};
}

void use_losses(DivergenceProfile& profile, const std::shared_ptr<const LossProfile>& losses) {
    profile.symmetric = losses->symmetric();
    profile.reach = losses->reach();
    profile.addition_ends = losses->largest_addition_loss();
    profile.note = losses->note();
    profile.lower_theorem = losses->lower_theorem();
    profile.upper_theorem = losses->upper_theorem();
    profile.at = [losses](double epsilon) {
        const DeltaSides sides = losses->at(epsilon);
        return DivergenceSample{epsilon,
                                {sides.removal_lower, sides.removal_upper},
                                {sides.addition_lower, sides.addition_upper}};
    };
}

/// Of two profiles whose lower sides are of the same neighbours: the better of each side.
DivergenceSample better_of(const DivergenceSample& one, const DivergenceSample& other) {
    const auto better = [](const Enclosure& x, const Enclosure& y) {
        const double upper = std::min(x.upper, y.upper);
        return Enclosure{std::min(std::max(x.lower, y.lower), upper), upper};
    };
    return {one.epsilon, better(one.removal, other.removal), better(one.addition, other.addition)};
}

/// None where this part of the work does not suffice.
std::shared_ptr<const LossProfile> losses_within(double part, std::span<const Phase> steps,
                                                 Adjacency adjacency, const ProfileGoal& goal) {
    std::shared_ptr<const LossProfile> losses;
    within_part(part, [&] {
        losses = std::make_shared<const LossProfile>(
            steps, adjacency,
            ProfileAim{.relative_gap = goal.goal.relative_gap,
                       .absolute_gap = goal.absolute_gap,
                       .smallest_level = goal.smallest_level,
                       .largest_level = goal.largest_level,
                       .most_products = most_products(goal.goal.effort)});
    });
    return losses;
}

void use_steps(DivergenceProfile& profile, std::span<const Phase> steps, Adjacency adjacency,
               const ProfileGoal& goal, RenyiProfile::Sides sides = RenyiProfile::Sides::both) {
    const bool has_pairs = std::all_of(steps.begin(), steps.end(), [&](const Phase& phase) {
        return has_dominating_pair(phase.mechanism, adjacency);
    });
    const bool has_losses = has_pairs && !is_published_only(goal);
    std::shared_ptr<const LossProfile> losses;
    if (has_losses) losses = losses_within(0.8, steps, adjacency, goal);
    if (losses) {
        use_losses(profile, losses);
        bool has_no_grid = false;
        within_part(1.0, [&] { has_no_grid = losses->has_no_grid(); });
        if (!has_no_grid) return;
    } else {
        profile.at = nothing_known;
        profile.note = has_losses  ? more_work
                       : has_pairs ? ""
                                   : "no privacy loss distribution of this sampler is known: Renyi "
                                     "divergences alone";
        profile.lower_theorem = cite::explicit_pair;
        profile.upper_theorem = cite::unsampled_hockey_stick;
    }
    profile.most_samples = 400;
    within_part(0.5, [&] {
        const auto renyi =
            std::make_shared<const RenyiProfile>(steps, adjacency, goal.goal.standing, sides);
        if (renyi->says_anything()) profile.reach = renyi->reach(goal.smallest_level);
        profile.upper_theorem = renyi->upper_theorem();
        profile.at = [others = profile.at, renyi](double epsilon) {
            return better_of(others(epsilon), renyi->at(epsilon));
        };
    });
}

/// Both sides of sums in convex order and pairs, composed; the direction addition is left open
/// where the work does not suffice.               Throws  WorkEnded
DivergenceSource sums_source(const EpochSequence& sequence, const ProfileGoal& goal,
                             double& reach) {
    GapGoal gap;
    gap.tolerance = goal.goal.relative_gap;
    gap.negligible_delta = std::max(1e-15, goal.smallest_level);
    gap.largest_cost = most_products(goal.goal.effort);
    constexpr double probes[] = {0.0, 0.1, 0.3, 0.5, 0.8};
    using DeltaAt = std::function<Enclosure(double epsilon)>;
    const auto of_one = [&](LossDirection direction) -> DeltaAt {
        const BallsAndBins& one = sequence.epochs.front().mechanism;
        reach = negligible_beyond(one, goal.smallest_level);
        std::vector<double> epsilons;
        for (const double part : probes) epsilons.push_back(part * reach);
        epsilons.push_back(reach);
        const auto bracket = std::make_shared<const ConvexOrderBracket>(
            bracket_within(one, direction, epsilons, gap).bracket);
        return [bracket](double epsilon) { return bracket->delta(epsilon); };
    };
    const auto of_all = [&](LossDirection direction) -> DeltaAt {
        const auto all =
            std::make_shared<EpochComposition>(composition_within(sequence, direction, 0.0, gap));
        if (direction == LossDirection::removal)
            reach = std::clamp(all->likely_epsilon(goal.smallest_level), 1e-6, largest_epsilon);
        within_part(1.0, [&] {
            for (const double part : probes) static_cast<void>(all->delta(part * reach));
        });
        return [all](double epsilon) { return std::as_const(*all).known_delta(epsilon); };
    };
    const bool is_one =
        sequence.steps.empty() && sequence.epochs.size() == 1 && sequence.epochs.front().count == 1;
    const auto within = [&](double part, LossDirection direction) {
        const WorkLimit share = part_of_work(part);
        return is_one ? of_one(direction) : of_all(direction);
    };
    const DeltaAt removal = within(0.7, LossDirection::removal);
    DeltaAt addition = [](double /*epsilon*/) { return Enclosure{0.0, 1.0}; };
    within_part(1.0, [&] { addition = within(1.0, LossDirection::addition); });
    return [removal, addition](double epsilon) {
        return DivergenceSample{epsilon, removal(epsilon), addition(epsilon)};
    };
}

/// What bounds the epochs above and what they tell at least: see EpochParts.
struct Sequences {
    EpochSequence above;
    EpochSequence below;
    bool same = true;
};

Sequences sequences_of(const EpochParts& parts) {
    Sequences found{{parts.bins_above, {}}, {parts.bins_below, {}}, true};
    found.same = parts.shuffled.empty() && parts.above.empty() &&
                 parts.bins_above.size() == parts.bins_below.size();
    for (std::size_t i = 0; found.same && i < parts.bins_above.size(); ++i)
        found.same = parts.bins_above[i].count == parts.bins_below[i].count;
    for (const Phase& phase : parts.steps) {
        const DominatingPair pair = dominating_pair(phase.mechanism, Adjacency::zero_out);
        found.above.steps.push_back({pair, phase.repetitions});
        found.below.steps.push_back({pair.attained_pairs().front(), phase.repetitions});
        found.same = found.same && pair.attained;
    }
    for (const Phase& phase : parts.above)
        found.above.steps.push_back(
            {dominating_pair(phase.mechanism, Adjacency::zero_out), phase.repetitions});
    for (const auto& [mechanism, epochs] : parts.shuffled)
        found.below.steps.push_back({largest_coordinate_pair(mechanism), epochs});
    return found;
}

/// `from` on the lower sides, where it tells more.
void raise_lower_sides(DivergenceSample& sample, const DivergenceSample& from) {
    const auto raise = [](Enclosure& value, double at_least) {
        value.lower = std::max(value.lower, std::min(at_least, value.upper));
    };
    raise(sample.removal, from.removal.lower);
    raise(sample.addition, from.addition.lower);
}

/// The lower side of all steps together, the cheapest way first; nothing where there are none.
DivergenceProfile lower_side_of_steps(const EpochParts& parts, const ProfileGoal& goal) {
    DivergenceProfile profile;
    profile.at = nothing_known;
    profile.reach = 0.0;
    if (parts.steps.empty() || is_published_only(goal)) return profile;
    const WorkLimit share = part_of_work(0.7);
    const auto improve = [&](const DivergenceProfile& other) {
        profile.reach = std::max(profile.reach, other.reach);
        profile.lower_theorem = other.lower_theorem;
        profile.at = [one = profile.at, another = other.at](double epsilon) {
            return better_of(one(epsilon), another(epsilon));
        };
    };
    within_part(1.0, [&] {
        const auto pair = std::make_shared<const RenyiProfile>(
            parts.steps, Adjacency::zero_out, StandingFilter::any, RenyiProfile::Sides::lower);
        DivergenceProfile explicit_pair;
        explicit_pair.reach = pair->reach(goal.smallest_level);
        explicit_pair.lower_theorem = cite::explicit_pair;
        explicit_pair.at = [pair](double epsilon) { return pair->at(epsilon); };
        improve(explicit_pair);
    });
    if (const auto losses = losses_within(1.0, parts.steps, Adjacency::zero_out, goal)) {
        DivergenceProfile by_losses;
        use_losses(by_losses, losses);
        improve(by_losses);
    }
    return profile;
}

void use_epochs(DivergenceProfile& profile, const EpochParts& parts, const ProfileGoal& goal) {
    const auto fixed_order = std::make_shared<DivergenceProfile>();
    const std::vector<Phase> in_fixed_order = parts.in_fixed_order();
    if (const auto shift = gaussian_shift(in_fixed_order, Adjacency::zero_out)) {
        fixed_order->at = [shift](double epsilon) {
            const Enclosure delta = gaussian_divergence(*shift, epsilon);
            return DivergenceSample{epsilon, delta, delta};
        };
        fixed_order->reach = gaussian_reach(*shift, goal.smallest_level);
        fixed_order->upper_theorem = cite::chua2025_prop_3_2;
    } else {
        const WorkLimit share = part_of_work(0.15);
        use_steps(*fixed_order, in_fixed_order, Adjacency::zero_out, goal,
                  RenyiProfile::Sides::upper);
    }
    profile.reach = fixed_order->reach;
    profile.upper_theorem = fixed_order->upper_theorem;
    profile.lower_theorem = parts.bins_below.empty() ? cite::chua2024_shuffle : cite::chua2025_eq_6;
    DivergenceSource above;
    DivergenceSource below;
    if (!is_published_only(goal) && parts.has_grids()) {
        const Sequences sequences = sequences_of(parts);
        const auto sums_within = [&](double part, const EpochSequence& sequence, double& reach) {
            DivergenceSource found;
            if (sequence.epochs.empty()) return found;
            if (!within_part(part, [&] { found = sums_source(sequence, goal, reach); }))
                profile.note = more_work;
            return found;
        };
        double reach = profile.reach;
        above = sums_within(sequences.same ? 0.8 : 0.6, sequences.above, reach);
        if (above) {
            profile.upper_theorem = cite::convex_order;
            // Not the smaller of both: at a level, the curve of a more private pair may be steeper.
            profile.reach = reach;
        }
        below = sequences.same ? above : sums_within(0.8, sequences.below, reach);
        if (below) profile.lower_theorem = cite::convex_order;
    }
    const auto without_parts = [fixed_order, above, below](double epsilon) {
        DivergenceSample sample = fixed_order->at(epsilon);
        sample.removal.lower = sample.addition.lower = 0.0;
        if (above) {
            const DivergenceSample found = above(epsilon);
            sample.removal.upper = std::min(sample.removal.upper, found.removal.upper);
            sample.addition.upper = std::min(sample.addition.upper, found.addition.upper);
        }
        if (below) raise_lower_sides(sample, below(epsilon));
        return sample;
    };
    profile.at = without_parts;
    // Sums whose sides are far apart may tell less than what is a part of all that was released.
    Enclosure advantage{0.0, 1.0};
    within_part(1.0, [&] { advantage = without_parts(0.0).removal; });
    if (advantage.lower < 0.5 * advantage.upper) {
        const DivergenceProfile steps = lower_side_of_steps(parts, goal);
        profile.reach = std::max({profile.reach, steps.reach, fixed_order->reach});
        if (!below && steps.reach > 0.0) profile.lower_theorem = steps.lower_theorem;
        if (profile.note.empty())
            profile.note = "the sums were refined as far as their cost allows";
        profile.at = [without_parts, of_steps = steps.at, parts](double epsilon) {
            DivergenceSample sample = without_parts(epsilon);
            raise_lower_sides(sample, of_steps(epsilon));
            const auto raise = [&](double lower) {
                raise_lower_sides(sample, {epsilon, {lower, lower}, {0.0, 0.0}});
            };
            for (const auto& [mechanism, epochs] : parts.bins_below)
                raise(largest_coordinate_delta(mechanism, epsilon).lower);
            for (const auto& [mechanism, epochs] : parts.shuffled)
                raise(largest_coordinate_delta(mechanism, epsilon).lower);
            return sample;
        };
    }
    if (!parts.shuffled.empty())
        profile.note =
            "upper side: that of batches in a fixed order, which is no smaller "
            "(convexity); no better one is known for shuffling";
    constexpr std::size_t most_samples = 1500;
    profile.most_samples = above ? most_samples : std::min(most_samples, fixed_order->most_samples);
}

}  // namespace

GaussianShift shifts_of(const Release& release) {
    if (release.phases.empty()) throw DomainError("phases", "none", "at least one");
    for (const Phase& phase : release.phases) {
        validate(phase.mechanism);
        require_theorem(phase.mechanism, release.adjacency);
        require(phase.repetitions >= 1, "repetitions", static_cast<double>(phase.repetitions),
                "at least 1");
    }
    return sum_of_shifts(release);
}

DivergenceProfile divergence_profile(const Release& release, const ProfileGoal& goal) {
    if (release.phases.empty()) throw DomainError("phases", "none", "at least one");
    const Release all = joined(release);
    const EpochParts parts = epoch_parts(all);
    DivergenceProfile profile;
    const GaussianShift shifts = shifts_of(all);
    profile.tail_shift = shifts.lower;
    profile.unamplified_shift = shifts.upper;
    if (!parts.has_random_order()) {
        for (const Phase& phase : parts.steps)
            require(phase.repetitions >= 1, "steps", static_cast<double>(phase.repetitions),
                    "at least 1");
        profile.gaussian = gaussian_shift(parts.steps, release.adjacency);
        if (!profile.gaussian) {
            use_steps(profile, parts.steps, release.adjacency, goal);
            return profile;
        }
        profile.symmetric = true;
        profile.reach = gaussian_reach(*profile.gaussian, goal.smallest_level);
        profile.lower_theorem = profile.upper_theorem = cite::balle2018_gaussian;
        profile.at = [shift = *profile.gaussian](double epsilon) {
            const Enclosure delta = gaussian_divergence(shift, epsilon);
            return DivergenceSample{epsilon, delta, delta};
        };
        return profile;
    }
    use_epochs(profile, parts, goal);
    return profile;
}

}  // namespace assay
