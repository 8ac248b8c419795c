#include "verify/oracles/arb_two_steps.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;

// Computed independently with 42 digits (mpmath quadrature), at these doubles.
TEST_CASE("tests of two coordinates agree with high precision quadrature", "[arb]") {
    using Kind = arb::TwoSteps::Kind;
    const arb::TwoSteps mixture{Kind::mixture, 1.0, 1.0, 0.25};
    CHECK(arb::agrees(arb::probability(mixture, 1.0, false, true, 160),
                      "0.124851318869000131253242523059747575422975"));
    CHECK(arb::agrees(arb::probability(mixture, 1.0, true, true, 160),
                      "0.238752739313312905592857784408012152328593"));
    CHECK(arb::agrees(arb::probability({Kind::mixture, 2.0, 4.0, 0.01}, 3.0, true, false, 160),
                      "0.999943216431639984219057009294387958067035"));
    const arb::TwoSteps bins{Kind::bins, 1.0, 0.5, 0.5};
    CHECK(arb::agrees(arb::probability(bins, 1.5, false, true, 160),
                      "0.0701972628050660712406131539010747239276444"));
    CHECK(arb::agrees(arb::probability(bins, 1.5, true, false, 160),
                      "0.404606555731571296964210537038505040225721"));
}

TEST_CASE("a test and its complement have all of the probability", "[arb]") {
    using Kind = arb::TwoSteps::Kind;
    for (const Kind kind : {Kind::mixture, Kind::bins})
        for (const double z : {-2.0, 0.5, 5.0})
            for (const bool under_p : {false, true}) {
                const arb::TwoSteps steps{kind, 1.0, 0.4, 0.1};
                const Interval sum = arb::probability(steps, z, under_p, true, 96) +
                                     arb::probability(steps, z, under_p, false, 96);
                CAPTURE(static_cast<int>(kind), z, under_p, sum.lower_double(), sum.upper_double());
                CHECK(overlap(sum, Interval(1.0, 96)));
                CHECK(sum.relative_width() < 0x1p-80);
            }
}
