#include "experiments/provenance.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace assay;

TEST_CASE("a result tells where it comes from", "[record]") {
    Table table({{.name = "alpha", .unit = "1"},
                 {.name = "epsilon", .unit = "nats", .direction = Direction::upper}});
    table.add_series({.name = "exact",
                      .label = "exact curve",
                      .direction = Direction::upper,
                      .theorem = {"docs/proofs.md 1", Standing::ours}});
    const Claim claim{.id = "c",
                      .paper = "p",
                      .where = "w",
                      .statement = "s",
                      .found = 1.0,
                      .verdict = Verdict::reproduced};
    const Provenance provenance{.stem = "p/fig01",
                                .paper = "p",
                                .title = "A figure",
                                .notes = {"stand-in data"},
                                .parameters = R"({"q": 0.1})",
                                .seconds = 2.5,
                                .threads = 2};

    const auto json = nlohmann::json::parse(provenance_to_json(provenance, table, {claim}));
    CHECK(json.at("stem") == "p/fig01");
    CHECK(json.at("notes").at(0) == "stand-in data");
    CHECK(json.at("parameters").at("q") == 0.1);
    CHECK(json.at("seed").is_null());
    CHECK(json.at("columns").at(0).at("direction").is_null());
    CHECK(json.at("columns").at(1).at("direction") == "upper");
    CHECK(json.at("series").at(0).at("theorem") == "docs/proofs.md 1");
    CHECK(json.at("series").at(0).at("standing") == "ours");
    CHECK(json.at("claims").at(0).at("verdict") == "reproduced");
    CHECK_FALSE(json.at("build").at("commit").get<std::string>().empty());
    CHECK(json.at("run").at("seconds") == 2.5);
    CHECK(json.at("run").at("threads") == 2);
}
