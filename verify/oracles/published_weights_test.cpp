#include "verify/oracles/published_weights.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_refine.hpp"

using namespace assay::verify;

TEST_CASE("binomial weights of three draws from four records") {
    // Bin(n; 3, 1/4) = 27/64, 27/64, 9/64, 1/64.
    const auto weights = copy_weights(3, 4, 3, 100);
    const double expected[] = {27.0 / 64, 27.0 / 64, 9.0 / 64, 1.0 / 64};
    for (long n = 0; n <= 3; ++n) {
        CHECK(overlap(weights[static_cast<std::size_t>(n)], Interval(expected[n], 100)));
        CHECK(overlap(copy_weight(3, 4, n, 100), Interval(expected[n], 100)));
        CHECK(weights[static_cast<std::size_t>(n)].relative_width() < 1e-28);
    }
}

TEST_CASE("weights by recurrence and by product agree and add up to one") {
    const auto weights = copy_weights(90, 1000000007, 90, 200);
    Interval sum(0.0, 200);
    for (long n = 0; n <= 90; ++n) {
        CHECK(overlap(weights[static_cast<std::size_t>(n)], copy_weight(90, 1000000007, n, 200)));
        sum += weights[static_cast<std::size_t>(n)];
    }
    CHECK(overlap(sum, Interval(1.0, 200)));
    CHECK(sum.relative_width() < 1e-50);
}

TEST_CASE("a dataset of one record is always drawn") {
    const auto weights = copy_weights(3, 1, 3, 100);
    CHECK(weights[0].is_zero());
    CHECK(overlap(weights[3], Interval(1.0, 100)));
    CHECK(copy_weight(3, 1, 2, 100).is_zero());
}

TEST_CASE("too many weights are refused") {
    CHECK_THROWS_AS(copy_weights(1000000000, 2000000000, 1000000000, 128), Unaffordable);
}
