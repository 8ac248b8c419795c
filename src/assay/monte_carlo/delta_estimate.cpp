#include "assay/monte_carlo/delta_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

std::vector<DeltaEstimate> estimate(const MonteCarloPlan& plan, std::span<const double> sums,
                                    std::span<const double> second_moments, std::int64_t samples,
                                    double beta) {
    validate(plan);
    require(sums.size() == number_of_sums(plan), "sums", static_cast<double>(sums.size()),
            "three for each epsilon");
    require(second_moments.size() == plan.epsilons.size(), "second_moments",
            static_cast<double>(second_moments.size()), "one for each epsilon");
    require(samples >= 2, "m", static_cast<double>(samples), "at least two samples");
    require(beta > 0.0 && beta < 1.0, "beta", beta, "0 < beta < 1");
    const auto m = static_cast<real>(samples);
    // Positive terms, added within a block, then over the blocks.
    const real rounding =
        (4096.0L + m / static_cast<real>(trials_per_block(plan)) + 64.0L) * 0x1p-53L;
    const bool is_integral = plan.method == SamplingMethod::conditional;
    const real swing =
        is_integral
            ? 0.0L
            : std::expm1(2.1L * likelihood_ratio_margin(plan) * static_cast<real>(plan.epochs));
    std::vector<DeltaEstimate> estimates;
    for (std::size_t i = 0; i < plan.epsilons.size(); ++i) {
        const real first = sums[3 * i];
        const real second = sums[3 * i + 1];
        const real third = sums[3 * i + 2];
        require(first >= 0.0L && first <= m && second >= 0.0L && second <= m && third >= 0.0L &&
                    third <= m,
                "sums", static_cast<double>(first), "sums of numbers in [0, 1]");
        const Enclosure event =
            has_event(plan.method)
                ? sampled_event_probability(plan.mechanism, plan.direction, plan.epsilons[i])
                : exactly(1.0);
        const double high = std::min(1.0, round_up(first / m * (1.0L + rounding) + 0x1p-100L));
        const double low = round_down((is_integral ? third : first) / m * (1.0L - rounding));
        const real variance = std::max(
            0.0L, (second * (1.0L + rounding) - first * first / m * (1.0L - 2.0L * rounding)) /
                      (m - 1.0L));
        const auto scaled_up = [&](double x) {
            return std::min(1.0, round_up(static_cast<real>(x) * event.upper * (1.0L + 0x1p-60L)));
        };

        DeltaEstimate result;
        result.epsilon = plan.epsilons[i];
        result.mean = static_cast<double>(first / m * event.midpoint());
        result.standard_error = static_cast<double>(std::sqrt(variance / m) * event.upper);
        if (!is_integral) result.share_positive = static_cast<double>(third / m);
        result.kl_upper = scaled_up(kl_upper_confidence(high, samples, beta).upper);
        // Within the event x is that of the whole distribution over its probability.
        const double second_moment = std::min(
            1.0, round_up(second_moments[i] / static_cast<real>(event.lower) * (1.0L + 0x1p-60L)));
        result.bennett_upper =
            scaled_up(bennett_upper_confidence(high, second_moment, samples, beta));
        result.bernstein_upper =
            scaled_up(bernstein_confidence(high, round_up(variance), samples, beta).upper);
        if (!encodes_by_orders(plan.method)) {
            const double half = shared_error_probability(beta, 2);
            const real share = kl_upper_confidence(round_up(third / m), samples, half).upper;
            const auto lower = [&](double of_sampled) {
                return std::max(0.0, round_down((of_sampled - swing * share * (1.0L + 0x1p-60L)) *
                                                event.lower * (1.0L - 0x1p-60L)));
            };
            result.lower = lower(kl_lower_confidence(low, samples, half).lower);
            // What is drawn is at most x + swing.
            const real root =
                (std::sqrt(static_cast<real>(second_moment)) + swing) * (1 + 0x1p-60L);
            result.bennett_lower = lower(
                bennett_lower_confidence(low, std::min(1.0, round_up(root * root)), samples, half));
        }
        estimates.push_back(result);
    }
    return estimates;
}

}  // namespace assay
