#include "assay/pld/tilted_bracket.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::gaussian_delta_wide;
using test_support::Wide;

CompositionPlan plan_of(real q, real c, std::int64_t steps) {
    DominatingPair pair;
    pair.q = q;
    pair.c = c;
    const RepeatedLossPair repeated{pair, steps};
    return {std::span(&repeated, 1), Adjacency::add_remove, 1e-3};
}

TEST_CASE("every tilt is true everywhere and accurate where it was taken", "[tilted_bracket]") {
    CompositionPlan plan = plan_of(1.0L, 0.25L, 4);
    plan.neglect(1e-60);
    TiltedBracket bracket(plan, {.spacing = 0.05, .step = short_step(0.004)}, 1U << 14U,
                          {1e-4, 1e-40});
    for (const double at : {1.0, 6.0}) {
        bracket.tilt_to(at);
        CHECK(bracket.accurate(at));
        for (const double epsilon : {0.0, 1.0, 3.0, 6.0}) {
            CAPTURE(at, epsilon);
            const Wide truth = gaussian_delta_wide(2, 1, epsilon);
            CHECK(Wide(bracket.at(epsilon).lower()) <= truth);
            CHECK(Wide(bracket.at(epsilon).upper()) >= truth);
        }
    }
    // delta(6) is about 1e-32.
    const double truth = static_cast<double>(gaussian_delta_wide(2, 1, 6));
    CHECK(bracket.at(6.0).upper() <= 1.2 * truth);
    CHECK(bracket.at(6.0).lower() >= 0.8 * truth);
}

TEST_CASE("epsilon brackets the crossing", "[tilted_bracket]") {
    const CompositionPlan plan = plan_of(1.0L, 0.5L, 4);
    TiltedBracket bracket(plan, {.spacing = 0.05, .step = short_step(0.01)}, 1U << 14U, {});
    bracket.tilt_to(bracket.chernoff_epsilon(std::log(1e-6)));
    const Enclosure found = bracket.epsilon(1e-6);
    CHECK(gaussian_delta_wide(1, 1, found.lower) >= Wide(1e-6));
    CHECK(gaussian_delta_wide(1, 1, found.upper) <= Wide(1e-6));
    CHECK(found.relative_width() < 1e-3);
    // Chernoff's bound is above delta.
    CHECK(bracket.chernoff_epsilon(std::log(1e-6)) >= found.lower);
    CHECK(bracket.epsilon(0.9) == exactly(0.0));
}

TEST_CASE("the addition direction of a sampled pair has its own bounds", "[tilted_bracket]") {
    const CompositionPlan plan = plan_of(0.25L, 1.0L, 1);
    TiltedBracket bracket(plan, {.spacing = 0.05, .step = short_step(0.002)}, 1U << 14U, {});
    bracket.tilt_to(0.1);
    // E (1 - K W)_+ in closed form, W = 3/4 + e^{z - 1/2}/4 <= 1/K
    const Wide k = exp(Wide(0.1));
    const Wide z = log((1 / k - Wide(0.75)) * 4) + Wide(0.5);
    using test_support::normal_tail_wide;
    const Wide truth =
        (1 - Wide(0.75) * k) * normal_tail_wide(-z) - k / 4 * normal_tail_wide(1 - z);
    const DeltaSides sides = bracket.at(0.1);
    CHECK(Wide(sides.addition_lower) <= truth);
    CHECK(Wide(sides.addition_upper) >= truth);
    CHECK(sides.addition_upper - sides.addition_lower < 1e-4);
    CHECK(sides.removal_lower > sides.addition_upper);
    DeltaSides tighter = sides;
    tighter.tighten({0.5, 0.4, 0.3, 0.2});
    CHECK(tighter.removal_lower == 0.5);
    CHECK(tighter.addition_upper == std::min(0.2, sides.addition_upper));
}

// Catches a density taken from sums that the other end of the tilted distribution dominates.
TEST_CASE("the cost of a shift is the density where delta is small", "[tilted_bracket]") {
    CompositionPlan plan = plan_of(0.004L, 1.0L / 0.6L, 10000);
    plan.neglect(1e-30);
    TiltedBracket bracket(plan, {.spacing = 0.01, .step = short_step(0.002)}, 1U << 18U,
                          {1e-4, 1e-16});
    bracket.tilt_to(8.0, PayoffSide::removal);
    for (const auto side : {PayoffSide::addition, PayoffSide::removal}) {
        for (const double epsilon : {0.5, 7.0, 8.0}) {
            bracket.tilt_to(epsilon, side);
            const auto delta = [&](double at) {
                const DeltaSides sides = bracket.at(at);
                return side == PayoffSide::addition ? sides.addition_upper : sides.removal_upper;
            };
            // delta'' - delta' is the density at the threshold, e^epsilon-fold for removal.
            const double h = 0.02;
            const double up = delta(epsilon + h);
            const double down = delta(epsilon - h);
            const double density =
                (up - 2.0 * delta(epsilon) + down) / (h * h) - (up - down) / (2.0 * h);
            CAPTURE(epsilon, side == PayoffSide::addition);
            CHECK(bracket.cost_of_shift(epsilon, side) == Approx(density).epsilon(0.1));
        }
    }
}

TEST_CASE("a lower bound that falls away before the crossing serves all epsilons before it",
          "[tilted_bracket]") {
    // delta = e^{-epsilon}, its lower bound within [40, 60] alone, as far from a tilt.
    const auto sides = [](double epsilon) {
        const double delta = std::exp(-epsilon);
        const double lower = epsilon > 40.0 && epsilon < 60.0 ? 0.99 * delta : 0.1 * delta;
        return DeltaSides{lower, delta, 0.0, delta};
    };
    const double target = std::exp(-50.0);
    const Enclosure found = epsilon_crossing(sides, target);
    CHECK(found.lower == Approx(50.0 + std::log(0.99)).epsilon(1e-10));
    CHECK(found.lower <= 50.0 + std::log(0.99) + 1e-12);
    CHECK(found.upper == Approx(50.0).epsilon(1e-10));
    // Nothing is claimed where the lower bound does not exceed delta.
    const auto never = [&](double epsilon) {
        DeltaSides none = sides(epsilon);
        none.removal_lower = 0.0;
        return none;
    };
    CHECK(epsilon_crossing(never, target).lower == 0.0);
}

}  // namespace
}  // namespace assay
