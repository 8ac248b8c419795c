#include "verify/hunt.hpp"

#include <catch2/catch.hpp>

#include "verify/test_rows.hpp"

using namespace assay::verify;
using namespace assay::verify::testing;

TEST_CASE("a hunt finds a narrow violation that lies where the margin falls", "[hunt]") {
    Check row = square_row(0.0, Relation::at_least);
    row.evaluate = [](const Point&) { return assay::exactly(99.0); };  // violated for x > 9.9499
    HuntOptions options;
    options.budget = 20.0;
    const Hunt found = hunt(row, options);
    REQUIRE(found.smallest);
    CHECK(found.smallest->point["x"] == 10.0);
}

TEST_CASE("a hunt without a violation reports the closest point", "[hunt]") {
    Check row = square_row(0.0, Relation::at_least);
    row.evaluate = [](const Point&) { return assay::exactly(101.0); };
    HuntOptions options;
    options.budget = 0.2;
    const Hunt found = hunt(row, options);
    CHECK_FALSE(found.smallest);
    REQUIRE(found.closest);
    CHECK(found.closest->margin > 0.0);
    CHECK(found.points > 0);
}
