#include "assay/rdp/drawn_steps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

/// Probabilities of the numbers of draws around the mode, each from below.
struct Draws {
    std::int64_t first = 0;
    std::vector<real> mass;
};

constexpr real most_values = 1e5L;

Draws likely_draws(const DrawnSteps& drawn) {
    const auto steps = static_cast<real>(drawn.steps);
    const real reach = 12.0L * std::sqrt(steps * drawn.q * (1.0L - drawn.q)) + 40.0L;
    if (2.0L * reach > most_values) return {};
    const real mode = std::clamp(std::floor((steps + 1.0L) * drawn.q), 0.0L, steps);
    Draws draws;
    draws.first = static_cast<std::int64_t>(std::max(0.0L, std::floor(mode - reach)));
    const auto last = static_cast<std::int64_t>(std::min(steps, std::ceil(mode + reach)));
    draws.mass.assign(static_cast<std::size_t>(last - draws.first + 1), 0.0L);
    const real odds = drawn.q / (1.0L - drawn.q);
    const auto growth = [&](std::int64_t k) {  // mass of k + 1 over that of k, falling
        return (steps - static_cast<real>(k)) / static_cast<real>(k + 1) * odds;
    };
    // Relative to the mode's; their sum, with geometric series beyond the ends, tells that one.
    const auto middle = static_cast<std::size_t>(static_cast<std::int64_t>(mode) - draws.first);
    draws.mass[middle] = 1.0L;
    for (std::size_t i = middle + 1; i < draws.mass.size(); ++i)
        draws.mass[i] = draws.mass[i - 1] * growth(draws.first + static_cast<std::int64_t>(i) - 1);
    for (std::size_t i = middle; i-- > 0;)
        draws.mass[i] = draws.mass[i + 1] / growth(draws.first + static_cast<std::int64_t>(i));
    real sum = 0.0L;
    for (const real mass : draws.mass) sum += mass;
    const real above = growth(last);
    const real below = draws.first > 0 ? 1.0L / growth(draws.first - 1) : 0.0L;
    sum += draws.mass.back() * above / (1.0L - above) + draws.mass.front() * below / (1.0L - below);
    // Five roundings a step from the mode, in the masses and in their sum.
    const real error = 16.0L * static_cast<real>(draws.mass.size() + 16) * unit_roundoff;
    for (real& mass : draws.mass) mass *= (1.0L - error) / sum;
    return draws;
}

/// Whether the loss of a draw is far above its entropy.
bool tells_much(const DrawnSteps& drawn) {
    const real entropy = -drawn.q * std::log(drawn.q) - (1.0L - drawn.q) * std::log1p(-drawn.q);
    return 0.5L * drawn.q * drawn.shift * drawn.shift > 4.0L * entropy;
}

double delta_of(const DrawnSteps& drawn, const Draws& draws, double epsilon) {
    const auto steps = static_cast<real>(drawn.steps);
    const real log_drawn = -std::log(drawn.q);
    const real log_left = -std::log1p(-drawn.q);
    real sum = 0.0L;
    for (std::size_t i = 0; i < draws.mass.size(); ++i) {
        const real k = static_cast<real>(draws.first + static_cast<std::int64_t>(i));
        if (k == 0.0L) continue;
        const real threshold =
            (static_cast<real>(epsilon) + k * log_drawn + (steps - k) * log_left) *
            (1.0L + 0x1p-58L);
        const real square = k * drawn.shift * drawn.shift * (1.0L - 0x1p-60L);
        sum += draws.mass[i] * static_cast<real>(gaussian_delta(square, round_up(threshold)).lower);
    }
    return round_down(sum * (1.0L - static_cast<real>(draws.mass.size() + 4) * unit_roundoff));
}

void check(const DrawnSteps& drawn) {
    require(drawn.q > 0.0L && drawn.q < 1.0L, "q", static_cast<double>(drawn.q), "0 < q < 1");
    require(drawn.shift > 0.0L && std::isfinite(drawn.shift), "shift",
            static_cast<double>(drawn.shift), "a finite number > 0");
    require(drawn.steps >= 1, "steps", static_cast<double>(drawn.steps), "at least 1");
}

}  // namespace

double drawn_steps_delta(const DrawnSteps& drawn, double epsilon) {
    check(drawn);
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
    if (!tells_much(drawn)) return 0.0;
    return std::max(0.0, delta_of(drawn, likely_draws(drawn), epsilon));
}

double drawn_steps_epsilon(const DrawnSteps& drawn, double delta) {
    check(drawn);
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    if (!tells_much(drawn)) return 0.0;
    const Draws draws = likely_draws(drawn);
    if (draws.mass.empty()) return 0.0;
    const double high = static_cast<double>(drawn.steps) *
                        static_cast<double>(drawn.shift * drawn.shift + 40.0L * drawn.shift);
    if (!std::isfinite(high)) return 0.0;
    return bisect(0.0, high, 1e-10, [&](double e) { return !(delta_of(drawn, draws, e) > delta); })
        .low;
}

}  // namespace assay
