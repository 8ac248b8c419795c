#include "assay/balls_and_bins/noise_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/balls_and_bins/deterministic_batches.hpp"
#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double least_noise = 0.01;
constexpr double most_noise = 1e30;
constexpr double finest_of_epochs = 1e-3;  // a narrower bracket of several epochs takes too long
constexpr std::int64_t most_epochs = 100'000;

void require_goal(double epsilon, double delta, double precision, std::int64_t epochs) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    require(epochs >= 1 && epochs <= most_epochs, "epochs", static_cast<double>(epochs),
            "1 .. 100000");
}

}  // namespace

Threshold smallest_gaussian_noise(double epsilon, double delta, double precision,
                                  std::int64_t epochs) {
    require_goal(epsilon, delta, precision, epochs);
    const double root = std::sqrt(static_cast<double>(epochs));
    // The squared shifts of the epochs add.
    const auto delta_at = [&](double noise, double) -> Enclosure {
        const double single = noise / root;
        const double more = single * (1.0 + 4.0 * std::numeric_limits<double>::epsilon());
        const double less = single * (1.0 - 4.0 * std::numeric_limits<double>::epsilon());
        return {deterministic_delta({more, 1}, epsilon).lower,
                deterministic_delta({less, 1}, epsilon).upper};
    };
    const auto high = first_sufficient(delta_at, delta, most_noise);
    if (!high) throw DomainError("delta", delta, "reached by some noise below 1e30");
    return find_threshold(delta_at, delta, least_noise, *high, precision);
}

Threshold smallest_noise_multiplier(std::int64_t steps, Adjacency adjacency, double epsilon,
                                    double delta, double precision, std::int64_t epochs) {
    require_theorem(BallsAndBins{1.0, steps}, adjacency);
    const Threshold plain = smallest_gaussian_noise(epsilon, delta, precision, epochs);
    if (steps == 1) return plain;
    const auto delta_at = [&](double noise, double tolerance) {
        const BallsAndBins mechanism{noise, steps};
        if (epochs == 1) return delta_within(mechanism, epsilon, {tolerance, delta / 2.0});
        return composed_delta(EpochSequence::of(mechanism, epochs), epsilon,
                              {std::max(tolerance, finest_of_epochs), delta / 2.0});
    };
    return find_threshold(delta_at, delta, least_noise,
                          {plain.sufficient, {0.0, plain.value.upper}}, precision);
}

}  // namespace assay
