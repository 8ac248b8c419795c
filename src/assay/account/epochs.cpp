#include "assay/account/epochs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "assay/account/allocation.hpp"
#include "assay/account/epoch_parts.hpp"
#include "assay/account/steps.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

/// A number whose delta still exceeds `target`; 0 where there is none.
template <class Sampler>
double largest_epsilon_above(const Sampler& m, double target) {
    const auto exceeds = [&](double epsilon) {
        return largest_coordinate_delta(m, epsilon).lower > target;
    };
    if (!exceeds(0.0)) return 0.0;
    double high = 1.0;
    while (high < 1e6 && exceeds(high)) high *= 2.0;
    return bisect(0.0, high, 1e-10, std::not_fn(exceeds)).low;
}

/// What the largest coordinate of one epoch tells; more epochs and phases release no less.
template <class Sampler>
Bound largest_coordinate(const Sampler& m, const Question& question, Theorem theorem) {
    const double value = question.wants_delta ? largest_coordinate_delta(m, question.given).lower
                                              : largest_epsilon_above(m, question.given);
    return {value, Direction::lower, theorem};
}

constexpr double largest_epsilon_of_sums = 600.0;

/// Whether sums could improve what the closed forms found.
bool sums_can_help(const EpochParts& parts, const Question& question, const Bracket& found) {
    const bool is_wide =
        found.gap() > question.goal.relative_gap || !std::isfinite(found.upper.value);
    if (question.wants_delta && found.upper.value <= question.negligible) return false;
    return parts.has_grids() && is_wide &&
           (question.wants_delta ? question.given : found.lower.value) <= largest_epsilon_of_sums;
}

/// Sums in convex order and pairs, composed; of pairs alone where there are no sums.
Enclosure composed(const EpochSequence& sequence, const Question& question) {
    if (!sequence.epochs.empty()) {
        const GapGoal goal = question.gap_goal();
        return question.wants_delta
                   ? composed_delta(sequence, question.given, goal)
                   : composed_epsilon(sequence, question.given, goal, question.cache);
    }
    if (sequence.steps.empty()) return {0.0, question.trivial_upper()};
    const PldOptions options = pld_options(question);
    if (question.wants_delta && question.given > largest_pld_epsilon) return {0.0, 1.0};
    return question.wants_delta
               ? pld_delta(sequence.steps, Adjacency::zero_out, question.given, options)
               : pld_epsilon(sequence.steps, Adjacency::zero_out, question.given, options);
}

Enclosure convex_order(const EpochParts& parts, const Question& question) {
    EpochSequence above{parts.bins_above, {}};
    EpochSequence below{parts.bins_below, {}};
    bool exact = parts.shuffled.empty() && parts.above.empty() &&
                 parts.bins_above.size() == parts.bins_below.size();
    for (std::size_t i = 0; exact && i < parts.bins_above.size(); ++i)
        exact = parts.bins_above[i].count == parts.bins_below[i].count;
    for (const Phase& phase : parts.steps) {
        const DominatingPair pair = dominating_pair(phase.mechanism, Adjacency::zero_out);
        above.steps.push_back({pair, phase.repetitions});
        below.steps.push_back({pair.attained_pairs().back(), phase.repetitions});
        exact = exact && pair.attained;
    }
    for (const Phase& phase : parts.above)
        above.steps.push_back(
            {dominating_pair(phase.mechanism, Adjacency::zero_out), phase.repetitions});
    for (const auto& [mechanism, epochs] : parts.shuffled)
        below.steps.push_back({largest_coordinate_pair(mechanism), epochs});
    if (exact && above.steps.empty() && above.epochs.size() == 1 && above.epochs[0].count == 1) {
        const BallsAndBins& one = above.epochs[0].mechanism;
        const GapGoal goal = question.gap_goal();
        return question.wants_delta
                   ? delta_within(one, question.given, goal)
                   : EpochCurve(one, Adjacency::zero_out, goal).epsilon(question.given);
    }
    if (exact) return composed(above, question);
    Question coarse = question;  // the sides are those of different pairs
    coarse.goal.relative_gap = std::max(question.goal.relative_gap, 5e-3);
    // Without sums above, batches in a fixed order have said all.
    double upper = question.trivial_upper();
    if (!above.epochs.empty()) within_part(0.5, [&] { upper = composed(above, question).upper; });
    return {composed(below, coarse).lower, upper};
}

