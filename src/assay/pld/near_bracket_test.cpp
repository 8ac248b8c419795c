#include "assay/pld/near_bracket.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::gaussian_delta_wide;
using test_support::one_step_delta_wide;
using test_support::Wide;

RepeatedLossPair repeated(double q, double c, std::int64_t steps) {
    DominatingPair pair;
    pair.q = q;
    pair.c = c;
    return {pair, steps};
}

NearPlan plan_of(const std::vector<RepeatedLossPair>& pairs) {
    return {pairs, Adjacency::add_remove};
}

constexpr DeltaSides nothing_known{};

}  // namespace

// Catches steps counted wrongly, a spacing that is refined too little and masses neglected that
// matter in the tail.
TEST_CASE("near sums of Gaussian steps contain their closed form", "[near_bracket]") {
    struct Case {
        double c;
        std::int64_t steps;
        double scales;  // epsilon, in those of the sum
        double gap;
    };
    for (const Case& one :
         {Case{1e-25, 100, 1.0, 2e-3}, Case{1e-9, 100, 0.0, 1e-3}, Case{1e-6, 100, 4.0, 1e-2},
          Case{1e-3, 1000, 1.0, 1e-3}, Case{0.25, 37, 12.0, 0.02}}) {
        const double shift = one.c * std::sqrt(static_cast<double>(one.steps));
        const double epsilon = one.scales * shift;
        const Wide truth = gaussian_delta_wide(1 / Wide(one.c), one.steps, epsilon);
        const DeltaSides found = near_delta(plan_of({repeated(1.0, one.c, one.steps)}), epsilon,
                                            nothing_known, {1e-3, 1e9});
        CAPTURE(one.c, one.steps, epsilon);
        CHECK(Wide(found.lower()) <= truth);
        CHECK(Wide(found.upper()) >= truth);
        CHECK(found.relative_gap() <= one.gap);
    }
}

TEST_CASE("near sums of different pairs are those of one", "[near_bracket]") {
    // Squares of shifts add: 30 x 0.1^2 + 50 x 0.05^2 = 0.425.
    const std::vector<RepeatedLossPair> pairs = {repeated(1.0, 0.1, 30), repeated(1.0, 0.0, 9),
                                                 repeated(1.0, 0.05, 50)};
    const NearPlan plan = plan_of(pairs);
    CHECK(plan.pairs.size() == 2);
    CHECK(plan.steps() == 80.0);
    CHECK(plan.symmetric);
    CHECK(plan.scale == Approx(std::sqrt(0.425)).epsilon(0.2));
    const Wide noise = 1 / sqrt(30 * Wide(0.1) * Wide(0.1) + 50 * Wide(0.05) * Wide(0.05));
    for (const double epsilon : {0.5, 5.0}) {
        const Wide truth = gaussian_delta_wide(noise, 1, epsilon);
        const DeltaSides found = near_delta(plan, epsilon, nothing_known, {1e-3, 1e9});
        CAPTURE(epsilon);
        CHECK(Wide(found.lower()) <= truth);
        CHECK(Wide(found.upper()) >= truth);
        CHECK(found.relative_gap() <= 1e-2);
    }
}

// Catches a crossing of the wrong side.
TEST_CASE("the epsilon of near sums lies around the crossing", "[near_bracket]") {
    for (const double delta : {1e-3, 1e-9, 1e-60}) {
        const Enclosure gaussian = near_epsilon(plan_of({repeated(1.0, 0.02, 400)}), delta,
                                                {0.0, test_support::infinity}, {1e-3, 1e9});
        CAPTURE(delta, gaussian.lower, gaussian.upper);
        CHECK(gaussian_delta_wide(50, 400, gaussian.lower) >= Wide(delta));
        CHECK(gaussian_delta_wide(50, 400, gaussian.upper) <= Wide(delta));
        CHECK(gaussian.relative_width() <= 1e-3);
        // The removal direction decides here, the other one is left out when that is known.
        const Enclosure sampled = near_epsilon(plan_of({repeated(0.5, 1.0, 1)}), delta,
                                               {0.0, test_support::infinity}, {1e-3, 1e9});
        CAPTURE(sampled.lower, sampled.upper);
        CHECK(one_step_delta_wide(0.5, 1, sampled.lower) >= Wide(delta));
        CHECK(one_step_delta_wide(0.5, 1, sampled.upper) <= Wide(delta));
        CHECK(sampled.relative_width() <= 1e-3);
    }
}

TEST_CASE("what is known is kept, and little work gives a wide answer", "[near_bracket]") {
    const NearPlan plan = plan_of({repeated(1.0, 0.25, 16)});
    const Wide truth = gaussian_delta_wide(1, 1, 3);
    const auto known = static_cast<double>(truth);
    const DeltaSides close{known * 0.9999, known * 1.0001, known * 0.9999, known * 1.0001};
    const DeltaSides kept = near_delta(plan, 3.0, close, {1e-2, 1e9});
    CHECK(kept.lower() >= close.lower());
    CHECK(kept.upper() <= close.upper());
    const DeltaSides coarse = near_delta(plan, 3.0, nothing_known, {1e-6, 1.0});
    CHECK(coarse.relative_gap() > 1e-2);
    CHECK(Wide(coarse.lower()) <= truth);
    CHECK(Wide(coarse.upper()) >= truth);
    const Enclosure narrow = near_epsilon(plan, known, {2.999, 3.001}, {1e-2, 1e9});
    CHECK(narrow.lower >= 2.999);
    CHECK(narrow.upper <= 3.001);
}

TEST_CASE("a direction may be left open", "[near_bracket]") {
    const NearPlan plan = plan_of({repeated(0.25, 1.0, 5)});
    CHECK_FALSE(plan.symmetric);
    const NearBracket both(plan, 0.05);
    const NearBracket one(plan, 0.05, false);
    CHECK(one.at(0.5).removal_upper == both.at(0.5).removal_upper);
    CHECK(one.at(0.5).removal_lower == both.at(0.5).removal_lower);
    CHECK(one.at(0.5).addition_lower == 0.0);
    CHECK(one.at(0.5).addition_upper == 1.0);
    CHECK(both.at(0.5).addition_upper < both.at(0.5).removal_lower);
    CHECK(one.products() < both.products());
}

}  // namespace assay
