#include "verify/oracles/arb_planar.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/arb_moment.hpp"
#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;

namespace {

Interval planar(double alpha, double q, double u1, double u2, double v1, double v2, long bits) {
    return arb::planar_divergence(
        alpha, q, [=](long precision) { return arb::planar_shifts(u1, u2, v1, v2, precision); },
        bits);
}

}  // namespace

// Computed independently with 60 digits (mpmath, two-dimensional trapezoid rule, two steps).
TEST_CASE("two directions agree with a two-dimensional sum", "[arb]") {
    CHECK(arb::agrees(planar(3.5, .25, 1, .5, -.5, 1, 100),
                      "0.62491433090873663546039052586672548902122720769565", 96));
}

TEST_CASE("shifts on one line are the collinear pair", "[arb]") {
    CHECK(overlap(planar(2.5, .1, 0, .75, 0, -.25, 64),
                  arb::divergence({2.5, 1, .75, -.25, .1}, 100)));
    CHECK(overlap(planar(6.5, .3, 1.5, 2, 0, 0, 64), arb::divergence({6.5, 1, 2.5, 0, .3}, 100)));
    CHECK(overlap(planar(6.5, .3, 0, 0, 1.5, 2, 64), arb::divergence({6.5, 1, 0, 2.5, .3}, 100)));
    CHECK(overlap(planar(3.0, 1e-4, .375, .5, .75, 1, 64),
                  arb::divergence({3.0, 1, .625, 1.25, 1e-4}, 100)));
}

TEST_CASE("turning and mirroring the plane changes nothing", "[arb]") {
    const Interval x = planar(4, .1, 1, 2, -3, .5, 64);
    CHECK(x.relative_width() < 0x1p-60);
    CHECK(overlap(x, planar(4, .1, -2, 1, -.5, -3, 64)));
    CHECK(overlap(x, planar(4, .1, 1, -2, -3, -.5, 64)));
}
