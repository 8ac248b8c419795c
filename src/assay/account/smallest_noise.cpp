#include "assay/account/smallest_noise.hpp"

#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double least_noise = 0.05;
constexpr double most_noise = 1e12;
constexpr double coarse = 0.1;

}  // namespace

Release with_noise(Release release, double noise) {
    for (ReleasePhase& phase : release.phases)
        std::visit(
            [noise](auto& kind) {
                std::visit(
                    [noise](auto& mechanism) {
                        if (mechanism.noise_multiplier == 0.0) mechanism.noise_multiplier = noise;
                    },
                    kind);
            },
            phase.mechanism);
    return release;
}

Threshold smallest_noise_multiplier(const Release& release, double epsilon, double delta,
                                    double precision) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    const auto delta_at = [&](double noise, double tolerance) {
        Goal goal;
        goal.relative_gap = tolerance;
        const Bracket found = assay::delta(with_noise(release, noise), epsilon, goal, 0.5 * delta);
        return Enclosure{found.lower.value, found.upper.value};
    };
    const auto high = first_sufficient(delta_at, delta, most_noise);
    if (!high) throw DomainError("delta", delta, "reached by some noise below 1e12");
    // Not from the least noise on: far below what is needed losses leave every grid.
    double low = high->x;
    double undecided = 1.0;
    Enclosure at_low = high->value;
    while (low > least_noise && undecided > 1.0 / 64.0 && at_low.lower <= delta) {
        low = std::max(0.5 * low, least_noise);
        at_low = delta_at(low, coarse);
        if (at_low.upper > delta) undecided *= 0.5;
    }
    return find_threshold(delta_at, delta, low, *high, precision);
}

Threshold smallest_noise_multiplier(const Phase& phase, Adjacency adjacency, double epsilon,
                                    double delta, double precision) {
    Mechanism unknown = phase.mechanism;
    std::visit([](auto& mechanism) { mechanism.noise_multiplier = 0.0; }, unknown);
    return smallest_noise_multiplier({adjacency, {{unknown, phase.steps}}}, epsilon, delta,
                                     precision);
}

}  // namespace assay
