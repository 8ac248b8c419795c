#include "verify/oracles/integer_order_binomial.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

// Truth: E[(1-q+qX)^alpha] by the trapezoid rule, computed independently with 60+ digits (mpmath).

TEST_CASE("binomial sums agree with the integral") {
    const auto oracles = integer_order_binomial_oracles();
    const Oracle fixed = oracle_named(oracles, "exact.fixed_size_without_replacement");
    const Oracle poisson = oracle_named(oracles, "exact.poisson_add_remove");
    const Oracle series = oracle_named(oracles, "mironov2019.fractional_series");
    for (const long bits : {64, 256}) {
        CHECK(agrees(fixed.evaluate({{"alpha", 5}, {"sigma", 2}, {"q", 0.125}}, bits),
                     "0.2357101452124244826586034673805", bits));
        const Point point{{"alpha", 3}, {"s", 0.5}, {"q", 0.25}};
        CHECK(agrees(poisson.evaluate(point, bits), "3.9222311329164315860339363595626", bits));
        CHECK(agrees(series.evaluate(point, bits), "3.9222311329164315860339363595626", bits));
    }
}

TEST_CASE("a divergence of 1e-26 keeps its digits") {
    const Oracle fixed =
        oracle_named(integer_order_binomial_oracles(), "exact.fixed_size_without_replacement");
    CHECK(agrees(fixed.evaluate({{"alpha", 3}, {"sigma", 1e4}, {"q", 0x1p-30}}, 128),
                 "5.2041705320138314234934599041647e-26", 128));
}

TEST_CASE("nothing sampled means no divergence at all") {
    const auto oracles = integer_order_binomial_oracles();
    CHECK(oracle_named(oracles, "exact.poisson_add_remove")
              .evaluate({{"alpha", 7}, {"s", 1}, {"q", 0}}, 64)
              .is_zero());
}

TEST_CASE("q close to 1 is close to the plain Gaussian and below it") {
    const Oracle fixed =
        oracle_named(integer_order_binomial_oracles(), "exact.fixed_size_without_replacement");
    const Interval answer =
        fixed.evaluate({{"alpha", 10000}, {"sigma", 0.5}, {"q", 1 - 0x1p-53}}, 64);
    CHECK(certainly_below(answer, Interval(2 * 10000 / 0.25, 64)));
    CHECK(answer.lower_double() > 2 * 10000 / 0.25 - 1e-9);
}

TEST_CASE("binomial sums cover integers only") {
    for (const Oracle& oracle : integer_order_binomial_oracles()) {
        CHECK(oracle.covers({{"alpha", 2}}));
        CHECK_FALSE(oracle.covers({{"alpha", 2.5}}));
    }
}
