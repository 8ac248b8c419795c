#include "verify/oracles/arb_likelihood.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::LikelihoodMoment;
using arb::Mixture;
using arb::Real;
using Value = std::complex<double>;

namespace {

Value two_point(double q, double shift, Value z) {
    return 1 - q + q * std::exp(shift * z - shift * shift / 2);
}

}  // namespace

TEST_CASE("a likelihood moment is bounded on segments and enclosed on rectangles", "[arb]") {
    for (const double alpha : {1.25, 9.0})
        for (const double centre : {-2.0, 0.5, 6.0})
            for (const double radius : {0.02, 0.25}) {
                const LikelihoodMoment moment(alpha, Mixture::two_point(0.3, Real(1.5), 128),
                                              Mixture::two_point(0.3, Real(-0.75), 128));
                const auto value = [alpha](Value z) {
                    return std::exp(-z * z / 2.0 + alpha * std::log(two_point(0.3, 1.5, z)) +
                                    (1 - alpha) * std::log(two_point(0.3, -0.75, z)));
                };
                CAPTURE(alpha, centre, radius);
                CHECK(arb::encloses(moment, value, centre, radius));
                CHECK(moment.approximate_exponent(centre) ==
                      Approx(std::log(value(centre).real())).epsilon(1e-12));
            }
}

TEST_CASE("one density alone is bounded and enclosed", "[arb]") {
    for (const double centre : {-4.0, 0.5, 2.0}) {
        const LikelihoodMoment above(4.5, Mixture::two_point(0.1, Real(2.0), 128), std::nullopt);
        const LikelihoodMoment below(4.5, std::nullopt, Mixture::two_point(0.1, Real(2.0), 128));
        CAPTURE(centre);
        CHECK(arb::encloses(
            above,
            [](Value z) { return std::exp(-z * z / 2.0 + 4.5 * std::log(two_point(.1, 2, z))); },
            centre, 0.2));
        CHECK(arb::encloses(
            below,
            [](Value z) { return std::exp(-z * z / 2.0 - 3.5 * std::log(two_point(.1, 2, z))); },
            centre, 0.2));
    }
}

TEST_CASE("a rectangle around a zero of either density has no value", "[arb]") {
    // 1 - q + q e^{uz - u^2/2} vanishes at height pi/u.
    const double height = std::acos(-1.0) / 2.0;
    const double centre = 1.0 + std::log(9.0) / 2.0;
    arb::Complex offset;
    mag_set_d(arb_radref(offset.real()), 0.02);
    for (const double reach : {0.4 * height, 1.01 * height}) {
        mag_set_d(arb_radref(offset.imaginary()), reach);
        const LikelihoodMoment above(2.5, Mixture::two_point(0.1, Real(2.0), 128), std::nullopt);
        const LikelihoodMoment below(2.5, std::nullopt, Mixture::two_point(0.1, Real(2.0), 128));
        arb::Complex out;
        above.on_rectangle(out, Real(centre), offset, 64);
        CHECK((acb_is_finite(out) != 0) == (reach < height));
        below.on_rectangle(out, Real(centre), offset, 64);
        CHECK((acb_is_finite(out) != 0) == (reach < height));
    }
}
