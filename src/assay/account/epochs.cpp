#include "assay/account/epochs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/account/steps.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

/// A release by what its phases are to the accountants.
struct Parts {
    std::vector<EpochSequence::Epochs> bins;                  // two batches an epoch at least
    std::vector<std::pair<Shuffled, std::int64_t>> shuffled;  // likewise
    std::vector<Phase> steps;  // and epochs in a fixed order or of one batch, as Gaussian steps

    /// Every epoch as one Gaussian step: batches in a fixed order.
    [[nodiscard]] std::vector<Phase> in_fixed_order() const {
        std::vector<Phase> phases = steps;
        for (const auto& [mechanism, epochs] : bins)
            phases.push_back({Gaussian{mechanism.noise_multiplier}, epochs});
        for (const auto& [mechanism, epochs] : shuffled)
            phases.push_back({Gaussian{mechanism.noise_multiplier}, epochs});
        return phases;
    }
};

struct AddTo {
    Parts& parts;
    const Phase& phase;

    void operator()(const BallsAndBins& m) const {
        if (m.batches_per_epoch > 1)
            parts.bins.push_back({m, phase.repetitions});
        else
            add_gaussian(m.noise_multiplier);
    }
    void operator()(const Shuffled& m) const {
        if (m.batches_per_epoch > 1)
            parts.shuffled.emplace_back(m, phase.repetitions);
        else
            add_gaussian(m.noise_multiplier);
    }
    void operator()(const DeterministicBatches& m) const { add_gaussian(m.noise_multiplier); }
    void operator()(const auto&) const { parts.steps.push_back(phase); }

    void add_gaussian(double noise) const {
        parts.steps.push_back({Gaussian{noise}, phase.repetitions});
    }
};

