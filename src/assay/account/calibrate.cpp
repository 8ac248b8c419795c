#include "assay/account/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "assay/account/question.hpp"
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

/// delta of the release at each noise, no closer than it takes to compare it with the target.
class DeltaOfNoise {
public:
    DeltaOfNoise(const Release& release, const PrivacyTarget& target, const Goal& goal)
        : release_(release), target_(target), goal_(goal) {}

    [[nodiscard]] Bracket at(double noise, double tolerance, std::optional<double> limit) const {
        Goal goal = goal_;
        goal.relative_gap = tolerance;
        return answer(with_noise(release_, noise), {.wants_delta = true,
                                                    .given = target_.epsilon,
                                                    .goal = goal,
                                                    .negligible = 0.5 * target_.delta,
                                                    .kept = nullptr,
                                                    .limit = limit});
    }
    Enclosure operator()(double noise, double tolerance) const {
        const Bracket found = at(noise, tolerance, target_.delta);
        return {found.lower.value, found.upper.value};
    }

private:
    const Release& release_;
    PrivacyTarget target_;
    Goal goal_;
};

/// Where to begin: far below what is needed losses leave every grid, and nothing is decided.
double low_end(const DeltaOfNoise& delta_at, const SufficientPlace& high, double target) {
    double low = high.x;
    double undecided = 1.0;
    Enclosure there = high.value;
    while (low > least_noise && undecided > most_undecided && there.lower <= target) {
        low = std::max(0.5 * low, least_noise);
        there = delta_at(low, coarse);
        if (there.upper > target) undecided *= 0.5;
    }
    return low;
}

}  // namespace

Calibration calibrate(const Release& release, const PrivacyTarget& target, double precision,
                      const Goal& goal) {
    require(target.epsilon >= 0.0 && std::isfinite(target.epsilon), "epsilon", target.epsilon,
            "0 <= epsilon < inf");
    require(target.delta > 0.0 && target.delta < 1.0, "delta", target.delta, "0 < delta < 1");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    if (std::none_of(release.phases.begin(), release.phases.end(),
                     [](const Phase& phase) { return noise_multiplier(phase.mechanism) == 0.0; }))
        throw DomainError("phases", "none without noise", "at least one whose noise is looked for");
    const DeltaOfNoise delta_at(release, target, goal);
    const auto high = first_sufficient(delta_at, target.delta, most_noise);
    if (!high) throw DomainError("delta", target.delta, "reached by some noise below 1e12");
    const Threshold found = find_threshold(
        delta_at, target.delta, low_end(delta_at, *high, target.delta), *high, precision);
    Calibration result{found.sufficient, found.insufficient,
                       delta_at.at(found.sufficient, goal.relative_gap, std::nullopt)};
    // The search may have seen it from a coarser, and here better, grid.
    result.delta.upper.value = std::min(result.delta.upper.value, found.value.upper);
    return result;
}

}  // namespace assay
