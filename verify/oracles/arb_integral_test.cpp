#include "verify/oracles/arb_integral.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::Complex;
using arb::Real;

namespace {

/// e^{-(z-1)^2/2}, written as constant + slope w - w^2/2 around any point.
class Bell : public arb::Integrand {
public:
    void at(Real& out, const Real& x, long precision) const override {
        Real constant;
        Real slope;
        split(constant, slope, x, precision);
        arb_exp(out, constant, precision);
    }
    void bound(Real& out, const Real& middle, const Real& radius, long precision) const override {
        Real constant;
        Real slope;
        split(constant, slope, middle, precision);
        arb::quadratic_log_bound(out, constant, slope, radius, precision);
        arb_exp(out, out, precision);
    }
    void on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                      long precision) const override {
        Real constant;
        Real slope;
        split(constant, slope, centre, precision);
        Complex complex_slope;
        acb_set_arb(complex_slope, slope);
        arb::quadratic_on_rectangle(out, constant, complex_slope, offset, precision);
    }

private:
    static void split(Real& constant, Real& slope, const Real& x, long precision) {
        arb_sub_ui(slope, x, 1, precision);
        arb_neg(slope, slope);
        arb_sqr(constant, slope, precision);
        arb_mul_2exp_si(constant, constant, -1);
        arb_neg(constant, constant);
    }
};

arb::Effort effort(long evaluations) {
    return {.precision = 192,
            .box_precision = 64,
            .goal = 150,
            .log_scale = 0.0,
            .evaluations = evaluations};
}

}  // namespace

TEST_CASE("the integral of a bell curve is a difference of error functions", "[arb]") {
    bool exhausted = true;
    const Real value =
        arb::integrate(Bell(), {Real(-2.0), Real(1.0), Real(4.0)}, effort(100000), exhausted);
    const Interval expected = sqrt(Interval::pi(256) * 2.0) *
                              (normal_cdf(Interval(3.0, 256)) - normal_cdf(Interval(-3.0, 256)));
    CHECK_FALSE(exhausted);
    CHECK(overlap(arb::to_interval(value, 192), expected));
    CHECK(arb::relative_error_exponent(value) < -140);
}

TEST_CASE("without evaluations the enclosure is wide but right", "[arb]") {
    bool exhausted = false;
    const Real value = arb::integrate(Bell(), {Real(-20.0), Real(22.0)}, effort(12), exhausted);
    CHECK(exhausted);
    const Interval root = sqrt(Interval::pi(256) * 2.0);
    CHECK(arb::contains(arb::to_interval(value, 128), Interval::between(root * 0.999999, root)));
}

TEST_CASE("quadratic exponents are bounded on segments and rectangles", "[arb]") {
    for (const double slope : {-7.0, -0.5, 0.0, 0.75, 3.0})
        for (const double radius : {0.125, 1.0, 4.0}) {
            Real bound;
            arb::quadratic_log_bound(bound, Real(0.25), Real(slope), Real(radius), 64);
            Complex offset;
            mag_set_d(arb_radref(offset.real()), radius);
            mag_set_d(arb_radref(offset.imaginary()), radius / 2);
            Complex box;
            Complex complex_slope;
            acb_set_d(complex_slope, slope);
            arb::quadratic_on_rectangle(box, Real(0.25), complex_slope, offset, 64);
            double largest = -1e300;
            for (int i = -16; i <= 16; ++i) {
                const double x = radius * i / 16;
                const double y = radius / 2 * i / 16;
                largest = std::max(largest, 0.25 + slope * x - x * x / 2);
                CAPTURE(slope, radius, i);
                // At x + iy and at x - i radius/2.
                for (const double v : {y, -radius / 2}) {
                    const double modulus =
                        std::exp(0.25 + slope * x - x * x / 2 + v * v / 2) * (1 - 1e-12);
                    const double angle = slope * v - x * v;
                    Complex point;
                    acb_set_d_d(point, modulus * std::cos(angle), modulus * std::sin(angle));
                    CHECK(acb_contains(box, point) != 0);
                }
            }
            CHECK(arb::to_double(bound) >= largest - 1e-12);
            CHECK(arb::to_double(bound) <= largest + radius * radius / 64 + 1e-12);
        }
}
