#include "assay/account/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/threshold_search.hpp"

namespace assay {

namespace {

constexpr double least_noise = 0.01;
constexpr double most_noise = 1e12;
constexpr double coarse = 0.1;
constexpr double most_undecided = 1.0 / 64.0;  // by halving the noise

Release with_noise(Release release, double noise) {
    for (Phase& phase : release.phases)
        if (noise_multiplier(phase.mechanism) == 0.0) set_noise_multiplier(phase.mechanism, noise);
    return release;
}

/// The risk of the release at each noise, no closer than it takes to compare it with the target.
class RiskOfNoise {
public:
    RiskOfNoise(const Release& release, const RiskTarget& target, const Goal& goal)
        : release_(release), target_(target), goal_(goal) {}

    [[nodiscard]] Bracket at(double noise, double tolerance, bool decide) const {
        Goal goal = goal_;
        goal.relative_gap = tolerance;
        return risk(with_noise(release_, noise), target_, goal, decide);
    }
    Enclosure operator()(double noise, double tolerance) const {
        const Bracket found = at(noise, tolerance, true);
        return {found.lower.value, found.upper.value};
    }

private:
    const Release& release_;
    const RiskTarget& target_;
    Goal goal_;
};

/// Where to begin: far below what is needed losses leave every grid, and nothing is decided.
double low_end(const RiskOfNoise& risk_at, const SufficientPlace& high, double target) {
    double low = high.x;
    double undecided = 1.0;
    Enclosure there = high.value;
    while (low > least_noise && undecided > most_undecided && there.lower <= target) {
        low = std::max(0.5 * low, least_noise);
        there = risk_at(low, coarse);
        if (there.upper > target) undecided *= 0.5;
    }
    return low;
}

}  // namespace

Calibration calibrate(const Release& release, const PrivacyTarget& target, double precision,
                      const Goal& goal) {
    return calibrate(release, RiskTarget(target), precision, goal);
}

Calibration calibrate(const Release& release, const RiskTarget& target, double precision,
                      const Goal& goal) {
    validate(target);
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    if (std::none_of(release.phases.begin(), release.phases.end(),
                     [](const Phase& phase) { return noise_multiplier(phase.mechanism) == 0.0; }))
        throw DomainError("phases", "all with a noise multiplier",
                          "at least one without it, which is looked for");
    const RiskOfNoise risk_at(release, target, goal);
    const double limit = limit_of(target);
    const auto high = first_sufficient(risk_at, limit, most_noise);
    if (!high) throw DomainError(risk_name(target), limit, "reached by some noise below 1e12");
    const Threshold found =
        find_threshold(risk_at, limit, low_end(risk_at, *high, limit), *high, precision);
    Calibration result{found.sufficient, found.insufficient,
                       risk_at.at(found.sufficient, goal.relative_gap, false)};
    // The search may have seen it from a coarser, and here better, grid.
    result.delta.upper.value = std::min(result.delta.upper.value, found.value.upper);
    return result;
}

}  // namespace assay
