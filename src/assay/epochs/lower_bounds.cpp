#include "assay/epochs/lower_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr real u = unit_roundoff;
constexpr double smallest = std::numeric_limits<double>::denorm_min();

real log_add(real a, real b) {
    const real high = std::max(a, b);
    return std::isinf(high) ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

/// A number with the bound of its absolute error.
struct Approximate {
    real value;
    real error;
};

/// Unit-variance coordinates: under Q one has mean `low`, under P mean `high`, the others mean 0.
/// All is a function of the threshold a = C / s.
struct Largest {
    real low;
    real high;
    real batches;
    real epsilon;

    /// log of the density of the largest coordinate at mean shift, over phi(a) Phi(a)^(T-1):
    /// e^{shift a - shift^2/2} + (T-1) Phi(a - shift)/Phi(a).
    [[nodiscard]] real log_density(real shift, real a) const {
        const real own = shift * (a - 0.5L * shift);
        if (batches == 1.0L) return own;
        return log_add(own,
                       std::log(batches - 1.0L) + log_normal_cdf(a - shift) - log_normal_cdf(a));
    }

    /// Increasing in a; the supremum sits where it is 0.
    [[nodiscard]] Approximate log_ratio(real a) const {
        const real p = log_density(high, a);
        const real q = log_density(low, a);
        const real size = 200.0L +
                          8.0L * (high * high + a * a + square(a - low) + square(a - high)) +
                          4.0L * (std::fabs(p) + std::fabs(q) + std::log(batches) + epsilon);
        return {p - q - epsilon, size * u};
    }

    /// P(S) - e^epsilon Q(S) = Phi(a)^(T-1) (Phi(a-low) - Phi(a-high)) - (e^epsilon - 1) Q(S).
    [[nodiscard]] Approximate value(real a) const {
        const real others = (batches - 1.0L) * log_normal_cdf(a);
        const real power = std::exp(others);
        // Phi(a-low) - Phi(a-high) from the side where both are small.
        const real sign = a - low <= 0.0L ? -1.0L : 1.0L;
        const real x = normal_tail(sign * (a - high));
        const real y = normal_tail(sign * (a - low));
        const real rough_x = tail_error(a - high);
        const real rough_y = tail_error(a - low);
        const real first = power * sign * (x - y);
        const real first_error = power * (x * rough_x + y * rough_y) +
                                 first * u * (32.0L + std::fabs(others) * (3.0L * a * a + 100.0L));

        // Q(S) = 1 - Phi(a-low) Phi(a)^(T-1); both tails tiny: their sum, 2^-80 of it left out.
        const real log_tails =
            log_add(std::log(std::max(batches - 1.0L, 1e-30L)) + log_normal_tail(a),
                    log_normal_tail(a - low));
        const real log_q = log_tails < -60.0L
                               ? log_tails
                               : std::log(-std::expm1(log_normal_cdf(a - low) + others));
        const real q_error = tail_error(a - low) + tail_error(a) + 100.0L * u +
                             8.0L * u * (std::fabs(log_q) + epsilon);
        const real second = epsilon <= 1.0L ? std::expm1(epsilon) * std::exp(log_q)
                                            : std::exp(epsilon + log_q) - std::exp(log_q);
        const real second_error = 2.0L * second * q_error +
                                  2.0L * std::exp(log_q) * q_error * (epsilon > 1.0L ? 1.0L : 0.0L);
        return {first - second, first_error + second_error + 0x1p-16000L};
    }

    /// Largest growth of value() between a and b > a, which hold its maximum between them: the
    /// derivative there is e^epsilon times the density under Q times 1 - e^log_ratio.
    [[nodiscard]] real growth(real a, real b) const {
        const Approximate left = log_ratio(a);
        const real log_density_bound =
            std::max(-0.5L * square(distance(low, a, b)), -0.5L * square(distance(0.0L, a, b)));
        return (b - a) * (left.error - left.value) *
               std::exp(epsilon + std::log(batches) + log_density_bound + 0x1p-10L);
    }

    [[nodiscard]] static real square(real x) { return x * x; }
    /// Relative error of a normal tail at a - shift, of log_normal_cdf there as well.
    [[nodiscard]] real tail_error(real z) const {
        return (4.0L * z * z + 4.0L * high * high + 120.0L) * u;
    }
    [[nodiscard]] static real distance(real x, real a, real b) {
        return x < a ? a - x : x > b ? x - b : 0.0L;
    }
};

/// Ends of an interval that certainly holds the root of log_ratio; infinite where rounding hides
/// it.
std::pair<real, real> bracket(const Largest& largest) {
    real low = -1.0L;
    real high = 1.0L;
    while (largest.log_ratio(low).value >= 0.0L) low *= 2.0L;
    while (largest.log_ratio(high).value <= 0.0L) high *= 2.0L;
    for (int i = 0; i < 20'000; ++i) {
        const real middle = low + 0.5L * (high - low);
        if (middle <= low || middle >= high) break;
        (largest.log_ratio(middle).value < 0.0L ? low : high) = middle;
    }
    const real root = low;
    real step = 0x1p-62L * (std::fabs(root) + 1.0L);
    const auto certain = [&](real a, real sign) {
        const Approximate ratio = largest.log_ratio(a);
        return sign * ratio.value > ratio.error;
    };
    while (std::isfinite(step) && !(certain(root - step, -1.0L) && certain(root + step, 1.0L)))
        step *= 2.0L;
    return {root - step, root + step};
}

Enclosure supremum(const Largest& largest) {
    const auto [left, right] = bracket(largest);
    // sup <= P(S_left) <= T tail(left) + tail(left - high).
    const real log_p = log_add(std::log(largest.batches) + log_normal_tail(left),
                               log_normal_tail(left - largest.high));
    if (log_p < -750.0L) return {0.0, smallest};
    const Approximate at_left = largest.value(left);
    const real upper = at_left.value + at_left.error + largest.growth(left, right);
    const real lower = at_left.value - at_left.error;
    if (!std::isfinite(lower) || !std::isfinite(upper)) return {0.0, 1.0};
    return {std::max(0.0, round_down(lower)), std::min(1.0, round_up(std::max(upper, 0.0L)))};
}

void check(const Mechanism& mechanism, double epsilon) {
    validate(mechanism);
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
}

}  // namespace

Enclosure largest_coordinate_delta(const BallsAndBins& mechanism, double epsilon) {
    check(mechanism, epsilon);
    const real shift = 1.0L / static_cast<real>(mechanism.noise_multiplier);
    return supremum({0.0L, shift, static_cast<real>(mechanism.batches_per_epoch), epsilon});
}

Enclosure largest_coordinate_delta(const Shuffled& mechanism, double epsilon) {
    check(mechanism, epsilon);
    const real shift = 1.0L / static_cast<real>(mechanism.noise_multiplier);
    return supremum({shift, 2.0L * shift, static_cast<real>(mechanism.batches_per_epoch), epsilon});
}

}  // namespace assay
