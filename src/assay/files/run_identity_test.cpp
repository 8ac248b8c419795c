#include "assay/files/run_identity.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("two runs differ by the fields that differ or are missing", "[files]") {
    const RunIdentity there{{"noise", "0.4"}, {"seed", "17"}};
    CHECK(differences(there, there).empty());
    CHECK(differences(there, {{"noise", "0.5"}, {"seed", "17"}}) == "noise 0.4 there, 0.5 here");
    CHECK(differences(there, {{"noise", "0.4"}}) == "seed 17 there, none here");
    CHECK(differences({{"noise", "0.4"}}, there) == "seed none there, 17 here");
}

TEST_CASE("a field that would not read back is refused", "[files]") {
    CHECK_NOTHROW(require_readable({"name", "a value of one line"}));
    for (const RunField& field :
         {RunField{"two words", "1"}, RunField{"", "1"}, RunField{"name", "two\nlines"}})
        CHECK_THROWS_AS(require_readable(field), DomainError);
}
