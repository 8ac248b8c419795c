#include "assay/pld/smallest_noise.hpp"

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"

namespace assay {

namespace {

constexpr double least_noise = 0.05;
constexpr double most_noise = 1e6;

}  // namespace

Threshold smallest_noise_multiplier(const Phase& phase, Adjacency adjacency, double epsilon,
                                    double delta, double precision) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    const auto delta_at = [&](double noise, double tolerance) -> Enclosure {
        Phase there = phase;
        std::visit([noise](auto& mechanism) { mechanism.noise_multiplier = noise; },
                   there.mechanism);
        PldOptions options;
        options.relative_gap = tolerance;
        options.smallest_delta = 0.5 * delta;
        const DeltaCurve curve = pld_delta({&there, 1}, adjacency, {&epsilon, 1}, options);
        return {curve.points.front().lower.value, curve.points.front().upper.value};
    };
    constexpr double coarse = 0.1;
    double high = 1.0;
    Enclosure at_high = delta_at(high, coarse);
    while (at_high.upper > delta) {
        high *= 2.0;
        if (high > most_noise) throw DomainError("delta", delta, "reached by some noise below 1e6");
        at_high = delta_at(high, coarse);
    }
    // Not from the least noise on: far below what is needed losses leave every grid.
    double low = high;
    do low = std::max(0.5 * low, least_noise);
    while (low > least_noise && delta_at(low, coarse).upper <= delta);
    return find_threshold(delta_at, delta, low, high, at_high, precision);
}

}  // namespace assay
