#include "assay/numeric/scaled_real.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const Wide u(0x1p-64);

bool near(const Wide& computed, const Wide& exact, const Wide& roundoffs) {
    return abs(computed - exact) <= roundoffs * u * abs(exact);
}

real draw(Random& random, double low, double high) {
    return static_cast<real>(random.log_uniform(low, high)) *
           (1.0L + static_cast<real>(random.uniform(0.0, 1.0)) * 0x1p-53L);
}

}  // namespace

TEST_CASE("sums, products and quotients have one rounding", "[scaled_real]") {
    Random random(5);
    CAPTURE(random.seed());
    for (int i = 0; i < 3000 * effort(); ++i) {
        const double spread = i % 3 == 0 ? 1e30 : 10.0;
        const real a = draw(random, 1.0 / spread, spread);
        const real b = draw(random, 1.0 / spread, spread);
        const ScaledReal x(a);
        const ScaledReal y(b);
        REQUIRE(near(wide(x), Wide(a), 0));
        REQUIRE(near(wide(x + y), Wide(a) + Wide(b), Wide(1.04)));
        REQUIRE(near(wide(x * y), Wide(a) * Wide(b), 1));
        REQUIRE(near(wide(x * b), Wide(a) * Wide(b), 1));
        REQUIRE(near(wide(b * x), Wide(a) * Wide(b), 1));
        REQUIRE(near(wide(x / y), Wide(a) / Wide(b), 1));
        REQUIRE(near(wide(x / b), Wide(a) / Wide(b), 1));
        REQUIRE(near(wide(x.sqrt()), sqrt(Wide(a)), 1));
        REQUIRE((x < y) == (a < b));
        const ScaledReal gap = a < b ? difference(y, x) : difference(x, y);
        REQUIRE(abs(wide(gap) - abs(Wide(a) - Wide(b))) <= Wide(1.04) * u * Wide(std::max(a, b)));
    }
}

TEST_CASE("the difference of near neighbours is exact", "[scaled_real]") {
    const real a = 1.0L + 0x1p-63L;
    CHECK(difference(ScaledReal(a), ScaledReal(1.0L)).value() == 0x1p-63L);
    CHECK(difference(ScaledReal(a), ScaledReal(a)).is_zero());
    CHECK(difference(ScaledReal(2.0L), ScaledReal(a)).value() == 1.0L - 0x1p-63L);
    CHECK(difference(ScaledReal(3.0L), ScaledReal()).value() == 3.0L);
    CHECK_THROWS_AS(difference(ScaledReal(1.0L), ScaledReal(a)), Error);
    // So far apart that nothing is left of the smaller one.
    CHECK(difference(ScaledReal(1.0L), ScaledReal(0x1p-80L)).value() == 1.0L);
    CHECK((ScaledReal(1.0L) + ScaledReal(0x1p-80L)).value() == 1.0L);
    CHECK((ScaledReal(0x1p-80L) + ScaledReal(1.0L)).value() == 1.0L);
}

TEST_CASE("zero behaves", "[scaled_real]") {
    const ScaledReal zero;
    const ScaledReal one(1.0L);
    CHECK(zero.is_zero());
    CHECK(ScaledReal(0.0L).is_zero());
    CHECK((zero + one).value() == 1.0L);
    CHECK((one + zero).value() == 1.0L);
    CHECK((zero * one).is_zero());
    CHECK((zero / one).is_zero());
    CHECK(zero.sqrt().is_zero());
    CHECK(zero.log() == -infinity);
    CHECK(zero.log1p() == 0.0L);
    CHECK(zero.value() == 0.0L);
    CHECK(zero < one);
    CHECK_FALSE(one < zero);
    CHECK_FALSE(zero < zero);
    CHECK_THROWS_AS(one / zero, DomainError);
    CHECK_THROWS_AS(one / 0.0L, DomainError);
}

TEST_CASE("exponentials keep their budget of (|x| + 20) roundings", "[scaled_real]") {
    Random random(6);
    CAPTURE(random.seed());
    for (int i = 0; i < 600 * effort(); ++i) {
        const real x =
            (i % 2 == 0 ? 1.0L : -1.0L) * draw(random, 1e-10, i % 5 == 0 ? 11000.0 : 60.0);
        REQUIRE(near(wide(ScaledReal::exp_of(x)), exp(Wide(x)), Wide(std::fabs(x)) + 20));
    }
    CHECK(ScaledReal::exp_of(0.0L).value() == 1.0L);
    CHECK(ScaledReal::exp_of(-infinity).is_zero());
    CHECK_THROWS_AS(ScaledReal::exp_of(infinity), DomainError);
    CHECK_THROWS_AS(ScaledReal::exp_of(std::nanl("")), DomainError);
}

