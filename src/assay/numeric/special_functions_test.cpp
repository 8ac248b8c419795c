#include "assay/numeric/special_functions.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const Wide half_ulp(0x1p-64);

/// Relative error in units of roundoff.
double roundoffs(const Wide& computed, const Wide& exact) {
    return static_cast<double>(abs(computed - exact) / (abs(exact) * half_ulp));
}

real signed_draw(Random& random, int i, double low, double high) {
    return static_cast<real>(random.log_uniform(low, high)) * (i % 2 == 0 ? 1.0L : -1.0L);
}

}  // namespace

TEST_CASE("e^t - 1 - t without cancellation", "[special_functions]") {
    Random random(21);
    CAPTURE(random.seed());
    double worst = 0.0;
    for (int i = 0; i < 1500 * effort(); ++i) {
        const real t =
            i % 3 == 0 ? signed_draw(random, i, 0.2, 1.2) : signed_draw(random, i, 1e-15, 700.0);
        const double error = roundoffs(Wide(expm1_minus(t)), expm1(Wide(t)) - Wide(t));
        CAPTURE(t, error);
        REQUIRE(error <= 80.0);
        worst = std::max(worst, error);
    }
    CHECK(worst < 20.0);
    CHECK(expm1_minus(0.0L) == 0.0L);
    for (const real t : {0.5L, -0.5L, 0.5000001L, -0.5000001L, 0.4999999L})
        CHECK(roundoffs(Wide(expm1_minus(t)), expm1(Wide(t)) - Wide(t)) <= 20.0);
}

TEST_CASE("e^t - 1 - t beyond the range of extended numbers", "[special_functions]") {
    for (const real t : {-1e9L, -3.0L, 0.0L, 1e-9L, 2.0L, 10999.0L})
        CHECK(scaled_expm1_minus(t).value() == expm1_minus(t));
    for (const real t : {10999.9L, 11000.1L, 11300.0L})
        CHECK(roundoffs(Wide(scaled_expm1_minus(t).value()), expm1(Wide(t)) - Wide(t)) <=
              2.0 * static_cast<double>(t) + 20.0);
    CHECK(std::fabs(scaled_expm1_minus(8e10L).log() - 8e10L) < 1e-7L);
}

TEST_CASE("(1+x) log(1+x) - x without cancellation", "[special_functions]") {
    Random random(22);
    CAPTURE(random.seed());
    double worst = 0.0;
    for (int i = 0; i < 1500 * effort(); ++i) {
        real x =
            i % 3 == 0 ? signed_draw(random, i, 0.15, 0.4) : signed_draw(random, i, 1e-15, 1e6);
        if (x < -1.0L) x = 1.0L / x;
        const Wide exact = (1 + Wide(x)) * log1p(Wide(x)) - Wide(x);
        const double error = roundoffs(Wide(entropy_excess(x, std::log1p(x))), exact);
        CAPTURE(x, error);
        REQUIRE(error <= 80.0);
        worst = std::max(worst, error);
    }
    CHECK(worst < 40.0);
    CHECK(entropy_excess(0.0L, 0.0L) == 0.0L);
    CHECK(entropy_excess(-1.0L, std::log1p(-1.0L)) == 1.0L);
}

TEST_CASE("close to x = -1 the logarithm decides, not the last digit of x", "[special_functions]") {
    for (const real log_rho : {-1.0001L, -3.0L, -30.0L, -99.0L, -101.0L, -800.0L}) {
        const Wide l(log_rho);
        const Wide exact = 1 + exp(l) * (l - 1);
        for (const real nudge : {0.0L, 0x1p-63L, 0x1p-62L}) {
            const real x = std::expm1(log_rho) + nudge;
            CAPTURE(log_rho, nudge);
            CHECK(roundoffs(Wide(entropy_excess(x, log_rho)), exact) <= 80.0);
        }
    }
}

TEST_CASE("t - log(1+t) without cancellation, on both sides of its seams", "[special_functions]") {
    Random random(23);
    CAPTURE(random.seed());
    for (int i = 0; i < 1500 * effort(); ++i) {
        const real t = i % 3 == 0 ? static_cast<real>(random.uniform(-0.999, 1.5))
                                  : static_cast<real>(random.log_uniform(1e-15, 1e6));
        CAPTURE(t);
        REQUIRE(roundoffs(Wide(log1p_deficit(t)), Wide(t) - log1p(Wide(t))) <= 20.0);
    }
    for (const real t : {-0.9497L, -0.5000001L, -0.5L, -0.4999999L, 0.9999999L, 1.0L, 1.0000001L})
        CHECK(roundoffs(Wide(log1p_deficit(t)), Wide(t) - log1p(Wide(t))) <= 20.0);
    CHECK(log1p_deficit(0.0L) == 0.0L);
    CHECK(std::isinf(log1p_deficit(-1.0L)));
}

TEST_CASE("normal tails on both sides, and far out by their logarithm", "[special_functions]") {
    for (const double z : {-38.0, -9.0, -1.0, -0.1, 0.0, 0.3, 1.0, 3.0, 8.0, 20.0, 37.0}) {
        const Wide exact = normal_tail_wide(Wide(z));
        // The rounded argument z/sqrt(2) moves the tail by z^2 + 1 roundoffs.
        CHECK(roundoffs(Wide(normal_tail(z)), exact) <= 16.0 + 4.0 * z * z);
        CHECK(abs(Wide(log_normal_tail(z)) - log(exact)) <= (16 + 4 * Wide(z) * z) * half_ulp);
    }
    CHECK(normal_tail(0.0L) == 0.5L);
    for (const double z : {60.0, 99.99, 100.0, 100.01, 140.0, 300.0}) {
        // Continued fraction of Laplace, evaluated backwards: tail/phi = 1/(z+1/(z+2/(z+...))).
        Wide fraction = Wide(z);
        for (int k = 400; k >= 1; --k) fraction = Wide(z) + k / fraction;
        const Wide exact = log(normal_density(Wide(z)) / fraction);
        CAPTURE(z);
        CHECK(abs(Wide(log_normal_tail(z)) - exact) <= Wide(1e-16) + abs(exact) * 8 * half_ulp);
    }
}
