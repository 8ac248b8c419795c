#include "assay/numeric/bisect.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("bisection ends on both sides of the change", "[bisect]") {
    const auto is_high = [](double x) { return x * x >= 2.0; };
    const Bisected<double> coarse = bisect(0.0, 2.0, 1e-3, is_high);
    CHECK(coarse.low < std::sqrt(2.0));
    CHECK(coarse.high >= std::sqrt(2.0));
    CHECK(coarse.high - coarse.low <= 1e-3 * coarse.high);
    CHECK(coarse.high - coarse.low > 0.49e-3 * coarse.high);
    // Without a width, neighbouring doubles.
    const Bisected<double> fine = bisect(0.0, 2.0, 0.0, is_high);
    CHECK(std::nextafter(fine.low, 2.0) == fine.high);
    CHECK_FALSE(is_high(fine.low));
    CHECK(is_high(fine.high));
    CHECK(bisect(0.0, 2.0, 0.0, is_high, 1).low == 1.0);
    CHECK(bisect(0.0, 2.0, 0.0, is_high, 0).high == 2.0);
}
