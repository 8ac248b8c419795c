#include "assay/account/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/account/replace_one_steps.hpp"
#include "assay/account/without_amplification.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/privacy/dominating_pair.hpp"

namespace assay {

PldOptions pld_options(const Question& question) {
    PldOptions options;
    options.relative_gap = question.goal.relative_gap;
    options.most_products = question.most_products();
    if (!question.limit) options.cheap_gap = question.goal.cheap_gap;
    if (question.negligible > 0.0)
        options.smallest_delta = std::max(question.negligible, least_delta);
    return options;
}

namespace {

/// Of the work: privacy loss distributions are to have the rest.
constexpr double part_of_renyi = 0.3;

/// The same steps with other records such that under add/remove they tell what two neighbours of
/// this adjacency may tell: a record against a null one, all others null, has half the shift that a
/// batch of fixed size has under add/remove.
std::vector<Phase> as_added(std::span<const Phase> phases, Adjacency adjacency) {
    std::vector<Phase> added(phases.begin(), phases.end());
    for (Phase& phase : added) {
        if (std::holds_alternative<TruncatedPoissonGaussian>(phase.mechanism)) {
            // All others null: the record is drawn and stays with this probability at least.
            const DominatingPair pair =
                dominating_pair(phase.mechanism, adjacency).attained_pairs().front();
            const double q = std::nextafter(static_cast<double>(pair.q), 0.0);
            phase.mechanism = SampledGaussian{noise_multiplier(phase.mechanism), std::max(q, 0.0)};
        } else if (adjacency == Adjacency::zero_out &&
                   (std::holds_alternative<FixedSizeGaussian>(phase.mechanism) ||
                    std::holds_alternative<FixedSizeWithReplacementGaussian>(phase.mechanism))) {
            set_noise_multiplier(phase.mechanism, 2.0 * noise_multiplier(phase.mechanism));
        }
    }
    return added;
}

/// What is said without any accountant.
Bracket vacuous_steps(const Question& question) {
    Bracket found;
    found.lower = vacuous(Direction::lower, cite::attained);
    found.upper = found.best_published = {question.trivial_upper(), Direction::upper,
                                          cite::with_replacement_told, Status::vacuous};
    return found;
}

/// Renyi divergences. Where they are not known, those of a pair that neighbours attain stand below;
/// above those of replace-one under zero-out, since a null record is one whose query is 0, if they
/// are known.
Bracket renyi(std::span<const Phase> phases, Adjacency adjacency, const Question& question) {
    const auto is_known_under = [&](Adjacency one) {
        return std::all_of(phases.begin(), phases.end(), [&](const Phase& phase) {
            return has_worst_renyi_pair(phase.mechanism, one);
        });
    };
    const auto bracket_of = [&](std::span<const Phase> steps, Adjacency one) {
        return from_renyi(
            question.wants_delta
                ? delta_bracket(steps, one, question.given, question.goal.standing)
                : epsilon_bracket(steps, one, question.given, question.goal.standing));
    };
    for (const Phase& phase : phases) validate(phase.mechanism);
    if (is_known_under(adjacency)) return bracket_of(phases, adjacency);
    Bracket found;
    if (adjacency == Adjacency::zero_out && is_known_under(Adjacency::replace_one))
        found = bracket_of(phases, Adjacency::replace_one);
    else
        found = vacuous_steps(question);
    found.lower = bracket_of(as_added(phases, adjacency), Adjacency::add_remove).lower;
    return found;
}

/// By privacy loss distributions, with this part of the work.    Returns  why sides are wide
std::string improve_by_losses(Bracket& found, std::span<const Phase> phases, Adjacency adjacency,
                              const Question& question, double part) {
    std::string note = more_work;
    within_part(part, [&] {
        const PldOptions options = pld_options(question);
        if (question.wants_delta) {
            const DeltaCurve curve = pld_delta(phases, adjacency, {&question.given, 1}, options);
            const DeltaBracket& point = curve.points.front();
            found.improve(point.lower, point.upper, question.goal.standing);
            note = curve.note;
        } else {
            const EpsilonBracket pld = pld_epsilon(phases, adjacency, question.given, options);
            found.improve(pld.lower, pld.upper, question.goal.standing);
            note = pld.note;
        }
    });
    return note;
}

}  // namespace

Bracket answer_steps(std::span<const Phase> phases, Adjacency adjacency, const Question& question) {
    const bool wants_delta = question.wants_delta;
    const double given = question.given;
    const Goal& goal = question.goal;
    Bracket found = vacuous_steps(question);
    within_part(part_of_renyi, [&] { found = renyi(phases, adjacency, question); });
    found.improve(found.lower, without_amplification(phases, adjacency, question), goal.standing);
    if (question.is_decided_by(found.lower.value, found.upper.value)) return found;
    const bool has_pairs = std::all_of(phases.begin(), phases.end(), [&](const Phase& phase) {
        return has_dominating_pair(phase.mechanism, adjacency);
    });
    // Grids hold no losses of more than some hundred nats.
    const bool has_grids = (wants_delta ? given : found.lower.value) <= farthest_pld_epsilon;
    if (!has_pairs || !has_grids) {
        found.note = has_pairs ? "losses beyond 1e6 nats: Renyi divergences alone"
                               : "no privacy loss distribution of this sampler is known: Renyi "
                                 "divergences alone";
        return found;
    }
    // Nothing that a double tells is left to ask.
    if (wants_delta && found.upper.value <= least_delta) return found;
    const bool has_renyi = std::all_of(phases.begin(), phases.end(), [&](const Phase& phase) {
        return has_worst_renyi_pair(phase.mechanism, adjacency);
    });
    const bool has_more = adjacency == Adjacency::replace_one && has_renyi;
    std::string note = improve_by_losses(found, phases, adjacency, question, has_more ? 0.85 : 1.0);
    if (has_more && found.gap() > goal.relative_gap &&
        !question.is_decided_by(found.lower.value, found.upper.value) &&
        improve_replace_one(found, phases, question))
        note = "the best upper bound is not attained by the best oracle known";
    // A null record is one whose gradient is 0. Its pair is one-sided, and reaches farther.
    if (adjacency == Adjacency::replace_one && found.lower.value < 0.5 * found.upper.value)
        found.improve(answer_steps(phases, Adjacency::zero_out, question).lower, found.upper,
                      goal.standing);
    // An infinite upper side has no gap, and needs a note all the same.
    if (found.gap() > goal.relative_gap || found.upper.value >= question.trivial_upper())
        found.note = note;
    if (note == not_attained && !found.note.empty())
        found.note +=
            fmt::format(": the sides are {:.3g} % of the upper one apart", 100.0 * found.gap());
    return found;
}

}  // namespace assay
