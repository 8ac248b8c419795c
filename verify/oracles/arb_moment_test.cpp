#include "verify/oracles/arb_moment.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/arb_test_tools.hpp"

using namespace assay::verify;
using arb::Pair;

namespace {

/// log of sum_k C(n,k) q^k (1-q)^(n-k) e^{k(k-1)u^2/2} over n-1: an integer order, shift u =
/// p/sigma.
Interval binomial_sum(long order, double sigma, double p, double q) {
    constexpr long bits = 700;
    const Interval probability(q, bits);
    const Interval square_shift = square(Interval(p, bits) / sigma);
    Interval sum(0.0, bits);
    Interval binomial(1.0, bits);
    for (long k = 0; k <= order; ++k) {
        const auto i = static_cast<double>(k);
        sum += binomial * power(probability, k) * power(1.0 - probability, order - k) *
               exp(square_shift * (i * (i - 1) / 2));
        binomial = binomial * static_cast<double>(order - k) / (i + 1);
    }
    return log(sum) / static_cast<double>(order - 1);
}

}  // namespace

TEST_CASE("integer orders agree with the binomial sum", "[arb]") {
    for (const long order : {2L, 3L, 17L, 64L})
        for (const double sigma : {0.5, 6.0, 200.0})
            for (const double q : {1e-7, 0.0024, 0.5, 0.999}) {
                const Interval x =
                    arb::divergence({static_cast<double>(order), sigma, 2.0, 0.0, q}, 100);
                CAPTURE(order, sigma, q);
                CHECK(overlap(x, binomial_sum(order, sigma, 2.0, q)));
                CHECK(x.relative_width() < 0x1p-99);
            }
}

TEST_CASE("with replacement at order 2 is a sum over the first draw", "[arb]") {
    // E[V^2] = sum_n a_n (1 - 1/D + e^{n c^2}/D)^B.
    constexpr long bits = 500;
    for (const double sigma : {2.0, 9.0}) {
        const long draws = 40;
        const Interval p = Interval(1.0, bits) / 90.0;
        Interval sum(0.0, bits);
        Interval binomial(1.0, bits);
        for (long n = 0; n <= draws; ++n) {
            const auto i = static_cast<double>(n);
            const Interval growth = exp(square(Interval(2.0, bits) / sigma) * i);
            sum += binomial * power(p, n) * power(1.0 - p, draws - n) *
                   power(1.0 - p + p * growth, draws);
            binomial = binomial * static_cast<double>(draws - n) / (i + 1);
        }
        const Interval x = arb::divergence({2.0, sigma, 2.0, 0.0, 0.0, 40.0, 90.0}, 100);
        CHECK(overlap(x, log(sum)));
        CHECK(x.relative_width() < 0x1p-99);
    }
}

// Computed independently with 70 digits (mpmath quadrature), at these doubles.
TEST_CASE("fractional orders agree with high precision quadrature", "[arb]") {
    const auto check = [](const Pair& pair, const char* digits) {
        CAPTURE(pair.alpha, pair.sigma, pair.p, pair.r);
        CHECK(arb::agrees(arb::divergence(pair, 128), digits));
    };
    check({2.5, 6, 2, 0, .0024}, "8.46260696078791858724149622149310705054674117e-7");
    check({10.9, 1, 0, 2, .3}, "0.289634554318864856960847246866702972487518987");
    check({4.25, 1.5, 1, -1, .3}, "0.345717265568766757597199791417988421658960079");
    check({8, 2, 2 * .9, 2 * .4, .1}, "0.107704746224520890026789189269300258878944982");
    check({4.5, 6, 1.5, -.5, .0024}, "0.00000146115605329328883355763571247752806256884206");
    check({1.25, 1000, 2, 0, 1e-6}, "2.5000049999991664095733952779529279542415034e-18");
    check({2.5, 4, 2, 0, 0, 20, 2000}, "0.0000356549773669349346047679228842165196573214075");
    check({6.5, 3, 0, 2, 0, 12, 48}, "0.0618517352179477190103974950598390100667434901");
}

TEST_CASE("what lies outside the range is in the radius", "[arb]") {
    for (const long goal : {1L, 2L, 4L, 8L, 16L})
        for (const Pair& pair :
             {Pair{1.5, 20, 2, 0, .01}, Pair{4, 1, 0, 2, .5}, Pair{3, 2, 1, -1, .2}}) {
            bool exhausted = false;
            const arb::Real rough = arb::moment(pair, false, 0.0, goal, exhausted);
            const arb::Real fine = arb::moment(pair, false, 0.0, 200, exhausted);
            CAPTURE(goal, pair.alpha);
            CHECK(arb::contains(arb::to_interval(rough, 64), arb::to_interval(fine, 200)));
        }
}

TEST_CASE("more bits give a narrower interval that meets the wider one", "[arb]") {
    const Pair pairs[] = {{1 + 1e-6, 1e4, 2, 0, 1e-9},
                          {1e4, 0.05, 2, 0, 1e-9},
                          {1e4, 100, 0, 2, 0.5},
                          {1 + 1e-6, 0.05, 1, -1, 1 - 1e-9},
                          {300.5, 0.7, 0.6, 1.7, 1e-3},
                          {256, 1, 2, 0, 0, 1500, 50000},
                          {1.001, 10, 0, 2, 0, 1000, 3000},
                          {5000.5, 3, 1, -1, 0.75}};
    for (const Pair& pair : pairs) {
        const Interval rough = arb::divergence(pair, 64);
        const Interval fine = arb::divergence(pair, 256);
        CAPTURE(pair.alpha, pair.sigma, pair.q, pair.draws);
        CHECK(rough.relative_width() < 0x1p-63);
        CHECK(fine.relative_width() < 0x1p-255);
        CHECK(overlap(rough, fine));
    }
}

TEST_CASE("one draw out of D is one record with probability 1 over D", "[arb]") {
    const Interval with = arb::divergence({3.5, 2, 2, 0, 0, 1, 64}, 100);
    const Interval without = arb::divergence({3.5, 2, 2, 0, 1.0 / 64}, 100);
    CHECK(overlap(with, without));
}

TEST_CASE(
    "equal distributions are at distance exactly 0 and normal distributions have their closed form",
    "[arb]") {
    CHECK(arb::divergence({2.5, 3, 2, 0, 0.0}, 64).is_zero());
    CHECK(arb::divergence({2.5, 3, 1.5, 1.5, 0.3}, 64).is_zero());
    const Interval x = arb::divergence({2.5, 4, 2, -1, 1.0}, 64);  // alpha (3/4)^2 / 2
    CHECK(x.lower_double() <= 0.703125);
    CHECK(x.upper_double() >= 0.703125);
    CHECK(x.relative_width() < 0x1p-60);
}

TEST_CASE("too many terms give a wide answer", "[arb]") {
    const Interval x = arb::divergence({1 + 0x1p-13, 2, 2, 0, 0, 4000, 3}, 256);
    CHECK(x.is_nonnegative());
    CHECK(x.upper_double() <= (1 + 0x1p-13) * 4000.0 * 4000.0 / 2 * (1 + 1e-12));
}
