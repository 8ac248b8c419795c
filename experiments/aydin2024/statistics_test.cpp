#include "experiments/aydin2024/statistics.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using namespace assay::experiments::aydin2024;

TEST_CASE("a box plot leaves outliers beyond its whiskers", "[figures]") {
    const Box box = box_of({9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 100.0});
    CHECK(box.median == 4.0);
    CHECK(box.lower_quartile == 2.5);
    CHECK(box.upper_quartile == 7.0);
    CHECK(box.whisker_low == 1.0);
    CHECK(box.whisker_high == 9.0);
    CHECK(box_of({2.0}).whisker_high == 2.0);
}

TEST_CASE("columns have a mean and a deviation each", "[figures]") {
    const std::vector<std::vector<double>> rows{{1.0, 5.0}, {3.0, 5.0}};
    const auto found = spreads(rows);
    REQUIRE(found.size() == 2);
    CHECK(found[0].mean == 2.0);
    CHECK(found[0].deviation == Approx(std::sqrt(2.0)));
    CHECK(found[1].deviation == 0.0);
    const std::vector<std::int64_t> numbers{1, 100};
    CHECK(logarithms(numbers)[0] == 0.0);
    CHECK(logarithms(numbers)[1] == Approx(4.605170185988092));
}
