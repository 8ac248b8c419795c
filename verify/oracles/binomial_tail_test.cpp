#include "verify/oracles/binomial_tail.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

TEST_CASE("binomial tails with few outcomes are fractions") {
    // Bin(4, 1/4): masses (81, 108, 54, 12, 1) / 256.
    const BinomialSize quarter{4, 1.0, 4.0};
    for (const long bits : {64, 200}) {
        CHECK(agrees(binomial_mass(quarter, 0, bits), "0.31640625", bits));
        CHECK(agrees(binomial_mass(quarter, 2, bits), "0.2109375", bits));
        CHECK(agrees(binomial_mass(quarter, 4, bits), "0.00390625", bits));
        CHECK(agrees(binomial_tail(quarter, 0, bits), "0.68359375", bits));
        CHECK(agrees(binomial_tail(quarter, 1, bits), "0.26171875", bits));
        CHECK(agrees(binomial_tail(quarter, 3, bits), "0.00390625", bits));
    }
    CHECK(binomial_tail(quarter, 4, 64).is_zero());
    CHECK(agrees(binomial_tail({4, 0.25, 1.0}, 1, 64), "0.26171875"));
    CHECK(agrees(binomial_tail({4, 1.0, 1.0}, 3, 64), "1"));
    CHECK(binomial_tail({4, 0.0, 1.0}, 0, 64).is_zero());
}

TEST_CASE("masses add up to the tails, below and above the mode") {
    const BinomialSize distribution{300, 70.0, 300.0};
    for (const long threshold : {0L, 20L, 69L, 90L, 299L}) {
        Interval sum(0.0, 128);
        for (long k = threshold + 1; k <= 300; ++k) sum += binomial_mass(distribution, k, 128);
        CAPTURE(threshold);
        const Interval tail = binomial_tail(distribution, threshold, 96);
        CHECK(overlap(tail, sum));
        CHECK(tail.relative_width() < 0x1p-90);
    }
}

TEST_CASE("tails of large data are narrow") {
    const BinomialSize distribution{37'000'000, 262'144.0, 37'000'000.0};
    CHECK(binomial_tail(distribution, 266'475, 64).relative_width() < 0x1p-60);
    CHECK(binomial_tail({4'294'967'295, 1.0, 4'294'967'295.0}, 15, 64).relative_width() < 0x1p-60);
}

TEST_CASE("the smallest maximum does not depend on the guess") {
    const BinomialSize distribution{1000, 50.0, 1000.0};
    const long found = smallest_cut(distribution, 20, 1.0, 1e-6, 50, 60, 64);
    for (const long guess : {0L, 49L, 50L, 500L, 2000L, found, found + 1})
        CHECK(smallest_cut(distribution, 20, 1.0, 1e-6, 50, guess, 64) == found);
    CHECK(
        certainly_at_most(cut_batches_delta(distribution, 20, 1.0, found, 64), Interval(1e-6, 64)));
    CHECK(certainly_below(Interval(1e-6, 64),
                          cut_batches_delta(distribution, 20, 1.0, found - 1, 64)));
    CHECK(smallest_cut(distribution, 1, 0.0, 0.99999, 80, 80, 64) == 80);
}
