#include "verify/oracles/balls_and_bins_order_mean.hpp"

#include <catch2/catch.hpp>

using namespace assay::verify;

TEST_CASE("means of few normals are known in closed form", "[balls_and_bins]") {
    const Interval pi = Interval::pi(200);
    for (const long bits : {64, 128}) {
        CHECK(overlap(mean_of_normal_order(1, 1, bits), Interval(0.0, 64)));
        CHECK(overlap(mean_of_normal_order(2, 1, bits), 1.0 / sqrt(pi)));
        CHECK(overlap(mean_of_normal_order(3, 1, bits), 3.0 / (2.0 * sqrt(pi))));
        CHECK(mean_of_normal_order(3, 1, bits).relative_width() < 1e-17);
    }
}

TEST_CASE("the k-th largest mirrors the k-th smallest", "[balls_and_bins]") {
    for (const long R : {5L, 50L})
        for (const long k : {1L, 2L, R / 2})
            CHECK(overlap(mean_of_normal_order(R, k, 64), -mean_of_normal_order(R, R + 1 - k, 64)));
}

TEST_CASE("the means of all ranks add to zero", "[balls_and_bins]") {
    Interval sum(0.0, 64);
    for (long k = 1; k <= 10; ++k) sum += mean_of_normal_order(10, k, 64);
    CHECK(overlap(sum, Interval(0.0, 64)));
    CHECK(sum.upper_double() < 1e-17);
}