TEST_CASE("exponents of e^(10^11) and beyond neither overflow nor lose digits", "[scaled_real]") {
    Random random(7);
    CAPTURE(random.seed());
    for (int i = 0; i < 200 * effort(); ++i) {
        const real x = draw(random, 1e4, 1.5e11);
        const ScaledReal up = ScaledReal::exp_of(x);
        const ScaledReal down = ScaledReal::exp_of(-x);
        // e^x e^-x = 1, and the logarithm returns.
        REQUIRE(near(wide(up * down), 1, 2 * (Wide(x) + 20) + 1));
        REQUIRE(near(Wide(up.log()), Wide(x), 3 + Wide(40) / Wide(x)));
        REQUIRE(near(Wide(down.log()), Wide(-x), 3 + Wide(40) / Wide(x)));
        REQUIRE(down < up);
        // e^x by ten squarings of e^{x/1024}, an independent path to the same significand.
        ScaledReal power = ScaledReal::exp_of(x / 1024.0L);
        for (int k = 0; k < 10; ++k) power *= power;
        REQUIRE(near(wide(power / up), 1, 2 * Wide(x) + 1024 * 24));
        REQUIRE(up.value() == (x > 11400.0L ? infinity : up.value()));
        REQUIRE(up.log1p() == up.log());
    }
    CHECK(ScaledReal::exp_of(-1e6L).value() == 0.0L);
    CHECK_FALSE(ScaledReal::exp_of(-1e6L).is_zero());
}

TEST_CASE("logarithms near 1 keep relative accuracy", "[scaled_real]") {
    Random random(8);
    CAPTURE(random.seed());
    for (int i = 0; i < 600 * effort(); ++i) {
        const real tiny = draw(random, 1e-18, 0.3) * (i % 2 == 0 ? 1.0L : -1.0L);
        const real near_one = 1.0L + tiny;
        if (near_one == 1.0L) continue;
        REQUIRE(near(Wide(ScaledReal(near_one).log()), log(Wide(near_one)), 20));
        const real x = draw(random, 1e-300, 1e300);
        const Wide exact = log(Wide(x));
        // e ln2 is rounded twice (the constant, the product) before it is added.
        REQUIRE(abs(Wide(ScaledReal(x).log()) - exact) <= (abs(exact) * Wide(2.5) + 20) * u);
        REQUIRE(near(Wide(ScaledReal(x).log1p()), log1p(Wide(x)), 4));
    }
    // Around 2^130, where log(1+x) turns into log x.
    for (const int power : {60, 129, 130, 131, 132}) {
        const real x = std::ldexp(1.25L, power);
        CHECK(near(Wide(ScaledReal(x).log1p()), log1p(Wide(x)), 4));
    }
}

TEST_CASE("e^x - 1 as a scaled number", "[scaled_real]") {
    Random random(9);
    CAPTURE(random.seed());
    for (int i = 0; i < 300 * effort(); ++i) {
        const real x = draw(random, 1e-20, 11300.0);
        REQUIRE(near(wide(scaled_expm1(x)), expm1(Wide(x)), Wide(x) + 20));
    }
    for (const real x : {10999.0L, 11000.0L, 11001.0L})
        CHECK(near(wide(scaled_expm1(x)), expm1(Wide(x)), Wide(x) + 20));
    CHECK(scaled_expm1(0.0L).is_zero());
    CHECK(scaled_expm1(5e10L).log() == Approx(5e10));
    CHECK_THROWS_AS(scaled_expm1(-1.0L), DomainError);
}

TEST_CASE("exponents that no scaled number holds are refused", "[scaled_real]") {
    for (const real x : {1.2e18L, 1e30L, 1e300L, std::nanl("")})
        CHECK_THROWS_AS(ScaledReal::exp_of(x), DomainError);
    for (const real x : {1e18L, -1e18L}) CHECK(ScaledReal::exp_of(x).log() == x);
    // Too small ones count for more than they are, and for nothing beside anything else.
    for (const real x : {-1.2e18L, -1e30L, -1e300L}) CHECK(ScaledReal::exp_of(x).log() == -0x1p60L);
}
