#include "verify/oracles/arb_numbers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;

TEST_CASE("a ball becomes an interval that contains both of its ends", "[arb]") {
    arb::Real third;  // 1/3 with 30 bits and its radius
    arb_set_ui(third, 1);
    arb_div_ui(third, third, 3, 30);
    const Interval x = arb::to_interval(third, 60);
    const Interval exact = Interval(1.0, 300) / 3.0;
    CHECK(arb::contains(x, exact));
    CHECK(x.relative_width() < 0x1p-27);

    arb::Real wide(-2.0);
    mag_set_d(arb_radref(static_cast<arb_ptr>(wide)), 0.5);
    const Interval y = arb::to_interval(wide, 60);
    CHECK(arb::contains(y, Interval::between(Interval(-2.5, 60), Interval(-1.5, 60))));
    CHECK(y.lower_double() > -2.5000001);
    CHECK(y.upper_double() < -1.4999999);
}

TEST_CASE("exact balls stay narrow and very small ones keep their sign", "[arb]") {
    CHECK(arb::to_interval(arb::Real(0.0), 64).is_zero());
    arb::Real tiny(1.0);
    arb_mul_2exp_si(tiny, tiny, -5000);
    const Interval x = arb::to_interval(tiny, 64);
    CHECK(x.is_positive());
    CHECK(x.relative_width() < 0x1p-60);
}

TEST_CASE("a ball without a value becomes the whole line", "[arb]") {
    arb::Real x(1.0);
    arb_indeterminate(x);
    CHECK_FALSE(arb::to_interval(x, 64).is_finite());
    CHECK(std::isinf(arb::to_double(x)));
    CHECK(arb::relative_error_exponent(x) > 0);
}

TEST_CASE("relative error exponents and scales", "[arb]") {
    arb::Real x(8.0);
    mag_set_ui_2exp_si(arb_radref(static_cast<arb_ptr>(x)), 1, -17);
    CHECK(arb::relative_error_exponent(x) <= -18);
    CHECK(arb::relative_error_exponent(x) >= -22);
    mag_set_ui(arb_radref(static_cast<arb_ptr>(x)), 9);  // 0 is inside
    CHECK(arb::relative_error_exponent(x) > 0);

    mag_t scale;
    mag_init(scale);
    arb::scale_of_exponential(scale, 1e6, 100);
    arb_t logarithm;
    arb_init(logarithm);
    arf_set_mag(arb_midref(logarithm), scale);
    arb_log(logarithm, logarithm, 64);
    CHECK(std::abs(arb::to_double(logarithm) - (1e6 - 100 * std::log(2.0))) < 1);
    arb_clear(logarithm);
    mag_clear(scale);
}
