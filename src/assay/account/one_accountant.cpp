#include "assay/account/one_accountant.hpp"

#include <algorithm>

#include "assay/account/steps.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"

namespace assay {

namespace {

/// Both sides of a grid's answer, as far as their standing is admitted.
template <class Found>
Bracket admitted(const Found& found, const std::string& note, StandingFilter standing) {
    Bracket bracket;
    bracket.lower = vacuous(Direction::lower, found.lower.theorem);
    bracket.upper = bracket.best_published = vacuous(Direction::upper, found.upper.theorem);
    bracket.improve(found.lower, found.upper, standing);
    bracket.note = note;
    return bracket;
}

}  // namespace

std::span<const Phase> steps_of(const Release& release) {
    for (const Phase& phase : release.phases)
        if (is_epoch_sampler(phase.mechanism))
            throw DomainError(
                "sampling", std::string(sampling_name(phase.mechanism)),
                "one that draws every batch anew: poisson, poisson-truncated, "
                "fixed-size-without-replacement, fixed-size-with-replacement or none");
    return release.phases;
}

Bracket epsilon_by(Accountant accountant, const Release& release, double delta, const Goal& goal) {
    const std::span<const Phase> steps = steps_of(release);
    if (accountant == Accountant::renyi)
        return from_renyi(epsilon_bracket(steps, release.adjacency, delta, goal.standing));
    const EpsilonBracket found =
        pld_epsilon(steps, release.adjacency, delta,
                    pld_options({.given = delta, .goal = goal, .negligible = 0.5 * delta}));
    return admitted(found, found.note, goal.standing);
}

Bracket delta_by(Accountant accountant, const Release& release, double epsilon, const Goal& goal) {
    const std::span<const Phase> steps = steps_of(release);
    if (accountant == Accountant::renyi)
        return from_renyi(delta_bracket(steps, release.adjacency, epsilon, goal.standing));
    const DeltaCurve curve = pld_delta(
        steps, release.adjacency, {&epsilon, 1},
        pld_options(
            {.wants_delta = true, .given = epsilon, .goal = goal, .negligible = least_delta}));
    Bracket bracket = admitted(curve.points.front(), curve.note, goal.standing);
    bracket.upper.value = std::min(bracket.upper.value, 1.0);
    bracket.best_published.value = std::min(bracket.best_published.value, 1.0);
    return bracket;
}

}  // namespace assay
