#include "assay/balls_and_bins/noise_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/balls_and_bins/deterministic_batches.hpp"
#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/balls_and_bins/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/tilted_bracket.hpp"

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

/// Of deterministic batches: the squared shifts of the epochs add.
Enclosure plain_delta(double noise, double epsilon, std::int64_t epochs) {
    const double single = noise / std::sqrt(static_cast<double>(epochs));
    const double more = single * (1.0 + 4.0 * std::numeric_limits<double>::epsilon());
    const double less = single * (1.0 - 4.0 * std::numeric_limits<double>::epsilon());
    return {deterministic_delta({more, 1}, epsilon).lower,
            deterministic_delta({less, 1}, epsilon).upper};
}

/// delta of epochs of balls-and-bins, from sums in convex order and from closed forms.
class EpochsDelta {
public:
    EpochsDelta(std::int64_t steps, double epsilon, std::int64_t epochs, double negligible)
        : steps_(steps),
          epsilon_(epsilon),
          epochs_(epochs),
          negligible_(negligible),
          sums_tell_(epochs == 1 || epsilon <= largest_pld_epsilon) {}

    /// No larger than that of deterministic batches (convexity), no smaller than what the largest
    /// coordinate of one epoch tells (chua2025 equation (6)).
    [[nodiscard]] Enclosure closed_form(double noise) const {
        const double upper = plain_delta(noise, epsilon_, epochs_).upper;
        const double lower = largest_coordinate_delta(BallsAndBins{noise, steps_}, epsilon_).lower;
        return {std::min(lower, upper), upper};
    }
    Enclosure within(double noise, double tolerance) {
        const Enclosure known = closed_form(noise);
        if (!sums_tell_) return known;
        const Enclosure found = of_sums({noise, steps_}, tolerance);
        // Where epsilon is beyond the grid of one epoch no finer one tells more.
        if (epochs_ == 1) sums_tell_ = found.lower > 0.0 || found.upper < known.upper;
        return {std::max(found.lower, known.lower), std::min(found.upper, known.upper)};
    }

private:
    [[nodiscard]] Enclosure of_sums(const BallsAndBins& mechanism, double tolerance) const {
        if (epochs_ == 1) return delta_within(mechanism, epsilon_, {tolerance, negligible_});
        return composed_delta(EpochSequence::of(mechanism, epochs_), epsilon_,
                              {std::max(tolerance, finest_of_epochs), negligible_});
    }

    std::int64_t steps_;
    double epsilon_;
    std::int64_t epochs_;
    double negligible_;
    bool sums_tell_;
};

}  // namespace

Threshold smallest_gaussian_noise(double epsilon, double delta, double precision,
                                  std::int64_t epochs) {
    require_goal(epsilon, delta, precision, epochs);
    const auto delta_at = [&](double noise, double) { return plain_delta(noise, epsilon, epochs); };
    const auto high = first_sufficient(delta_at, delta, most_noise);
    if (!high) throw DomainError("delta", delta, "reached by some noise below 1e30");
    return find_threshold(delta_at, delta, least_noise, *high, precision);
}

Threshold smallest_noise_multiplier(std::int64_t steps, Adjacency adjacency, double epsilon,
                                    double delta, double precision, std::int64_t epochs) {
    require_theorem(BallsAndBins{1.0, steps}, adjacency);
    const Threshold plain = smallest_gaussian_noise(epsilon, delta, precision, epochs);
    if (steps == 1) return plain;
    EpochsDelta of_noise(steps, epsilon, epochs, delta / 2.0);
    const SufficientPlace high{plain.sufficient, of_noise.closed_form(plain.sufficient)};
    // Closed forms first: what they leave open is all that the sums are needed for.
    Threshold known =
        find_threshold([&](double noise, double) { return of_noise.closed_form(noise); }, delta,
                       least_noise, high, precision);
    known.sufficient = high.x;
    known.value = high.value;
    if (known.precision() <= precision) return known;
    return find_threshold(
        [&](double noise, double tolerance) { return of_noise.within(noise, tolerance); }, delta,
        std::max(known.insufficient, least_noise), high, precision);
}

}  // namespace assay
