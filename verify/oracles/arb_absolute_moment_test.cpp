#include "verify/oracles/arb_absolute_moment.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;

// Computed independently with 70 digits (mpmath quadrature), at these doubles.
TEST_CASE("odd absolute moments agree with high precision quadrature", "[arb]") {
    CHECK(arb::agrees(arb::log_absolute_moment(6, 3, 128),
                      "-2.56966260356642191803213956897229817584069725"));
    CHECK(arb::agrees(arb::log_absolute_moment(1, 7, 128),
                      "83.9999999997357405834995841019454609259155574"));
    CHECK(arb::agrees(arb::log_absolute_moment(100, 5, 128),
                      "-17.7012203968281081642710817450115497456872148"));
}

TEST_CASE("the first moment is four normal probabilities", "[arb]") {
    // E|X-1| = 2 (2 Phi(c/2) - 1).
    for (const double sigma : {0.05, 0.75, 30.0, 1e4}) {
        const Interval x = arb::log_absolute_moment(sigma, 1, 100);
        const Interval half = Interval(1.0, 300) / sigma;
        CAPTURE(sigma);
        CHECK(overlap(x, log((normal_cdf(half) * 2.0 - 1.0) * 2.0)));
        CHECK(x.relative_width() < 0x1p-99);
    }
}

TEST_CASE("even powers are alternating sums", "[arb]") {
    // E(X-1)^j = sum_i (-1)^(j-i) C(j,i) e^{i(i-1)c^2/2}.
    for (const long j : {2L, 4L, 20L})
        for (const double sigma : {0.5, 4.0, 500.0}) {
            constexpr long bits = 900;
            Interval sum(0.0, bits);
            Interval binomial(1.0, bits);
            for (long i = 0; i <= j; ++i) {
                const auto n = static_cast<double>(i);
                const Interval term =
                    binomial * exp(square(Interval(2.0, bits) / sigma) * (n * (n - 1) / 2));
                if ((j - i) % 2 == 0)
                    sum += term;
                else
                    sum -= term;
                binomial = binomial * static_cast<double>(j - i) / (n + 1);
            }
            const Interval x = arb::log_absolute_moment(sigma, j, 100);
            CAPTURE(j, sigma);
            CHECK(overlap(x, log(sum)));
            CHECK(x.relative_width() < 0x1p-99);
        }
}
