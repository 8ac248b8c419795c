#include "verify/oracles/arb_profile.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/arb_moment.hpp"
#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;

// Computed independently with 70 digits (mpmath quadrature), at these doubles.
TEST_CASE("the profile bound agrees with high precision quadrature", "[arb]") {
    CHECK(arb::agrees(arb::profile(3.5, 2, .1, 128),
                      "0.0503845435262180991472191653783438545348090567"));
    CHECK(arb::agrees(arb::profile(1.01, 6, .0024, 128),
                      "4.31080315800261322184971928055051337278604292e-7"));
}

TEST_CASE("the profile bound lies between the divergence and twice its excess", "[arb]") {
    for (const double sigma : {0.05, 0.5, 5.0, 1e4})
        for (const double q : {1e-9, 0.01, 1 - 1e-9}) {
            const Interval bound = arb::profile(2.0, sigma, q, 80);
            const Interval exact = arb::divergence({2.0, sigma, 2.0, 0.0, q}, 80);
            CAPTURE(sigma, q);
            CHECK(bound.relative_width() < 0x1p-79);
            CHECK_FALSE(certainly_below(bound, exact));
            // order 2: F <= 1 + 2(H-1).
            CHECK(certainly_at_most(expm1(bound), expm1(exact) * 2.0 * (1 + 0x1p-52)));
        }
}

TEST_CASE("without sampling there is no profile", "[arb]") {
    CHECK(arb::profile(2.5, 3, 0.0, 64).is_zero());
}
