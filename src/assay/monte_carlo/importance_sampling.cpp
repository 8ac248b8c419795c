#include "assay/monte_carlo/importance_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/normal_quantile.hpp"

namespace assay {

namespace {

constexpr real u = unit_roundoff;

/// C and the bound of its absolute error.
struct Threshold {
    real value;
    real error;
};

Threshold threshold(const BallsAndBins& mechanism, LossDirection direction, double epsilon) {
    validate(mechanism);
    require(std::isfinite(epsilon), "epsilon", epsilon, "a finite number");
    const real s = mechanism.noise_multiplier;
    const auto batches = static_cast<real>(mechanism.batches_per_epoch);
    const real square = s * s;
    const real log_batches = std::log(batches);
    if (direction == LossDirection::addition)
        return {0.5L + square * (log_batches - epsilon),
                16.0L * u * (0.5L + square * (log_batches + std::fabs(epsilon)))};
    const real rate = 1.0L / square;
    if (rate < 1.0L) {
        const real excess = std::log1p(std::expm1(rate) / batches);
        return {0.5L + square * (epsilon - excess),
                32.0L * u * (0.5L + square * (std::fabs(epsilon) + excess))};
    }
    // log(1 + (e^r - 1)/T) = r + log1p((T-1) e^-r) - log T: s^2 r = 1 leaves the large term out.
    const real rest = std::log1p((batches - 1.0L) * std::exp(-rate));
    // The relative error 4u rate of e^-rate reaches `rest` at most in full, and s^2 rate = 1.
    return {square * (epsilon - rest + log_batches) - 0.5L,
            32.0L * u * (1.0L + square * (std::fabs(epsilon) + rest + log_batches))};
}

}  // namespace

ImportanceThreshold standardised_threshold(const BallsAndBins& mechanism, LossDirection direction,
                                           double epsilon) {
    const Threshold c = threshold(mechanism, direction, epsilon);
    const real s = mechanism.noise_multiplier;
    return {c.value / s, (c.error + 2.0L * u * std::fabs(c.value)) / s};
}

Enclosure importance_threshold(const BallsAndBins& mechanism, LossDirection direction,
                               double epsilon) {
    const Threshold c = threshold(mechanism, direction, epsilon);
    return enclose(c.value, c.error);
}

namespace {

/// P_1 or Q of the event with this threshold.
Enclosure event_probability(const BallsAndBins& mechanism, LossDirection direction,
                            const ImportanceThreshold& c) {
    const auto batches = static_cast<real>(mechanism.batches_per_epoch);
    // T log Phi is increasing in the threshold, Phi^T with it.
    const auto log_power = [&](real a, real side) {
        const real value = batches * log_normal_cdf(a);
        return value * (1.0L - side * (3.0L * a * a + 104.0L) * u);
    };
    const real low = log_power(c.standardised - c.error, -1.0L);
    const real high = log_power(c.standardised + c.error, 1.0L);
    const real rounding = 32.0L * u;
    const auto probability = [](real lower, real upper) {
        // Neither event is impossible: where extended precision underflows, the upper side stays
        // above 0.
        const real least = std::numeric_limits<real>::denorm_min();
        return Enclosure{std::max(0.0, round_down(lower)),
                         std::min(1.0, round_up(std::max(upper, least)))};
    };
    // The exponential's own rounding of its argument is u |argument|.
    if (direction == LossDirection::addition)
        return probability(std::exp(low) * (1.0L - rounding), std::exp(high) * (1.0L + rounding));
    return probability(-std::expm1(high) * (1.0L - rounding), -std::expm1(low) * (1.0L + rounding));
}

}  // namespace

Enclosure importance_event_probability(const BallsAndBins& mechanism, LossDirection direction,
                                       double epsilon) {
    return event_probability(mechanism, direction,
                             standardised_threshold(mechanism, direction, epsilon));
}

ImportanceThreshold sampled_threshold(const BallsAndBins& mechanism, LossDirection direction,
                                      double epsilon) {
    constexpr ImportanceThreshold farthest{-37.0L, 0.0L};
    const ImportanceThreshold c = standardised_threshold(mechanism, direction, epsilon);
    const bool is_beyond =
        direction == LossDirection::addition && c.standardised < farthest.standardised;
    return is_beyond ? farthest : c;
}

Enclosure sampled_event_probability(const BallsAndBins& mechanism, LossDirection direction,
                                    double epsilon) {
    return event_probability(mechanism, direction,
                             sampled_threshold(mechanism, direction, epsilon));
}

}  // namespace assay
