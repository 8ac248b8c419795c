#include "assay/account/divergence_profile.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "assay/account/epoch_parts.hpp"
#include "assay/account/without_amplification.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/loss_profile.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"
#include "assay/rdp/epsilon_lower_bound.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_sum.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "assay/rdp/worst_pair.hpp"

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

/// Both divergences from Renyi divergences: above, the conversions of many orders; below, an
/// explicit pair with the record against the pair without it.
class RenyiProfile {
public:
    RenyiProfile(std::span<const Phase> steps, Adjacency adjacency, bool published) {
        std::vector<double> orders;
        for (int i = -20; i <= 40; ++i) orders.push_back(1.0 + std::pow(10.0, 0.1 * i));
        std::vector<RdpSum> sums(orders.size(), RdpSum(Direction::upper));
        for (const Phase& phase : steps) {
            const Theorem theorem = exact_theorem(phase.mechanism, adjacency);
            if (published) {
                const std::vector<Bound> bounds = published_rdp(phase.mechanism, adjacency, orders);
                for (std::size_t i = 0; i < orders.size(); ++i)
                    sums[i].add(bounds[i], phase.repetitions);
            } else {
                const std::vector<Enclosure> values = exact_rdp(phase.mechanism, adjacency, orders);
                for (std::size_t i = 0; i < orders.size(); ++i)
                    sums[i].add({values[i].upper, Direction::upper, theorem}, phase.repetitions);
                pairs_.push_back({worst_pair(phase.mechanism, adjacency), phase.repetitions});
            }
        }
        for (std::size_t i = 0; i < orders.size(); ++i)
            composed_.push_back({orders[i], sums[i].value()});
        theorem_ = sums.front().theorems().front();
        for (const Theorem& theorem : sums.front().theorems())
            if (theorem.standing == Standing::ours) theorem_ = theorem;
    }

    [[nodiscard]] double above(double epsilon) const {
        double least = 1.0;
        for (const auto& [order, rdp] : composed_)
            least = std::min(least, canonne2020_delta(order, exactly(rdp), epsilon).upper);
        return least;
    }
    [[nodiscard]] DivergenceSample at(double epsilon) const {
        const double upper = above(epsilon);
        const double lower =
            pairs_.empty() ? 0.0 : std::min(upper, delta_lower_bound(pairs_, epsilon));
        return {epsilon, {lower, upper}, {0.0, upper}};
    }
    [[nodiscard]] double reach(double smallest) const {
        double high = 1e-3;
        while (high < 1e4 && above(high) > smallest) high *= 1.3;
        return high;
    }
    [[nodiscard]] Theorem theorem() const { return theorem_; }

private:
    struct Composed {
        double order;
        double rdp;
    };
    std::vector<Composed> composed_;
    std::vector<RepeatedPair> pairs_;
    Theorem theorem_;
};

void use_renyi(DivergenceProfile& profile, std::span<const Phase> steps, Adjacency adjacency,
               const ProfileGoal& goal) {
    const auto renyi =
        std::make_shared<const RenyiProfile>(steps, adjacency, is_published_only(goal));
    profile.at = [renyi](double epsilon) { return renyi->at(epsilon); };
    profile.reach = renyi->reach(goal.smallest_level);
    profile.most_samples = 60;
    profile.upper_theorem = renyi->theorem();
    profile.lower_theorem = cite::explicit_pair;
}

void use_steps(DivergenceProfile& profile, std::span<const Phase> steps, Adjacency adjacency,
               const ProfileGoal& goal) {
    const auto all_have = [&](auto has_pair) {
        return std::all_of(steps.begin(), steps.end(), [&](const Phase& phase) {
            return has_pair(phase.mechanism, adjacency);
        });
    };
    const bool has_pairs = all_have(has_dominating_pair);
    if (!has_pairs || is_published_only(goal)) {
        use_renyi(profile, steps, adjacency, goal);
        if (!has_pairs)
            profile.note =
                "no privacy loss distribution of this sampler is known: Renyi "
                "divergences alone";
        return;
    }
    const auto distributions = std::make_shared<const LossProfile>(
        steps, adjacency,
        ProfileAim{.relative_gap = goal.goal.relative_gap,
                   .absolute_gap = goal.absolute_gap,
                   .smallest_level = goal.smallest_level,
                   .largest_level = goal.largest_level,
                   .most_products = most_products(goal.goal.effort)});
    profile.symmetric = distributions->symmetric();
    profile.reach = distributions->reach();
    profile.addition_ends = distributions->largest_addition_loss();
    profile.note = distributions->note();
    profile.lower_theorem = distributions->lower_theorem();
    profile.upper_theorem = distributions->upper_theorem();
    std::shared_ptr<const RenyiProfile> renyi;  // where grids fail
    if (distributions->at(distributions->reach()).upper() > 0.5 && all_have(has_worst_renyi_pair)) {
        renyi = std::make_shared<const RenyiProfile>(steps, adjacency, false);
        profile.reach = renyi->reach(goal.smallest_level);
        profile.upper_theorem = renyi->theorem();
        profile.most_samples = 60;
    }
    profile.at = [distributions, renyi](double epsilon) {
        const DeltaSides sides = distributions->at(epsilon);
        DivergenceSample sample{epsilon,
                                {sides.removal_lower, sides.removal_upper},
                                {sides.addition_lower, sides.addition_upper}};
        if (!renyi) return sample;
        const double above = renyi->above(epsilon);
        sample.removal.upper =
            std::max(sample.removal.lower, std::min(sample.removal.upper, above));
        sample.addition.upper =
            std::max(sample.addition.lower, std::min(sample.addition.upper, above));
        sample.removal.lower = std::max(
            sample.removal.lower, std::min(sample.removal.upper, renyi->at(epsilon).removal.lower));
        return sample;
    };
}

