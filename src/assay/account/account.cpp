#include "assay/account/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "assay/account/epochs.hpp"
#include "assay/account/question.hpp"
#include "assay/account/steps.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

std::shared_ptr<EpochLaws> make_epoch_laws() {
    return std::make_shared<EpochLaws>();
}

Bracket answer(const Release& release, const Question& question) {
    if (release.phases.empty()) throw DomainError("phases", "none", "at least one");
    const bool has_epochs =
        std::any_of(release.phases.begin(), release.phases.end(),
                    [](const Phase& phase) { return is_epoch_sampler(phase.mechanism); });
    const Bracket found = has_epochs ? answer_epochs(release, question)
                                     : answer_steps(release.phases, release.adjacency, question);
    for (const Bound* upper : {&found.upper, &found.best_published})
        require_ordered(found.lower.value, upper->value, [&] {
            return fmt::format("{} = {} of {}",
                               question.wants_delta ? "delta at epsilon" : "epsilon at delta",
                               question.given, describe(release));
        });
    return found;
}

Bracket epsilon(const Release& release, double delta, const Goal& goal, EpochLaws* kept) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    return answer(release, {.wants_delta = false,
                            .given = delta,
                            .goal = goal,
                            .negligible = 0.5 * delta,
                            .kept = kept});
}

Bracket delta(const Release& release, double epsilon, const Goal& goal, double negligible) {
    require(epsilon >= 0.0 && epsilon < std::numeric_limits<double>::infinity(), "epsilon", epsilon,
            "epsilon >= 0, finite");
    return answer(release, {.wants_delta = true,
                            .given = epsilon,
                            .goal = goal,
                            .negligible = negligible,
                            .kept = nullptr});
}

std::vector<Bracket> delta_curve(const Release& release, std::span<const double> epsilons,
                                 const Goal& goal) {
    std::vector<Bracket> curve;
    curve.reserve(epsilons.size());
    for (const double at : epsilons) curve.push_back(delta(release, at, goal));
    return curve;
}

}  // namespace assay
