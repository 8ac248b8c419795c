#include "experiments/claims.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "assay/numeric/errors.hpp"

using namespace assay;

namespace {

std::vector<Claim> example_claims() {
    return {{.id = "one",
             .paper = "birrell2024",
             .where = "Sec 3.2",
             .statement = "a factor of 4 at leading order",
             .found = 4.0 / 3.0,
             .verdict = Verdict::differs,
             .basis = {.criterion = "below 1.25", .details = {"σ = 1: 1.5", "σ = 6: 1.2"}}},
            {.id = "two",
             .paper = "mironov2019",
             .where = "Fig 1",
             .statement = "Thm 11's \"range\"",
             .found = "α in [1, 12]",
             .verdict = Verdict::reproduced},
            {.id = "three",
             .paper = "mironov2019",
             .where = "Fig 1",
             .statement = "not zCDP",
             .found = std::numeric_limits<double>::infinity(),
             .verdict = Verdict::undecidable,
             .basis = {.would_decide = "100 runs, an hour"}}};
}

}  // namespace

TEST_CASE("claims survive a round trip", "[record]") {
    CHECK(claims_from_json(claims_to_json(example_claims()), "claims.json") == example_claims());
    CHECK(claims_from_json(claims_to_json({}), "claims.json").empty());
}

TEST_CASE("members that say nothing are not written", "[record]") {
    const std::string text = claims_to_json({example_claims()[1]});
    for (const char* key : {"criterion", "details", "would_decide"})
        CHECK_THAT(text, !Catch::Contains(key));
}

TEST_CASE("verdicts are counted", "[record]") {
    CHECK(count_verdicts(example_claims()) == "1 reproduced, 1 differs, 1 undecidable");
    CHECK(count_verdicts({}) == "no claim");
    CHECK(decide(true) == Verdict::reproduced);
    CHECK(decide(false) == Verdict::differs);
}

TEST_CASE("a claim that says nothing is refused", "[record]") {
    auto claims = example_claims();
    claims[1].id = "one";
    CHECK_THROWS_AS(claims_to_json(claims), DomainError);
    claims = example_claims();
    claims[0].where.clear();
    CHECK_THROWS_AS(claims_to_json(claims), DomainError);
    claims = example_claims();
    claims[0].found = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(claims_to_json(claims), DomainError);
}

TEST_CASE("a file that is no list of claims is refused by name", "[record]") {
    for (const char* text : {"", "{", "[{}]", "[1]", R"([{"id": 1}])"})
        CHECK_THROWS_WITH(claims_from_json(text, "claims.json"),
                          Catch::StartsWith("claims.json: "));
    auto text = claims_to_json(example_claims());
    text.replace(text.find("differs"), 7, "perhaps");
    CHECK_THROWS_WITH(claims_from_json(text, "claims.json"), Catch::Contains("perhaps"));
}
