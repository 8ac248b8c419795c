#include "verify/rows.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "assay/numeric/errors.hpp"

using namespace assay::verify;

TEST_CASE("every row is named once and says what it claims", "[rows]") {
    std::set<std::string> ids;
    int controls = 0;
    for (const Check& row : all_rows()) {
        INFO(row.id);
        CHECK(ids.insert(row.id).second);
        CHECK(row.id.find_first_of(", \n") == std::string::npos);
        CHECK_FALSE(row.claim.empty());
        CHECK_FALSE(row.subject.empty());
        CHECK_FALSE(row.oracle.empty());
        CHECK_FALSE(row.space.dimensions.empty());
        CHECK(row.full_points >= row.quick_points);
        CHECK((row.kind == Kind::control) == row.id.starts_with("control."));
        controls += row.kind == Kind::control ? 1 : 0;
        (void)draw(row.space, 1, row.id, 0);
    }
    CHECK(controls >= 30);
}

TEST_CASE("rows are chosen by patterns", "[rows]") {
    CHECK(rows_matching({}).size() == all_rows().size());
    const auto exact = rows_matching({"exact.*"});
    CHECK_FALSE(exact.empty());
    for (const Check& row : exact) CHECK(row.id.starts_with("exact."));
    CHECK_THROWS_AS(rows_matching({"no such row"}), assay::Error);
}
