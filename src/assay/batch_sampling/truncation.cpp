#include "assay/batch_sampling/truncation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

void require_count(const char* parameter, std::int64_t value, std::int64_t least,
                   std::int64_t most) {
    if (value < least || value > most)
        throw DomainError(parameter, fmt::format("{}", value),
                          fmt::format("{} .. {}", least, most));
}

void require_sizes(std::int64_t dataset_size, std::int64_t batch_size) {
    require_count("dataset-size", dataset_size, 1, (std::int64_t{1} << 32U) - 1);
    require_count("batch-size", batch_size, 1, dataset_size);
}

/// log k! - (k + 1/2) log k + k - log(2 pi)/2, k >= 1, within 4096u: the series is enveloping, and
/// the first term left out is below 2^-59 at k = 16, hence below 32u.
real stirling_error(real k) {
    if (k < 16) {
        constexpr real half_log_two_pi = 0.918938533204672741780329736405617640L;
        return std::lgamma(k + 1) - (k + 0.5L) * std::log(k) + k - half_log_two_pi;
    }
    const real s = 1 / (k * k);
    return (1 / 12.0L -
            s * (1 / 360.0L -
                 s * (1 / 1260.0L - s * (1 / 1680.0L - s * (1 / 1188.0L - s * 691 / 360360.0L))))) /
           k;
}

/// What k costs against its mean: mean * ((1+x) log(1+x) - x), x = k/mean - 1, and a bound of the
/// error of that.
struct Deviance {
    real value;
    real error;
};

Deviance deviance(real k, real mean) {
    const real x = (k - mean) / mean;
    const real log1p_x = std::log1p(x);
    const real value = mean * entropy_excess(x, log1p_x);
    return {value, (64 + 80 * std::fabs(log1p_x)) * unit_roundoff * value};
}

/// An upper bound of log P(X = k), X ~ Bin(n, b/n), 1 <= b < k <= n.
real log_mass_above(real n, real b, real k) {
    if (k == n) {  // (b/n)^n
        const real exact = n * (2 * b > n ? std::log1p(-(n - b) / n) : std::log(b / n));
        return exact + 64 * unit_roundoff * std::fabs(exact);
    }
    const Deviance drawn = deviance(k, b);
    const Deviance left = deviance(n - k, n - b);
    const real sizes = 0.5L * std::log(n / (2 * std::numbers::pi_v<real> * k * (n - k)));
    return sizes + stirling_error(n) - stirling_error(k) - stirling_error(n - k) - drawn.value -
           left.value + drawn.error + left.error + 16'384 * unit_roundoff;
}

/// The same for log P(X > threshold); p may also be the double nearest to b/n.
real log_tail_above(std::int64_t dataset_size, std::int64_t batch_size, std::int64_t threshold) {
    if (threshold >= dataset_size) return -infinity;
    if (threshold < batch_size) return 0.0L;
    const auto n = static_cast<real>(dataset_size);
    const auto b = static_cast<real>(batch_size);
    const auto first = static_cast<real>(threshold + 1);
    real sum = 1.0L;
    real term = 1.0L;
    real roundings = 8.0L;
    real k = first;
    while (k < n) {
        const real ratio = (n - k) * b / ((k + 1) * (n - b));  // below 1, falling in k
        term *= ratio;
        sum += term;
        roundings += 8;
        if (term * ratio < (1 - ratio) * sum * 0x1p-70L) break;  // what is left: a geometric series
        k += 1;
    }
    const real rounding = (roundings + 64) * unit_roundoff;
    // d log P(X > B) / d log p <= B + 1, and the double is within 2^-53 of b/n.
    const real nearest_double = first * 0x1.02p-53L;
    return std::min(0.0L, log_mass_above(n, b, first) + std::log(sum) + rounding + nearest_double);
}

}  // namespace

Bound log_binomial_tail(std::int64_t dataset_size, std::int64_t batch_size,
                        std::int64_t threshold) {
    require_sizes(dataset_size, batch_size);
    require_count("threshold", threshold, 0, std::numeric_limits<std::int64_t>::max());
    return {.value = round_up(log_tail_above(dataset_size, batch_size, threshold)),
            .direction = Direction::upper,
            .theorem = cite::chua2024_truncation};
}

Bound truncation_delta(std::int64_t dataset_size, std::int64_t batch_size, std::int64_t steps,
                       double epsilon, std::int64_t maximum_batch_size) {
    require_sizes(dataset_size, batch_size);
    require_count("steps", steps, 1, 1'000'000'000'000);
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon,
            "a finite number that is not negative");
    require_count("maximum-batch-size", maximum_batch_size, 1,
                  std::numeric_limits<std::int64_t>::max());
    const real log_tail = log_tail_above(dataset_size, batch_size, maximum_batch_size);
    Bound bound{.direction = Direction::upper, .theorem = cite::chua2024_truncation};
    if (log_tail == -infinity) return bound;
    const real eps = epsilon;
    const real log_delta =
        eps + std::log1p(std::exp(-eps)) + std::log(static_cast<real>(steps)) + log_tail;
    const real error = 64 * unit_roundoff * (eps + 64 + std::fabs(log_tail));
    bound.value = round_up(std::exp(log_delta + error) * (1 + 64 * unit_roundoff));
    if (std::isinf(bound.value)) return vacuous(Direction::upper, cite::chua2024_truncation);
    return bound;
}

std::int64_t smallest_maximum_batch_size(std::int64_t dataset_size, std::int64_t batch_size,
                                         std::int64_t steps, double epsilon, double delta) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    const auto is_enough = [&](std::int64_t size) {
        return truncation_delta(dataset_size, batch_size, steps, epsilon, size).value <= delta;
    };
    require_sizes(dataset_size, batch_size);
    std::int64_t too_small = batch_size - 1;  // or not asked for
    std::int64_t enough = dataset_size;       // nothing is cut
    while (enough - too_small > 1) {
        const std::int64_t middle = too_small + (enough - too_small) / 2;
        (is_enough(middle) ? enough : too_small) = middle;
    }
    return enough;
}

}  // namespace assay
