#include "experiments/aydin2024/statistics.hpp"

#include <array>
#include <catch2/catch.hpp>

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

TEST_CASE("the sign test counts pairs and leaves ties out", "[figures]") {
    SignTest test;
    const std::array<double, 11> low{0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1};
    const std::array<double, 11> high{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    test.add(low, high);
    test.decide();
    CHECK(test.smaller == 9);
    CHECK(test.larger == 1);
    CHECK(test.p == Approx(22.0 / 1024.0));  // 2 (C(10,0) + C(10,1)) / 2^10
    SignTest even;
    even.add(std::array{0.0, 1.0}, std::array{1.0, 0.0});
    even.decide();
    CHECK(even.p == 1.0);
}
