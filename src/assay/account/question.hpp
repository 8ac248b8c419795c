#pragma once
#include <algorithm>
#include <limits>
#include <optional>

#include "assay/account/bracket.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// No delta below it is asked for: smaller ones are 0 to every reader.
inline constexpr double least_delta = 1e-300;

/// What is asked of an accountant: delta at the epsilon given, or epsilon at the delta given.
struct Question {
    bool wants_delta = false;
    double given = 0.0;
    Goal goal = {};
    double negligible = 0.0;      // deltas below it need not be close; 0: each accountant's own
    EpochCache* cache = nullptr;  // distributions of one epoch, from earlier questions
    std::optional<double> limit = std::nullopt;  // only whether the answer exceeds it is asked

    /// Whether [lower, upper] lies on one side of the limit.
    [[nodiscard]] bool is_decided_by(double lower, double upper) const {
        return limit && (upper <= *limit || lower > *limit);
    }

    /// Products of masses that one accountant may take, a few ns each.
    [[nodiscard]] double most_products() const {
        const double normal = limit ? 2e8 : 1e9;  // comparisons come by the dozen
        if (goal.effort == Effort::quick) return 0.1 * normal;
        return goal.effort == Effort::normal ? normal : 10.0 * normal;
    }

    /// What is asked of the epochs that sums of a grid enclose.
    [[nodiscard]] GapGoal gap_goal() const {
        return {.tolerance = goal.relative_gap,
                .negligible_delta = std::max(negligible, least_delta),
                .largest_cost = most_products()};
    }

    [[nodiscard]] double trivial_upper() const {
        return wants_delta ? 1.0 : std::numeric_limits<double>::infinity();
    }
};

/// The tightest answer of all accountants.
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] Bracket answer(const Release& release, const Question& question);

}  // namespace assay
