#include "verify/oracles/arb_half_moment.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::Real;

TEST_CASE("half moments are bounded on segments and enclosed on rectangles", "[arb]") {
    for (const bool right : {false, true})
        for (const double c : {0.05, 1.5})
            for (const long j : {1L, 5L})
                for (const double radius : {0.05, 0.5}) {
                    const arb::HalfMoment half(Real(c), j, right);
                    const double centre = c / 2 + (right ? 1.0 : -2.0);
                    const auto value = [&](std::complex<double> z) {
                        const std::complex<double> t = c * z - c * c / 2;
                        return std::exp(-z * z / 2.0) *
                               std::pow(right ? std::exp(t) - 1.0 : 1.0 - std::exp(t), j);
                    };
                    CAPTURE(right, c, j, radius);
                    CHECK(arb::encloses(half, value, centre, radius));
                    CHECK(half.approximate_log(centre) ==
                          Approx(std::log(value(centre).real())).epsilon(1e-9));
                }
}
