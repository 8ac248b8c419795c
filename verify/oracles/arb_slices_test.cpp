#include "verify/oracles/arb_slices.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::Real;

TEST_CASE("an integral over slices is bounded on segments and enclosed on rectangles", "[arb]") {
    static constexpr double alpha = 3.5;
    static constexpr double q = 0.25;
    arb::PlanarShifts shifts;
    arb_set_d(shifts.along, -0.75);
    arb_set_d(shifts.across, 1.25);
    arb_set_d(shifts.length, 1.5);
    const arb::Box box(alpha, shifts, -60.0, 96);
    const arb::Slices slices(alpha, q, shifts, box, 50, 128);
    const auto value = [](std::complex<double> x) {
        std::complex<double> sum = 0.0;
        constexpr double step = 0.0625;
        for (int i = -400; i <= 400; ++i) {
            const double y = step * i;
            const auto p =
                1 - q + q * std::exp(-0.75 * x - 0.75 * 0.75 / 2 + 1.25 * y - 1.25 * 1.25 / 2);
            sum += step * std::exp(alpha * std::log(p) - y * y / 2);
        }
        const auto density = 1 - q + q * std::exp(1.5 * x - 1.5 * 1.5 / 2);
        return sum * std::exp(-x * x / 2.0 + (1 - alpha) * std::log(density));
    };
    for (const double centre : {-3.0, 0.25, 2.0})
        for (const double radius : {0.05, 0.5}) {
            CAPTURE(centre, radius);
            CHECK(arb::encloses(slices, value, centre, radius));
        }
    CHECK_FALSE(slices.exhausted());
}

TEST_CASE("no slice value where a density may be negative", "[arb]") {
    arb::PlanarShifts shifts;
    arb_set_d(shifts.along, 2.0);
    arb_set_d(shifts.across, 1.0);
    const arb::Box box(2.5, shifts, -60.0, 96);
    const arb::Slices slices(2.5, 0.25, shifts, box, 30, 96);
    arb::Complex offset;
    mag_set_d(arb_radref(offset.real()), 0.01);
    for (const double reach : {1.0, 1.6}) {  // pi/2 lies between
        mag_set_d(arb_radref(offset.imaginary()), reach);
        arb::Complex out;
        slices.on_rectangle(out, Real(1.0), offset, 64);
        CHECK((acb_is_finite(out) != 0) == (reach < 1.5));
    }
}

TEST_CASE("the bound outside a box holds for a one-dimensional tail", "[arb]") {
    // u = (a, 0), v = 0: E[X^alpha; z > b] = e^K Phi(alpha a - b).
    arb::PlanarShifts shifts;
    arb_set_d(shifts.along, 1.5);
    for (const double wanted : {-1.0, -10.0, -100.0}) {
        const arb::Box box(2.0, shifts, wanted, 96);
        const Interval tail =
            exp(Interval(2.25, 200)) * normal_cdf(Interval(3.0, 200) - Interval(box.high[0], 200));
        CHECK(certainly_at_most(tail, arb::to_interval(box.left_out, 100)));
        CHECK(arb::to_double(box.left_out) < std::exp(wanted));
        CHECK(box.low[0] < -1);
    }
}
