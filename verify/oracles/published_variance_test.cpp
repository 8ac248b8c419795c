#include "verify/oracles/published_variance.hpp"

#include <array>
#include <vector>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

TEST_CASE("variances of a minibatch gradient agree with shared values") {
    // Computed independently with 60+ digits (mpmath); all these entries are doubles.
    const std::array<double, 5> a{1, -2, 3.5, 0.25, 4};
    for (const long bits : {64, 256}) {
        CHECK(agrees(variance_poisson(a, 2, bits), "1.99875", bits));
        CHECK(agrees(variance_with_replacement(a, 2, bits), "2.42", bits));
        CHECK(agrees(variance_without_replacement(a, 2, bits), "1.815", bits));
    }
}

TEST_CASE("a small spread around a large mean keeps its digits") {
    // Mean 2^30 + 1/2, deviations 1/2: sum of squares 1/2.
    const std::array<double, 2> a{0x1p30, 0x1p30 + 1};
    CHECK(agrees(variance_with_replacement(a, 1, 64), "0.25"));
    CHECK(agrees(variance_without_replacement(a, 1, 64), "0.25"));
}

TEST_CASE("variances that vanish are exactly zero") {
    const std::array<double, 3> equal{0.1, 0.1, 0.1};
    const std::array<double, 3> mixed{0.1, 0.2, 0.3};
    CHECK(variance_with_replacement(equal, 2, 64).is_zero());
    CHECK(variance_without_replacement(equal, 2, 64).is_zero());
    CHECK(variance_without_replacement(mixed, 3, 64).is_zero());
    CHECK(variance_poisson(mixed, 3, 64).is_zero());
    CHECK(variance_poisson(std::vector<double>(4, 0.0), 2, 64).is_zero());
    CHECK(variance_poisson(equal, 2, 64).is_positive());
}
