#include "assay/account/curve_at_level.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/account/account.hpp"
#include "assay/account/question.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

constexpr double resolved = 1e-12;  // at larger levels grids of losses keep all masses that matter
constexpr std::size_t costly_samples = 300;

Enclosure power_at(const TradeOffCurve& curve, double level) {
    return curve.true_positive_rate(level, TestDirection::worst);
}

bool is_wide_at(const TradeOffCurve& curve, double level) {
    const Enclosure power = power_at(curve, level);
    return power.upper > 2.0 * power.lower;
}

/// TPR(a) <= e^epsilon a + delta is least for a delta of some part of the power: from the lower
/// side of the power up to there.
void add_answers(const Release& release, const Goal& goal, double level, DivergenceProfile& profile,
                 TradeOffCurve& curve) {
    constexpr int most_questions = 6;
    constexpr double part = 0.1;
    double delta = part * power_at(curve, level).lower;
    for (int i = 0; i < most_questions; ++i) {
        const double allowed = std::clamp(delta, least_delta, 0.5);
        const Bracket answer = [&] {
            const WorkLimit share = part_of_work(0.6);
            return epsilon(release, allowed, goal);
        }();
        if (answer.upper.value > largest_sampled_epsilon) return;
        DivergenceSample sample = profile.at(answer.upper.value);
        const bool is_closer = std::max(sample.removal.upper, sample.addition.upper) > allowed;
        for (Enclosure* side : {&sample.removal, &sample.addition}) {
            side->upper = std::min(side->upper, allowed);
            require_ordered(side->lower, side->upper, [&] {
                return fmt::format("delta at {}, of {}", sample.epsilon, describe(release));
            });
        }
        const double before = power_at(curve, level).upper;
        curve = with_sample(curve, sample);
        const double now = power_at(curve, level).upper;
        if (is_closer && now < before) profile.upper_theorem = answer.upper.theorem;
        if (now > 0.99 * before && i > 0) return;
        delta = part * now;
    }
}

}  // namespace

TradeOffCurve curve_at_level(const Release& release, const Goal& goal, double level,
                             DivergenceProfile& profile, TradeOffCurve curve) {
    if (profile.most_samples > costly_samples)
        for (const TestDirection direction : {TestDirection::removal, TestDirection::addition})
            for (int pass = 0; pass < 2; ++pass)
                curve = sampled_around(profile.at, curve, curve.epsilon_at(level, direction));
    if (level >= resolved || !is_wide_at(curve, level)) return curve;
    within_part(0.5, [&] { add_answers(release, goal, level, profile, curve); });
    if (profile.note.empty() && is_wide_at(curve, level))
        profile.note = "grids of losses do not resolve tests of so small a level";
    return curve;
}

}  // namespace assay
