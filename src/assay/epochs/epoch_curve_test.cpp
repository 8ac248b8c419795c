#include "assay/epochs/epoch_curve.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("a curve meets its tolerance over all epsilons and falls", "[epoch_curve]") {
    for (const BallsAndBins& mechanism :
         {BallsAndBins{0.4, 4517}, BallsAndBins{0.25, 100000}, BallsAndBins{2.0, 5}}) {
        CAPTURE(describe(mechanism));
        const EpochCurve curve(mechanism, Adjacency::zero_out, {2e-3, 1e-10, 2e9});
        CHECK(curve.meets_goal());
        Enclosure before{1.0, 1.0};
        for (int i = 0; i < 15; ++i) {
            const double epsilon = 0.2 * i;
            const Enclosure delta = curve.delta(epsilon);
            CHECK(delta.lower <= before.upper);
            if (delta.upper > 1e-10) CHECK(delta.upper - delta.lower <= 2.5e-3 * delta.upper);
            before = delta;
        }
    }
}

TEST_CASE("the Gaussian's epsilons, which an epoch of one batch has", "[epoch_curve]") {
    // delta(eps) = Phi(1/(2s) - eps s) - e^eps Phi(-1/(2s) - eps s).
    const auto gaussian = [](double s, double epsilon) {
        const auto phi = [](const Wide& z) { return Wide(erfc(-z / sqrt(Wide(2))) / 2); };
        const Wide e(epsilon);
        return phi(1 / (2 * Wide(s)) - e * Wide(s)) -
               exp(e) * phi(-1 / (2 * Wide(s)) - e * Wide(s));
    };
    for (const double noise : {0.6, 1.5})
        for (const double delta : {1e-5, 0.02}) {
            const EpochCurve curve({noise, 1}, Adjacency::zero_out, {1e-3, 1e-10, 2e9});
            const Enclosure epsilon = curve.epsilon(delta);
            CAPTURE(noise, delta, epsilon.lower, epsilon.upper);
            CHECK(gaussian(noise, epsilon.upper) <= Wide(delta));
            if (epsilon.lower > 0.0) CHECK(gaussian(noise, epsilon.lower) >= Wide(delta));
            CHECK(epsilon.upper - epsilon.lower <= 2e-3);
        }
}

TEST_CASE("an epsilon that the curve cannot certify is infinite", "[epoch_curve]") {
    const EpochCurve curve({0.5, 50}, Adjacency::zero_out);
    CHECK(curve.epsilon(1e-300).upper == std::numeric_limits<double>::infinity());
    CHECK(curve.epsilon(0.999).upper == 0.0);
    CHECK(curve.epsilon(0.999).lower == 0.0);
}

TEST_CASE("one epsilon of both directions is the larger one", "[epoch_curve]") {
    for (const double epsilon : {0.01, 0.5, 2.0}) {
        const BallsAndBins mechanism{0.6, 200};
        const GapGoal goal{1e-3, 1e-12, 2e9};
        const Enclosure both = delta_within(mechanism, epsilon, goal);
        CAPTURE(epsilon, both.lower, both.upper);
        CHECK(both.upper - both.lower <= 1e-3 * both.upper);
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            const Enclosure one =
                bracket_within(mechanism, direction, {epsilon}, goal).bracket.delta(epsilon);
            CHECK(one.lower <= both.upper);
        }
    }
}

TEST_CASE("only zero-out, and only goals that mean something", "[epoch_curve]") {
    CHECK_THROWS_AS(EpochCurve({0.5, 10}, Adjacency::add_remove), UnsupportedMechanism);
    CHECK_THROWS_AS(EpochCurve({0.5, 10}, Adjacency::replace_one), UnsupportedMechanism);
    CHECK(refused([] {
              return EpochCurve({0.5, 10}, Adjacency::zero_out, {0.0, 1e-10, 2e9}).gap();
          }) == "tolerance");
    const EpochCurve curve({0.5, 10}, Adjacency::zero_out);
    for (const double delta : {0.0, 1.0, -1.0, std::nan("")})
        CHECK(refused([&] { return curve.epsilon(delta); }) == "delta");
}