Parts parts_of(const Release& release) {
    Parts parts;
    for (const Phase& phase : release.phases) {
        validate(phase.mechanism);
        require_theorem(phase.mechanism, release.adjacency);
        if (is_epoch_sampler(phase.mechanism) &&
            (phase.repetitions < 1 || phase.repetitions > 100'000))
            throw DomainError("epochs", fmt::format("{}", phase.repetitions), "1 .. 100000");
        std::visit(AddTo{parts, phase}, phase.mechanism);
    }
    return parts;
}

/// A number whose delta still exceeds `target`; 0 where there is none.
template <class Sampler>
double largest_epsilon_above(const Sampler& m, double target) {
    const auto exceeds = [&](double epsilon) {
        return largest_coordinate_delta(m, epsilon).lower > target;
    };
    if (!exceeds(0.0)) return 0.0;
    double low = 0.0;
    double high = 1.0;
    while (high < 1e6 && exceeds(high)) high *= 2.0;
    while (high - low > 1e-10 * high) {
        const double middle = 0.5 * (low + high);
        (exceeds(middle) ? low : high) = middle;
    }
    return low;
}

/// What the largest coordinate of one epoch tells; more epochs and phases release no less.
template <class Sampler>
Bound largest_coordinate(const Sampler& m, const Question& question, Theorem theorem) {
    const double value = question.wants_delta ? largest_coordinate_delta(m, question.given).lower
                                              : largest_epsilon_above(m, question.given);
    return {value, Direction::lower, theorem};
}

GapGoal gap_goal(const Question& question) {
    GapGoal goal;
    goal.tolerance = question.goal.relative_gap;
    goal.negligible_delta = std::max(question.negligible, 1e-300);
    goal.largest_cost = question.most_products();
    return goal;
}

constexpr double least_noise_of_sums = 0.01;
constexpr double largest_epsilon_of_sums = 600.0;

/// Whether sums could improve what the closed forms found.
bool sums_can_help(const Parts& parts, const Question& question, const Bracket& found) {
    const bool has_grids = std::all_of(parts.bins.begin(), parts.bins.end(), [](const auto& part) {
        return part.mechanism.noise_multiplier >= least_noise_of_sums;
    });
    const bool is_wide =
        found.gap() > question.goal.relative_gap || !std::isfinite(found.upper.value);
    if (question.wants_delta && found.upper.value <= question.negligible) return false;
    return has_grids && is_wide &&
           (question.wants_delta ? question.given : found.lower.value) <= largest_epsilon_of_sums;
}

/// Sums in convex order, of everything but the shuffled phases.
Enclosure convex_order(const Parts& parts, const Question& question) {
    const GapGoal goal = gap_goal(question);
    if (parts.steps.empty() && parts.bins.size() == 1 && parts.bins.front().count == 1) {
        const BallsAndBins& one = parts.bins.front().mechanism;
        return question.wants_delta
                   ? delta_within(one, question.given, goal)
                   : EpochCurve(one, Adjacency::zero_out, goal).epsilon(question.given);
    }
    EpochSequence above{parts.bins, {}};
    EpochSequence below{parts.bins, {}};
    bool exact = true;
    for (const Phase& phase : parts.steps) {
        const DominatingPair pair = dominating_pair(phase.mechanism, Adjacency::zero_out);
        above.steps.push_back({pair, phase.repetitions});
        below.steps.push_back({pair.attained_pairs().back(), phase.repetitions});
        exact = exact && pair.attained;
    }
    const auto composed = [&](const EpochSequence& sequence) {
        return question.wants_delta
                   ? composed_delta(sequence, question.given, goal)
                   : composed_epsilon(sequence, question.given, goal, question.kept);
    };
    Enclosure found = composed(above);
    if (!exact) found.lower = composed(below).lower;
    return found;
}

std::string note_of(const Bracket& found, const Parts& parts, bool fixed_order_decides) {
    if (!parts.shuffled.empty())
        return "upper side: that of batches in a fixed order, which is no smaller (convexity); no "
               "better one is known for shuffling";
    if (fixed_order_decides)
        return "upper side: that of deterministic batches, which is no smaller (convexity)";
    if (found.lower.status == Status::vacuous || found.upper.status == Status::vacuous)
        return "vacuous: beyond what the grid of sums reaches (epsilon 600) or below what rounding "
               "leaves of it";
    return "the sums were refined as far as their cost allows";
}

}  // namespace

Bracket answer_epochs(const Release& release, const Question& question) {
    const Parts parts = parts_of(release);
    Bracket found = answer_steps(parts.in_fixed_order(), release.adjacency, question);
    if (parts.bins.empty() && parts.shuffled.empty()) return found;

    for (Bound* upper : {&found.upper, &found.best_published})
        if (upper->theorem == cite::balle2018_gaussian) upper->theorem = cite::chua2025_prop_3_2;
    found.lower = vacuous(Direction::lower, cite::convex_order);
    if (found.upper.value == 0.0) return found;
    const double fixed_order = found.upper.value;
    const auto improve_lower = [&](const Bound& lower) {
        found.improve(lower, found.upper, question.goal.standing);
    };
    for (const auto& [mechanism, epochs] : parts.bins)
        improve_lower(largest_coordinate(mechanism, question, cite::chua2025_eq_6));
    for (const auto& [mechanism, epochs] : parts.shuffled)
        improve_lower(largest_coordinate(mechanism, question, cite::chua2024_shuffle));
    if (question.is_decided_by(found.lower.value, found.upper.value)) return found;
    if (question.goal.standing == StandingFilter::any && !parts.bins.empty() &&
        sums_can_help(parts, question, found)) {
        const Enclosure sums = convex_order(parts, question);
        improve_lower({sums.lower, Direction::lower, cite::convex_order});
        if (parts.shuffled.empty())
            found.improve(found.lower, {sums.upper, Direction::upper, cite::convex_order},
                          question.goal.standing);
    } else if (!parts.steps.empty()) {
        improve_lower(answer_steps(parts.steps, release.adjacency, question).lower);
    }
    if (found.gap() > question.goal.relative_gap || found.upper.value >= question.trivial_upper())
        found.note = note_of(found, parts, found.upper.value == fixed_order);
    else
        found.note.clear();
    return found;
}

}  // namespace assay
