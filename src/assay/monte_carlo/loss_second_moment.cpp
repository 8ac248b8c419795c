#include "assay/monte_carlo/loss_second_moment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "assay/epochs/integer_order_rdp.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr real u = unit_roundoff;
constexpr std::array<int, 24> orders{2,  3,  4,  5,  6,  7,  8,  9,  10, 12, 14,  16,
                                     20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192};

/// e^{log_value} upward, the absolute error of log_value given; within (0, 1].
double bound_of(real log_value, real error) {
    if (!(log_value + error < 0.0L)) return 1.0;
    return std::clamp(round_up(std::exp(log_value + error) * (1.0L + 20.0L * u)),
                      std::numeric_limits<double>::denorm_min(), 1.0);
}

std::vector<double> of_removal(const BallsAndBins& mechanism, std::int64_t epochs,
                               std::span<const double> epsilons) {
    std::vector<double> bounds(epsilons.size(), 1.0);
    for (const int order : orders) {
        const real l = order - 1;
        const real loss =
            static_cast<real>(epochs) * balls_and_bins_integer_order_rdp(mechanism, order).upper;
        const real largest = l * std::log(l / (l + 2.0L)) + 2.0L * std::log(2.0L / (l + 2.0L));
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            const real epsilon = epsilons[i];
            const real size = l * (loss + std::fabs(epsilon)) + 2.0L * l + 64.0L;
            bounds[i] =
                std::min(bounds[i], bound_of(l * (loss - epsilon) + largest, 32.0L * u * size));
        }
    }
    return bounds;
}

/// E e^{-tW} <= (1 - (1 - e^{-f})/v)^T with v = E Y^2 = e^{1/s^2} and f = t v/T.
double of_addition(const BallsAndBins& mechanism, real epsilon) {
    const real s = mechanism.noise_multiplier;
    const auto batches = static_cast<real>(mechanism.batches_per_epoch);
    const real v = std::exp(1.0L / (s * s)) * (1.0L + 32.0L * u * (1.0L + 1.0L / (s * s)));
    const real growth = std::exp(epsilon);
    double least = 1.0;
    for (int i = -96; i <= 64; ++i) {
        const real f = std::exp2(static_cast<real>(i) / 8.0L);
        const real log_laplace = batches * std::log1p(std::expm1(-f) / v);
        // (1 - y)^2 e^{gy} for y = e^eps w in [0, 1]: at y = 1 - 2/g, or at 0.
        const real g = f * (batches / v) / growth;
        const real log_payoff = g > 2.0L ? 2.0L * std::log(2.0L / g) + g - 2.0L : 0.0L;
        if (!std::isfinite(g)) break;
        const real size = std::fabs(log_laplace) + (g + 64.0L) * (4.0L + std::fabs(epsilon));
        least = std::min(least, bound_of(log_laplace + log_payoff, 64.0L * u * size));
    }
    return least;
}

}  // namespace

std::vector<double> loss_second_moments(const BallsAndBins& mechanism, LossDirection direction,
                                        std::int64_t epochs, std::span<const double> epsilons) {
    validate(mechanism);
    require(mechanism.noise_multiplier >= 0.04, "noise-multiplier", mechanism.noise_multiplier,
            "at least 0.04");
    require(epochs >= 1, "epochs", static_cast<double>(epochs), "at least 1");
    for (const double epsilon : epsilons)
        require(std::isfinite(epsilon), "epsilon", epsilon, "a finite number");
    if (direction == LossDirection::removal) return of_removal(mechanism, epochs, epsilons);
    std::vector<double> bounds;
    for (const double epsilon : epsilons)
        bounds.push_back(epochs == 1 ? of_addition(mechanism, epsilon) : 1.0);
    return bounds;
}

}  // namespace assay