/// Both sides of sums in convex order and pairs, composed.
DivergenceSource sums_source(const EpochSequence& sequence, const ProfileGoal& goal,
                             double& reach) {
    GapGoal gap;
    gap.tolerance = goal.goal.relative_gap;
    gap.negligible_delta = std::max(1e-15, goal.smallest_level);
    gap.largest_cost = most_products(goal.goal.effort);
    constexpr double probes[] = {0.0, 0.1, 0.3, 0.5, 0.8};
    if (sequence.steps.empty() && sequence.epochs.size() == 1 &&
        sequence.epochs.front().count == 1) {
        const BallsAndBins& one = sequence.epochs.front().mechanism;
        reach = negligible_beyond(one, goal.smallest_level);
        std::vector<double> epsilons;
        for (const double part : probes) epsilons.push_back(part * reach);
        epsilons.push_back(reach);
        const auto remove = std::make_shared<const ConvexOrderBracket>(
            bracket_within(one, LossDirection::removal, epsilons, gap).bracket);
        const auto add = std::make_shared<const ConvexOrderBracket>(
            bracket_within(one, LossDirection::addition, epsilons, gap).bracket);
        return [remove, add](double epsilon) {
            return DivergenceSample{epsilon, remove->delta(epsilon), add->delta(epsilon)};
        };
    }
    const auto composed = [&](LossDirection direction) {
        auto composition =
            std::make_shared<EpochComposition>(composition_within(sequence, direction, 0.0, gap));
        if (direction == LossDirection::removal)
            reach =
                std::clamp(composition->likely_epsilon(goal.smallest_level), 1e-6, largest_epsilon);
        for (const double part : probes) static_cast<void>(composition->delta(part * reach));
        return std::shared_ptr<const EpochComposition>(std::move(composition));
    };
    const auto remove = composed(LossDirection::removal);
    const auto add = composed(LossDirection::addition);
    return [remove, add](double epsilon) {
        return DivergenceSample{epsilon, remove->known_delta(epsilon), add->known_delta(epsilon)};
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
        use_steps(*fixed_order, in_fixed_order, Adjacency::zero_out, goal);
    }
    profile.reach = fixed_order->reach;
    profile.upper_theorem = fixed_order->upper_theorem;
    profile.lower_theorem = parts.bins_below.empty() ? cite::chua2024_shuffle : cite::chua2025_eq_6;
    DivergenceSource above;
    DivergenceSource below;
    if (!is_published_only(goal) && parts.has_grids()) {
        const Sequences sequences = sequences_of(parts);
        double reach = profile.reach;
        if (!sequences.above.epochs.empty()) {
            above = sums_source(sequences.above, goal, reach);
            profile.upper_theorem = cite::convex_order;
            profile.reach = std::min(profile.reach, reach);
        }
        if (sequences.same) {
            below = above;
        } else if (!sequences.below.epochs.empty()) {
            below = sums_source(sequences.below, goal, reach);
        }
        if (below) profile.lower_theorem = cite::convex_order;
    }
    if (!below && !parts.steps.empty() && !is_published_only(goal)) {
        const auto steps = std::make_shared<DivergenceProfile>();
        use_steps(*steps, parts.steps, Adjacency::zero_out, goal);
        below = steps->at;
    }
    if (!parts.shuffled.empty())
        profile.note =
            "upper side: that of batches in a fixed order, which is no smaller "
            "(convexity); no better one is known for shuffling";
    profile.most_samples = 1500;
    profile.at = [fixed_order, above, below, parts](double epsilon) {
        DivergenceSample sample = fixed_order->at(epsilon);
        sample.removal.lower = sample.addition.lower = 0.0;
        const auto lower = [](Enclosure& value, double at_least) {
            value.lower = std::max(value.lower, std::min(at_least, value.upper));
        };
        if (above) {
            const DivergenceSample found = above(epsilon);
            sample.removal.upper = std::min(sample.removal.upper, found.removal.upper);
            sample.addition.upper = std::min(sample.addition.upper, found.addition.upper);
        }
        if (below) {
            const DivergenceSample found = below(epsilon);
            lower(sample.removal, found.removal.lower);
            lower(sample.addition, found.addition.lower);
            return sample;
        }
        for (const auto& [mechanism, epochs] : parts.bins_below)
            lower(sample.removal, largest_coordinate_delta(mechanism, epsilon).lower);
        for (const auto& [mechanism, epochs] : parts.shuffled)
            lower(sample.removal, largest_coordinate_delta(mechanism, epsilon).lower);
        return sample;
    };
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
