#include "verify/oracles/lemma_tilting.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_expect.hpp"

namespace assay::verify::lemma {

TEST_CASE("bounds for randomised response agree with mpmath", "[verify]") {
    // e0 = 1/8, T = 200, computed independently with 30 digits (mpmath).
    const TiltedSum half = randomised_response(0.125, 200, 0.5, 128);
    check_value(closed_form_bound(half, 2.0), 0.2027497141302681924);
    check_value(window_bound(half, 2.0, 8), 0.053836072974208704002);
    check_value(randomised_response_delta(0.125, 200, 2.0, 128), 0.23871366673435222908);
    const TiltedSum plain = randomised_response(0.125, 200, 0.0, 128);
    check_value(closed_form_bound(plain, 1.0), 0.38447063660694824676);
    check_value(window_bound(plain, 1.0, 8), 0.071091619354707554287);
    CHECK(window_bound(plain, 1e6, 8).is_zero());
}

TEST_CASE("one response has its delta in closed form", "[verify]") {
    // p (1 - e^{eps-e0}), p = e^{e0}/(1+e^{e0}).
    const Interval e0(1.5, 128);
    const Interval p = 1.0 / (1.0 + exp(-e0));
    CHECK(
        overlap(randomised_response_delta(1.5, 1, 0.5, 128), p * (1.0 - exp(-Interval(1.0, 128)))));
    CHECK(randomised_response_delta(1.5, 1, 2.0, 128).is_zero());
}

TEST_CASE("bounds for Gaussian steps agree with mpmath", "[verify]") {
    check_value(closed_form_bound(gaussian_steps(0.03125, 4000, 1.0, 128), 6.0),
                0.0078885306262847754394);
    // c = 1/2, T = 100, eps = 1/2, z = 3.
    check_value(event_bound(0.5, 100, 0.5, 3.0, 128), 0.25529077404641510252);
}

}  // namespace assay::verify::lemma
