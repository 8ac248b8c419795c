#include "assay/account/steps.hpp"

#include <algorithm>

#include "assay/account/replace_one_steps.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

namespace {

PldOptions pld_options(const Question& question) {
    PldOptions options;
    options.relative_gap = question.goal.relative_gap;
    options.most_products = question.most_products();
    if (question.negligible > 0.0) options.smallest_delta = std::max(question.negligible, 1e-300);
    return options;
}

}  // namespace

Bracket answer_steps(std::span<const Phase> phases, Adjacency adjacency, const Question& question) {
    const bool wants_delta = question.wants_delta;
    const double given = question.given;
    const Goal& goal = question.goal;
    Bracket found =
        from_renyi(wants_delta ? delta_bracket(phases, adjacency, given, goal.standing)
                               : epsilon_bracket(phases, adjacency, given, goal.standing));
    if (question.is_decided_by(found.lower.value, found.upper.value)) return found;
    const bool has_pairs = std::all_of(phases.begin(), phases.end(), [&](const Phase& phase) {
        return has_dominating_pair(phase.mechanism, adjacency);
    });
    // Grids hold no losses of more than some hundred nats.
    const bool has_grids = (wants_delta ? given : found.lower.value) <= largest_pld_epsilon;
    if (!has_pairs || !has_grids) {
        found.note = has_pairs ? "losses beyond 500 nats: Renyi divergences alone"
                               : "no privacy loss distribution of this sampler is known: Renyi "
                                 "divergences alone";
        return found;
    }
    std::string note;
    if (wants_delta) {
        const DeltaCurve curve = pld_delta(phases, adjacency, {&given, 1}, pld_options(question));
        found.improve(curve.points.front().lower, curve.points.front().upper, goal.standing);
        note = curve.note;
    } else {
        const EpsilonBracket pld = pld_epsilon(phases, adjacency, given, pld_options(question));
        found.improve(pld.lower, pld.upper, goal.standing);
        note = pld.note;
    }
    if (adjacency == Adjacency::replace_one && found.gap() > goal.relative_gap &&
        !question.is_decided_by(found.lower.value, found.upper.value) &&
        improve_replace_one(found, phases, question))
        note = "the best upper bound is not attained by the best oracle known";
    // An infinite upper side has no gap, and needs a note all the same.
    if (found.gap() > goal.relative_gap || found.upper.value >= question.trivial_upper())
        found.note = note;
    return found;
}

}  // namespace assay
