#include "verify/shrink.hpp"

#include <catch2/catch.hpp>

#include "verify/test_rows.hpp"

using namespace assay::verify;
using namespace assay::verify::testing;

TEST_CASE("a violation shrinks to the shortest decimals that still violate", "[shrink]") {
    Check row = square_row(0.0, Relation::at_least);
    row.space.dimensions.push_back({"n", Scale::linear, 1.0, 100.0, true, {}});
    // Wrong from x > 2 and n >= 7 on.
    row.evaluate = [](const Point& point) {
        const bool wrong = point["x"] > 2.0 && point["n"] >= 7.0;
        return assay::exactly(wrong ? 0.0 : 1000.0);
    };
    const Trial first = judge(row, {{"x", 7.123456789}, {"n", 61.0}});
    REQUIRE(first.verdict == Verdict::violated);
    const Trial small = shrunk(row, first);
    CHECK(small.verdict == Verdict::violated);
    CHECK(small.point["n"] == 7.0);
    CHECK((small.point["x"] == 3.0 || small.point["x"] == 10.0));
}

TEST_CASE("constraints are kept while shrinking", "[shrink]") {
    Check row = square_row(0.0, Relation::at_least);
    row.evaluate = [](const Point&) { return assay::exactly(0.0); };
    row.space.admits = [](const Point& point) { return point["x"] > 4.0; };
    CHECK(shrunk(row, judge(row, {{"x", 4.70123}})).point["x"] > 4.0);
}
