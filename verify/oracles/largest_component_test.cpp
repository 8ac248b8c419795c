#include "verify/oracles/largest_component.hpp"

#include <catch2/catch.hpp>

namespace assay::verify::component {

namespace {

void check_contains(const Interval& x, double value) {
    CHECK(x.lower_double() <= value);
    CHECK(x.upper_double() >= value);
}

}  // namespace

TEST_CASE("inequalities contain integrals computed with mpmath", "[verify]") {
    // alpha = 3, shift 4, q = 1/8; with replacement alpha = 3, sigma = 1/2, 2 draws out of 5.
    check_contains(removal(3.0, 0.5, 2.0, 0.125, 64), 20.8808376874803790817);
    check_contains(addition(3.0, 0.5, 2.0, 0.125, 64), 0.123977149235437666660);
    check_contains(replacement(3.0, 0.25, 0.125, 64), 21.0143690801049017048);
    check_contains(with_replacement(3.0, 0.5, 2, 5, 64), 91.1716862626976988762);
}

TEST_CASE("inequalities are narrow where the largest shift decides", "[verify]") {
    CHECK(removal(3.0, 1e-3, 2.0, 0.125, 64).relative_width() < 0x1p-64);
    CHECK(addition(3.0, 1e-3, 2.0, 0.125, 64).relative_width() < 0x1p-64);
    CHECK(replacement(3.0, 1e-3, 0.125, 64).relative_width() < 0x1p-64);
    CHECK(with_replacement(3.0, 1e-3, 2, 5, 64).relative_width() < 0x1p-64);
    CHECK(removal(1e4, 1e-8, 1.0, 1e-12, 64).relative_width() < 0x1p-64);
}

}  // namespace assay::verify::component
