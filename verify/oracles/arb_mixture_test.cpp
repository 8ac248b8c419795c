#include "verify/oracles/arb_mixture.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::Complex;
using arb::Mixture;
using arb::Real;

namespace {

/// log sum_n C(B,n) D^-n (1-1/D)^(B-n) e^{nuz - n^2u^2/2}, every term, in MPFR intervals.
Interval literal_log(long draws, double records, double shift, double z) {
    constexpr long bits = 300;
    const Interval p = Interval(1.0, bits) / records;
    Interval sum(0.0, bits);
    Interval binomial(1.0, bits);
    for (long n = 0; n <= draws; ++n) {
        const auto order = static_cast<double>(n);
        const Interval exponent =
            Interval(shift, bits) * order * z - square(Interval(shift, bits) * order) / 2.0;
        sum += binomial * power(p, n) * power(1.0 - p, draws - n) * exp(exponent);
        binomial = binomial * static_cast<double>(draws - n) / (order + 1);
    }
    return log(sum);
}

Complex rectangle(double centre, double real_radius, double imaginary_radius) {
    Complex z;
    arb_set_d(z.real(), centre);
    mag_set_d(arb_radref(z.real()), real_radius);
    mag_set_d(arb_radref(z.imaginary()), imaginary_radius);
    return z;
}

}  // namespace

TEST_CASE("the logarithm of a mixture is that of all its terms", "[arb]") {
    for (const double shift : {0.02, 0.5, 3.0})
        for (const double z : {-9.0, -0.25, 1.0, 4.5, 40.0}) {
            const Mixture mixture = Mixture::binomial(60, 7.0, Real(shift), 220);
            Real log;
            mixture.log_value(log, Real(z), 200);
            CAPTURE(shift, z);
            const Interval literal = literal_log(60, 7.0, shift, z);
            CHECK(overlap(arb::to_interval(log, 200), literal));
            CHECK(arb::relative_error_exponent(log) < -170);
            CHECK(mixture.approximate_log(z) == Approx(literal.lower_double()).epsilon(1e-12));
        }
}

TEST_CASE("one draw is 1 - q + q e^{uz - u^2/2}", "[arb]") {
    for (const double z : {-3.0, 0.5, 30.0}) {
        const Mixture mixture = Mixture::two_point(0.3, Real(-1.25), 200);
        const Interval x = exp(Interval(-1.25, 200) * z - Interval(1.25 * 1.25 / 2, 200));
        const Interval expected = log(1.0 - Interval(0.3, 200) + x * 0.3);
        Real log;
        mixture.log_value(log, Real(z), 200);
        CHECK(overlap(arb::to_interval(log, 200), expected));
        CHECK(arb::relative_error_exponent(log) < -150);
    }
}

TEST_CASE("the slope encloses the derivative all over a rectangle", "[arb]") {
    const Mixture mixture = Mixture::binomial(25, 5.0, Real(0.5), 128);
    const Complex wide = rectangle(3.0, 0.25, 0.125);
    Complex slope;
    mixture.slope(slope, wide, 128);
    REQUIRE(acb_is_finite(slope) != 0);
    for (const double z : {2.75, 2.9, 3.0, 3.25}) {
        // Convexity: the difference quotients left and right of z enclose the derivative.
        constexpr double h = 0x1p-30;
        const Interval middle = literal_log(25, 5.0, 0.5, z);
        const Interval right = (literal_log(25, 5.0, 0.5, z + h) - middle) / h;
        const Interval left = (middle - literal_log(25, 5.0, 0.5, z - h)) / h;
        CHECK(overlap(arb::to_interval(slope.real(), 128), hull(left, right)));
        Complex point;
        mixture.slope(point, rectangle(z, 0.0, 0.0), 128);
        const Interval exact = arb::to_interval(point.real(), 100);
        CHECK(arb::contains(hull(left, right), exact));
        CHECK(arb::contains(arb::to_interval(slope.real(), 128), exact));
    }
}

TEST_CASE("no slope where the mixture has a zero", "[arb]") {
    // 1 - q + q e^{uz - u^2/2} = 0 at uz = u^2/2 + log((1-q)/q) + i pi.
    const double shift = 2.0;
    const double q = 0.25;
    const double zero = shift / 2 + std::log((1 - q) / q) / shift;
    const double height = std::acos(-1.0) / shift;
    const Mixture mixture = Mixture::two_point(q, Real(shift), 128);
    Complex slope;
    mixture.slope(slope, rectangle(zero, 0.01, height + 0.01), 128);
    CHECK(acb_is_finite(slope) == 0);
    mixture.slope(slope, rectangle(zero, 0.01, 0.25 * height), 128);
    CHECK(acb_is_finite(slope) != 0);
}

TEST_CASE("what a sum leaves out is in its radius", "[arb]") {
    // At 53 bits the window ends early; the interval must still contain the sum of all 2001 terms.
    const Mixture mixture = Mixture::binomial(2000, 3.0, Real(0.05), 400);
    Real rough;
    Real exact;
    for (const double z : {-30.0, 0.0, 12.5}) {
        mixture.log_value(rough, Real(z), 30);
        mixture.log_value(exact, Real(z), 400);
        CHECK(arb::contains(arb::to_interval(rough, 64), arb::to_interval(exact, 300)));
    }
}
