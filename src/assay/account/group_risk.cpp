#include "assay/account/group_risk.hpp"

#include <optional>

#include "assay/account/account.hpp"
#include "assay/account/divergence_profile.hpp"
#include "assay/account/group.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

/// Above what normal distributions at the distance of all records in every step give (`told`), and
/// `ask` of the group's own pair; below `ask` of one record; then what `by_curve` gives.
Bracket of_group(const Release& release, std::int64_t group, const Goal& goal, const auto& told,
                 const auto& ask, const auto& by_curve) {
    const WorkLimit limit(most_work(goal.effort));
    const auto part_of = [&](double part, const Release& asked) {
        const WorkLimit share = part_of_work(part);
        return ask(asked);
    };
    Bracket found = part_of(0.4, release);
    found.upper = found.best_published = vacuous(Direction::upper, cite::group_pair);
    found.upper_order = found.published_order = 0.0;
    const real shift = shifts_of(release).upper * static_cast<real>(group);
    found.improve(found.lower,
                  {told(shift * shift * (1.0L + 0x1p-58L)), Direction::upper, cite::group_pair},
                  goal.standing);
    if (const std::optional<Release> own = release_of_group(release, group)) {
        Bound upper = part_of(0.5, *own).upper;
        upper.theorem = cite::group_pair;
        found.improve(found.lower, upper, goal.standing);
    }
    const bool is_whole = within_part(1.0, [&] {
        const Bracket more = by_curve(TradeOff(release, goal, group));
        found.note = more.note;
        found.improve(more.lower, more.upper, goal.standing);
    });
    if (!is_whole) found.note = more_work;
    return found;
}

}  // namespace

Bracket delta_of_group(const Release& release, double epsilon, std::int64_t group,
                       const Goal& goal) {
    if (group == 1) return delta(release, epsilon, goal);
    return of_group(
        release, group, goal, [&](real square) { return gaussian_delta(square, epsilon).upper; },
        [&](const Release& asked) { return delta(asked, epsilon, goal); },
        [&](const TradeOff& curve) { return curve.delta(epsilon); });
}

Bracket epsilon_of_group(const Release& release, double delta, std::int64_t group,
                         const Goal& goal) {
    if (group == 1) return epsilon(release, delta, goal);
    require(delta > 0.0 && delta < 1.0, "delta", delta, "strictly between 0 and 1");
    return of_group(
        release, group, goal, [&](real square) { return gaussian_epsilon(square, delta).upper; },
        [&](const Release& asked) { return epsilon(asked, delta, goal); },
        [&](const TradeOff& curve) { return curve.epsilon(delta); });
}

}  // namespace assay
