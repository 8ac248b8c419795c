#include "verify/oracles/arb_lognormal_sum.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/balls_and_bins_epoch.hpp"
#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval evaluate(std::string_view quantity, double T, double sigma, double eps, long bits) {
    return oracle_named(arb::lognormal_sum_oracles(), quantity)
        .evaluate({{"T", T}, {"sigma", sigma}, {"eps", eps}}, bits);
}

}  // namespace

TEST_CASE("a batch is a Gaussian step in both directions by Arb", "[arb_lognormal_sum]") {
    for (const char* quantity : {"balls_and_bins.delta_remove", "balls_and_bins.delta_add"})
        CHECK(agrees(evaluate(quantity, 1, 2, 0.125, 128), "0.15038116527960193017224876457853"));
}

TEST_CASE("integrals over normals meet those over shares", "[arb_lognormal_sum]") {
    for (const double sigma : {0.4, 1.0, 3.0})
        for (const double k : {0.02, 1.0, 9.0}) {
            CAPTURE(sigma, k);
            const Interval threshold(k, 200);
            for (const long T : {1L, 2L}) {
                const Interval here = arb::lognormal_shortfall(T, threshold, sigma, 60);
                CHECK(overlap(here, sum_shortfall(T, threshold, Interval(sigma, 200), 60)));
                CHECK(mpfr_cmp_d(((here - here) / threshold).upper(), 1e-16) < 0);
            }
        }
}

TEST_CASE("three summands in both orders of integration", "[arb_lognormal_sum]") {
    const Interval threshold(3.5, 120);
    const Interval here = arb::lognormal_shortfall(3, threshold, 1.5, 30);
    CHECK(overlap(here, sum_shortfall(3, threshold, Interval(1.5, 120), 40)));
    CHECK(here.relative_width() < 1e-7);
}
