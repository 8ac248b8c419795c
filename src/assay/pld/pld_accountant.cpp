#include "assay/pld/pld_accountant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/composition_search.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

/// Of the work, where attained pairs are asked as well.
constexpr double part_of_dominating = 0.6;

struct Problem {
    std::vector<RepeatedLossPair> pairs;  // dominate
    // Attained by two neighbouring data sets, in ways of which either may tell more; the dominating
    // pairs themselves where all of them are attained.
    std::vector<std::vector<RepeatedLossPair>> attained;
    bool exact = true;
    Theorem upper_theorem;
    Theorem lower_theorem;
};

Problem pose(std::span<const Phase> phases, Adjacency adjacency) {
    require(!phases.empty(), "phases", 0.0, "at least one");
    Problem problem;
    std::size_t ways = 1;
    for (const Phase& phase : phases)
        ways = std::max(ways, dominating_pair(phase.mechanism, adjacency).attained_pairs().size());
    problem.attained.resize(ways);
    for (const Phase& phase : phases) {
        require(phase.repetitions >= 1, "steps", static_cast<double>(phase.repetitions),
                "at least 1");
        const DominatingPair pair = dominating_pair(phase.mechanism, adjacency);
        problem.pairs.push_back({pair, phase.repetitions});
        const std::vector<DominatingPair> attained = pair.attained_pairs();
        for (std::size_t way = 0; way < problem.attained.size(); ++way)
            problem.attained[way].push_back(
                {attained[std::min(way, attained.size() - 1)], phase.repetitions});
        problem.exact = problem.exact && pair.attained;
        if (problem.pairs.size() == 1 || pair.theorem.standing == Standing::ours)
            problem.upper_theorem = pair.theorem;
    }
    problem.lower_theorem = cite::attained;
    const CompositionPlan plan(problem.pairs, adjacency, PldOptions{}.relative_gap);
    if (plan.factors() > 0.0 && plan.single() == nullptr)  // no closed form: grids decide
        problem.upper_theorem = problem.lower_theorem = cite::privacy_loss_distributions;
    return problem;
}

Status status(bool vacuous) {
    return vacuous ? Status::vacuous : Status::certified;
}

void require_consistent(const Bound& lower, const Bound& upper, const char* question, double given,
                        std::span<const Phase> phases, Adjacency adjacency) {
    require_ordered(lower.value, upper.value, [&] {
        return fmt::format("{} = {} of {}, privacy loss distributions", question, given,
                           describe(phases, adjacency));
    });
}

}  // namespace

DeltaCurve pld_delta(std::span<const Phase> phases, Adjacency adjacency,
                     std::span<const double> epsilons, const PldOptions& options) {
    for (const double epsilon : epsilons)
        require(epsilon >= 0.0 && epsilon <= farthest_pld_epsilon, "epsilon", epsilon,
                "0 <= epsilon <= 1e6");
    const Problem problem = pose(phases, adjacency);
    DeltaCurve curve;
    std::vector<DeltaSides> sides;
    {
        const WorkLimit share = part_of_work(problem.exact ? 1.0 : part_of_dominating);
        sides = search_deltas(problem.pairs, adjacency, epsilons, options, curve.note,
                              curve.relative_gap);
    }
    if (!problem.exact) {
        // The dominating pair is not attained: the lower side is that of an explicit pair.
        for (DeltaSides& side : sides) side.removal_lower = side.addition_lower = 0.0;
        double ways = static_cast<double>(problem.attained.size());
        for (const std::vector<RepeatedLossPair>& pairs : problem.attained) {
            const WorkLimit share = part_of_work(1.0 / ways--);
            std::string note;
            double gap = 0.0;
            const std::vector<DeltaSides> attained =
                search_deltas(pairs, adjacency, epsilons, options, note, gap);
            for (std::size_t i = 0; i < sides.size(); ++i) {
                sides[i].removal_lower =
                    std::max(sides[i].removal_lower, attained[i].removal_lower);
                sides[i].addition_lower =
                    std::max(sides[i].addition_lower, attained[i].addition_lower);
            }
        }
        curve.relative_gap = 0.0;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if (sides[i].upper() >= options.smallest_delta)
                curve.relative_gap = std::max(
                    curve.relative_gap, (sides[i].upper() - sides[i].lower()) / sides[i].upper());
        }
        if (curve.relative_gap > options.relative_gap && curve.note.empty())
            curve.note = not_attained;
    }
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
        const DeltaSides& s = sides[i];
        DeltaBracket point;
        point.epsilon = epsilons[i];
        point.lower = {s.lower(), Direction::lower, problem.lower_theorem,
                       status(s.lower() == 0.0 && s.upper() > 0.0)};
        point.upper = {s.upper(), Direction::upper, problem.upper_theorem,
                       status(s.upper() == 1.0)};
        require_consistent(point.lower, point.upper, "delta at epsilon", point.epsilon, phases,
                           adjacency);
        point.removal_lower = s.removal_lower;
        point.removal_upper = s.removal_upper;
        point.addition_lower = s.addition_lower;
        point.addition_upper = s.addition_upper;
        curve.points.push_back(point);
    }
    return curve;
}

EpsilonBracket pld_epsilon(std::span<const Phase> phases, Adjacency adjacency, double delta,
                           const PldOptions& options) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    const Problem problem = pose(phases, adjacency);
    EpsilonBracket result;
    Enclosure found;
    {
        const WorkLimit share = part_of_work(problem.exact ? 1.0 : part_of_dominating);
        found = search_epsilon(problem.pairs, adjacency, delta, options, result.note);
    }
    if (!problem.exact) {
        found.lower = 0.0;
        double ways = static_cast<double>(problem.attained.size());
        for (const std::vector<RepeatedLossPair>& pairs : problem.attained) {
            const WorkLimit share = part_of_work(1.0 / ways--);
            std::string note;
            found.lower =
                std::max(found.lower, search_epsilon(pairs, adjacency, delta, options, note).lower);
        }
        if (found.relative_width() > options.relative_gap && result.note.empty())
            result.note = not_attained;
    }
    result.lower = {found.lower, Direction::lower, problem.lower_theorem,
                    status(found.lower == 0.0 && found.upper > 0.0)};
    result.upper = {found.upper, Direction::upper, problem.upper_theorem,
                    status(!std::isfinite(found.upper))};
    require_consistent(result.lower, result.upper, "epsilon at delta", delta, phases, adjacency);
    result.relative_gap = found.relative_width();
    return result;
}

Enclosure pld_delta(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency, double epsilon,
                    const PldOptions& options) {
    std::string note;
    double gap = 0.0;
    const DeltaSides sides =
        search_deltas(pairs, adjacency, {&epsilon, 1}, options, note, gap).front();
    return {sides.lower(), sides.upper()};
}

Enclosure pld_epsilon(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency, double delta,
                      const PldOptions& options) {
    std::string note;
    return search_epsilon(pairs, adjacency, delta, options, note);
}

}  // namespace assay
