#include "verify/point.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"

using namespace assay::verify;

TEST_CASE("a point reads back from its own text to the same doubles", "[point]") {
    const Point point{{"alpha", 1.0 + 1e-15}, {"sigma", 0.1}, {"m", 60.0}};
    CHECK(Point::parse(point.text()) == point);
    CHECK(Point::parse("sigma=20;q=0.3, m=60").text() == "sigma=20 q=0.3 m=60");
}

TEST_CASE("coordinates are found by name and integers are checked", "[point]") {
    Point point{{"m", 60.0}, {"q", 0.5}};
    CHECK(point.integer("m") == 60);
    CHECK_THROWS_AS(point.integer("q"), assay::Error);
    CHECK_THROWS_AS(point["sigma"], assay::Error);
    point.set("m", 3.0);
    CHECK(point["m"] == 3.0);
    CHECK(point.coordinates().size() == 2);
}

TEST_CASE("text that is no point is refused", "[point]") {
    for (const char* text : {"alpha", "=3", "alpha=", "alpha=x", "alpha=1e", "alpha=nan"}) {
        INFO(text);
        CHECK_THROWS_AS(Point::parse(text), assay::Error);
    }
    CHECK(Point::parse("").coordinates().empty());
}
