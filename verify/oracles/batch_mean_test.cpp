#include "verify/oracles/batch_mean.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

TEST_CASE("two gradients, by hand") {
    // a = (0, 2), B = 1. Poisson at 1/2: Z = 0, 0, 2, 2; the others: Z = 0 or 2.
    const std::array<double, 2> a{0.0, 2.0};
    for (const auto& batch :
         {enumerated_poisson(a, 1), enumerated_subsets(a, 1), enumerated_draws(a, 1)}) {
        CHECK(agrees(batch.mean, "1"));
        CHECK(agrees(batch.variance, "1"));
    }
    CHECK(agrees(enumerated_draws(a, 2).variance, "0.5"));
    CHECK(enumerated_subsets(a, 2).variance.is_zero());
}

TEST_CASE("five gradients agree with shared values") {
    // Computed independently with 60+ digits (mpmath).
    const std::array<double, 5> a{1, -2, 3.5, 0.25, 4};
    CHECK(agrees(enumerated_poisson(a, 2).variance, "1.99875"));
    CHECK(agrees(enumerated_draws(a, 2).variance, "2.42"));
    CHECK(agrees(enumerated_subsets(a, 2).variance, "1.815"));
    CHECK(agrees(enumerated_draws(a, 2).mean, "1.35"));
}

TEST_CASE("equal gradients have no variance, whatever their digits") {
    const std::array<double, 3> a{0.1, 0.1, 0.1};
    CHECK(enumerated_draws(a, 2).variance.is_zero());
    CHECK(enumerated_subsets(a, 2).variance.is_zero());
    CHECK(enumerated_poisson(a, 3).variance.is_zero());
}