/// Records in more than one batch of an epoch, and not in all.
bool is_several(const Phase& phase) {
    const auto* m = std::get_if<RandomAllocation>(&phase.mechanism);
    return m != nullptr && m->allocations > 1 && m->allocations < m->batches_per_epoch;
}
bool has_several(const Release& release) {
    return std::any_of(release.phases.begin(), release.phases.end(), is_several);
}

std::string note_of(const Bracket& found, const EpochParts& parts, bool fixed_order_decides,
                    bool in_several) {
    if (!parts.shuffled.empty())
        return fmt::format(
            "shuffling: the sides are {:.3g} % of the upper one apart. Above are batches in a "
            "fixed "
            "order, which is no smaller (convexity); given the order of the other records "
            "shuffling "
            "is no better, and no theorem gains from not telling it. Below is the largest sum of "
            "each epoch",
            100.0 * found.gap());
    if (in_several)
        return fmt::format(
            "a record in several batches of an epoch: the sides are {:.3g} % of the upper one "
            "apart. "
            "Above it takes one batch of each part of the epoch, below as many as are certain to "
            "lie in different parts, or likely",
            100.0 * found.gap());
    if (fixed_order_decides)
        return "upper side: that of deterministic batches, which is no smaller (convexity)";
    if (found.lower.status == Status::vacuous || found.upper.status == Status::vacuous)
        return "vacuous: beyond what the grid of sums reaches (epsilon 600) or below what rounding "
               "leaves of it";
    return "the sums were refined as far as their cost allows";
}

}  // namespace

Bracket answer_epochs(const Release& release, const Question& question) {
    const EpochParts parts = epoch_parts(release);
    Bracket found;
    {
        const WorkLimit share = part_of_work(parts.has_random_order() ? 0.3 : 1.0);
        found = answer_steps(parts.in_fixed_order(), release.adjacency, question);
    }
    if (!parts.has_random_order()) return found;

    for (Bound* upper : {&found.upper, &found.best_published})
        if (upper->theorem == cite::balle2018_gaussian ||
            upper->theorem == cite::unsampled_hockey_stick)
            upper->theorem = cite::chua2025_prop_3_2;
    found.lower = vacuous(Direction::lower, cite::convex_order);
    if (found.upper.value == 0.0) return found;
    const double fixed_order = found.upper.value;
    const auto improve_lower = [&](const Bound& lower) {
        found.improve(lower, found.upper, question.goal.standing);
    };
    for (const auto& [mechanism, epochs] : parts.bins_below)
        improve_lower(largest_coordinate(mechanism, question, cite::chua2025_eq_6));
    for (const auto& [mechanism, epochs] : parts.shuffled)
        improve_lower(largest_coordinate(mechanism, question, cite::chua2024_shuffle));
    // The lower side of the steps alone costs less than sums and often decides a search.
    if (question.limit && !parts.steps.empty())
        within_part(0.3, [&] {
            improve_lower(answer_steps(parts.steps, release.adjacency, question).lower);
        });
    if (question.is_decided_by(found.lower.value, found.upper.value)) return found;
    // The largest sum of a single epoch has a closed form, which has answered.
    const bool is_one_shuffle = parts.bins_above.empty() && parts.bins_below.empty() &&
                                parts.steps.empty() && parts.shuffled.size() == 1 &&
                                parts.shuffled.front().second == 1;
    if (question.goal.standing == StandingFilter::any && !is_one_shuffle &&
        sums_can_help(parts, question, found)) {
        const bool in_several = has_several(release);
        Enclosure sums{0.0, question.trivial_upper()};
        within_part(in_several ? 0.7 : 1.0, [&] { sums = convex_order(parts, question); });
        const Theorem theorem = in_several                 ? cite::random_allocation
                                : parts.bins_above.empty() ? cite::privacy_loss_distributions
                                                           : cite::convex_order;
        found.improve({sums.lower, Direction::lower, theorem},
                      {sums.upper, Direction::upper, theorem}, question.goal.standing);
        // Any one phase tells no more than all of them.
        for (const Phase& phase : release.phases) {
            if (!is_several(phase) || question.is_decided_by(found.lower.value, found.upper.value))
                continue;
            within_part(0.5, [&] {
                improve_lower({allocation_lower(std::get<RandomAllocation>(phase.mechanism),
                                                phase.repetitions, question),
                               Direction::lower, theorem});
            });
        }
    } else if (!parts.steps.empty()) {
        improve_lower(answer_steps(parts.steps, release.adjacency, question).lower);
    }
    if (found.gap() > question.goal.relative_gap || found.upper.value >= question.trivial_upper())
        found.note = note_of(found, parts, found.upper.value == fixed_order, has_several(release));
    else
        found.note.clear();
    return found;
}

}  // namespace assay
