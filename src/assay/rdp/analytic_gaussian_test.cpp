#include "assay/rdp/analytic_gaussian.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("delta of the Gaussian mechanism in 50 digits", "[analytic_gaussian]") {
    for (const real square : {1e-8L, 1e-3L, 0.25L, 1.0L, 9.0L, 100.0L, 2500.0L})
        for (const double epsilon : {0.0, 1e-6, 0.1, 1.0, 8.0, 60.0}) {
            const Wide exact = gaussian_delta_wide(1, Wide(square), Wide(epsilon));
            if (exact < Wide(1e-300)) continue;
            CAPTURE(square, epsilon, digits(exact));
            const Enclosure e = gaussian_delta(square, epsilon);
            CHECK(Wide(e.lower) <= exact);
            CHECK(exact <= Wide(e.upper));
            // Absolute error relative to the two tails it is the difference of.
            const Wide tails =
                normal_tail_wide(Wide(epsilon) / sqrt(Wide(square)) - sqrt(Wide(square)) / 2);
            CHECK(Wide(e.upper) - Wide(e.lower) <= exact * Wide(1e-15) + tails * Wide(1e-13));
        }
    CHECK(gaussian_delta(0.0L, 0.5) == exactly(0.0));
    // TV distance at epsilon = 0: 2 Phi(c/2) - 1.
    CHECK_THAT(gaussian_delta(4.0L, 0.0), Encloses(1 - 2 * normal_tail_wide(Wide(1))));
}

TEST_CASE("delta and epsilon at the ends of the domain", "[analytic_gaussian]") {
    for (const real square : {1e-18L, 1e-8L, 1.0L, 1e6L, 1.6e12L})
        for (const double delta : {1e-300, 1e-12, 0.3, 1.0 - 1e-9}) {
            CAPTURE(square, delta);
            const Enclosure e = gaussian_epsilon(square, delta);
            CHECK(e.lower >= 0.0);
            CHECK(e.lower <= e.upper);
            CHECK(std::isfinite(e.upper));
        }
    for (const double epsilon : {0.0, 1e-9, 1.0, 1e4, 1e12}) {
        const Enclosure e = gaussian_delta(1.0L, epsilon);
        CHECK(e.lower >= 0.0);
        CHECK(e.lower <= e.upper);
        CHECK(e.upper <= 1.0);
    }
}

TEST_CASE("epsilon brackets the root of the formula", "[analytic_gaussian]") {
    for (const real square : {1e-6L, 0.01L, 1.0L, 25.0L, 1e4L})
        for (const double delta : {1e-300, 1e-12, 1e-5, 0.01, 0.2, 0.9}) {
            const Enclosure e = gaussian_epsilon(square, delta);
            CAPTURE(square, delta, e.lower, e.upper);
            if (gaussian_delta_wide(1, Wide(square), 0) <= Wide(delta)) {
                CHECK(e == exactly(0.0));
                continue;
            }
            CHECK(gaussian_delta_wide(1, Wide(square), Wide(e.lower)) >= Wide(delta));
            CHECK(gaussian_delta_wide(1, Wide(square), Wide(e.upper)) <= Wide(delta));
            CHECK(e.relative_width() <= 1e-10);
        }
    CHECK(gaussian_epsilon(0.0L, 0.1) == exactly(0.0));
}

TEST_CASE("more shift means more of both, less delta more epsilon", "[analytic_gaussian]") {
    double before = 0.0;
    for (const real square : {0.01L, 0.1L, 1.0L, 10.0L, 100.0L}) {
        const double here = gaussian_epsilon(square, 1e-6).lower;
        CHECK(here > before);
        before = here;
        CHECK(gaussian_epsilon(square, 1e-7).lower > here);
        CHECK(gaussian_delta(square, 1.0).lower < gaussian_delta(1.1L * square, 1.0).upper);
    }
}

TEST_CASE("analytic gaussian: bad input is refused by name", "[analytic_gaussian]") {
    const auto refused = [](const auto& call) -> std::string {
        try {
            static_cast<void>(call());
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    const double nan = std::nan("");
    for (const double delta : {0.0, 1.0, -1.0, nan})
        CHECK(refused([&] { return gaussian_epsilon(1.0L, delta); }) == "delta");
    for (const double epsilon : {-1e-9, nan, infinity})
        CHECK(refused([&] { return gaussian_delta(1.0L, epsilon); }) == "epsilon");
    for (const real square : {-1.0L, std::nanl(""), std::numeric_limits<real>::infinity()}) {
        CHECK(refused([&] { return gaussian_delta(square, 1.0); }) == "shift_square");
        CHECK(refused([&] { return gaussian_epsilon(square, 0.1); }) == "shift_square");
    }
}
