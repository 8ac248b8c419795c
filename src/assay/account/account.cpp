#include "assay/account/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "assay/account/epochs.hpp"
#include "assay/account/question.hpp"
#include "assay/account/steps.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

std::shared_ptr<EpochCache> make_epoch_cache() {
    return std::make_shared<EpochCache>();
}

namespace {

/// The answer of all phases together.
Bracket answer_all(const Release& release, const Question& question) {
    const bool has_epochs =
        std::any_of(release.phases.begin(), release.phases.end(),
                    [](const Phase& phase) { return is_epoch_sampler(phase.mechanism); });
    return has_epochs ? answer_epochs(release, question)
                      : answer_steps(release.phases, release.adjacency, question);
}

/// The lower sides of all phases but one, and of each alone: a part of what was released tells no
/// more than all of it.
void improve_by_parts(Bracket& found, const Release& release, const Question& question) {
    const std::size_t count = release.phases.size();
    double parts = static_cast<double>(count == 2 ? 2 : 2 * count);
    const auto improve_by = [&](std::vector<Phase> part) {
        const WorkLimit share = part_of_work(1.0 / parts--);
        const Bracket of_part = answer_all({release.adjacency, std::move(part)}, question);
        found.improve(of_part.lower, found.upper, question.goal.standing);
    };
    for (std::size_t i = 0; i < count; ++i) {
        improve_by({release.phases[i]});
        if (count == 2) continue;
        std::vector<Phase> others = release.phases;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        improve_by(std::move(others));
    }
}

/// Why the sides are apart where no method has been cut short.
std::string remaining_reason(const Bracket& found, const Question& question) {
    const double negligible = std::max(question.negligible, 1e-300);
    if (question.wants_delta && found.upper.value <= negligible)
        return fmt::format("deltas below {:.3g} are not brought closer", negligible);
    if (question.goal.standing == StandingFilter::published)
        return "published theorems alone come no closer";
    return "rounding keeps the sides apart";
}

/// More phases are not left out one by one.
constexpr std::size_t most_phases_in_parts = 8;

}  // namespace

Bracket answer(const Release& release, const Question& question) {
    if (release.phases.empty()) throw DomainError("phases", "none", "at least one");
    const Release phases = joined(release);
    const WorkLimit limit(most_work(question.goal.effort));
    const bool has_parts =
        !question.limit && phases.phases.size() > 1 && phases.phases.size() <= most_phases_in_parts;
    Bracket found;
    {
        const WorkLimit share = part_of_work(has_parts ? 0.8 : 1.0);
        found = answer_all(phases, question);
    }
    const bool is_wide =
        found.gap() > question.goal.relative_gap || found.upper.value >= question.trivial_upper();
    // Not where the sides are those of different pairs, which parts do not close.
    const bool may_close = found.note.find("the sides are") == std::string::npos;
    if (is_wide && may_close && has_parts) {
        improve_by_parts(found, phases, question);
        if (found.gap() <= question.goal.relative_gap &&
            found.upper.value < question.trivial_upper())
            found.note.clear();
    }
    if (found.note.empty() && !question.limit && found.gap() > question.goal.relative_gap)
        found.note = remaining_reason(found, question);
    for (const Bound* upper : {&found.upper, &found.best_published})
        require_ordered(found.lower.value, upper->value, [&] {
            return fmt::format("{} = {} of {}",
                               question.wants_delta ? "delta at epsilon" : "epsilon at delta",
                               question.given, describe(release));
        });
    return found;
}

Bracket epsilon(const Release& release, double delta, const Goal& goal, EpochCache* cache) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    return answer(release, {.wants_delta = false,
                            .given = delta,
                            .goal = goal,
                            .negligible = 0.5 * delta,
                            .cache = cache});
}

Bracket delta(const Release& release, double epsilon, const Goal& goal, double negligible) {
    require(epsilon >= 0.0 && epsilon < std::numeric_limits<double>::infinity(), "epsilon", epsilon,
            "epsilon >= 0, finite");
    return answer(release, {.wants_delta = true,
                            .given = epsilon,
                            .goal = goal,
                            .negligible = negligible,
                            .cache = nullptr});
}

std::vector<Bracket> delta_curve(const Release& release, std::span<const double> epsilons,
                                 const Goal& goal) {
    std::vector<Bracket> curve;
    curve.reserve(epsilons.size());
    for (const double at : epsilons) curve.push_back(delta(release, at, goal));
    return curve;
}

}  // namespace assay
