#include "experiments/table.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::infinity;

namespace {

Table example_table() {
    Table table({{.name = "alpha", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "epsilon", .unit = "nats", .direction = Direction::upper}});
    table.add_series(
        {.name = "exact", .label = "exact", .direction = Direction::upper, .theorem = {}});
    table.add_series(
        {.name = "m4", .label = "m = 4", .direction = Direction::upper, .theorem = {}});
    table.add("exact", {2.0, 1.0 / 3.0});
    table.add("m4", {2.0, infinity}, Status::vacuous);
    table.add("exact", {3.0, 1e-300}, "heuristic");
    return table;
}

}  // namespace

TEST_CASE("a table is written in long form with 17 digits", "[record]") {
    CHECK(example_table().to_csv() ==
          "series,alpha,epsilon,status\n"
          "exact,2,0.33333333333333331,certified\n"
          "m4,2,inf,vacuous\n"
          "exact,3,1e-300,heuristic\n");
}

TEST_CASE("a table reads back to the same bits", "[record]") {
    const CsvContent content = csv_from_text(example_table().to_csv(), "x.csv");
    CHECK(content.column_names == std::vector<std::string>{"alpha", "epsilon"});
    CHECK(content.rows == example_table().rows());
}

TEST_CASE("a column of a series is found again", "[record]") {
    CHECK(example_table().values("exact", "alpha") == std::vector<double>{2.0, 3.0});
    CHECK(example_table().values("m4", "epsilon") == std::vector<double>{infinity});
    CHECK_THROWS_AS(example_table().values("m5", "epsilon"), DomainError);
    CHECK_THROWS_AS(example_table().values("m4", "delta"), DomainError);
}

TEST_CASE("a table refuses what it could not state", "[record]") {
    Table table = example_table();
    CHECK_THROWS_AS(table.add("exact", {2.0, std::numeric_limits<double>::quiet_NaN()}),
                    DomainError);
    CHECK_THROWS_AS(table.add("exact", {2.0}), DomainError);
    CHECK_THROWS_AS(table.add("unknown", {2.0, 1.0}), DomainError);
    CHECK_THROWS_AS(table.add("exact", {2.0, 1.0}, "sure"), DomainError);
    CHECK_THROWS_AS(table.add_series({.name = "exact", .label = "", .theorem = {}}), DomainError);
    CHECK_THROWS_AS(table.add_series({.name = "a,b", .label = "", .theorem = {}}), DomainError);
    CHECK(table.rows().size() == 3);
    CHECK_THROWS_AS(Table(std::vector<Column>{}), DomainError);
    CHECK_THROWS_AS(Table(std::vector<Column>{{.name = "status", .unit = "1"}}), DomainError);
    CHECK_THROWS_AS(Table({{.name = "a", .unit = "1"}, {.name = "a", .unit = "1"}}), DomainError);
    CHECK_THROWS_AS(
        Table(std::vector<Column>{{.name = "a", .unit = "1", .golden_tolerance = -1.0}}),
        DomainError);
}

TEST_CASE("a damaged CSV is refused at its line", "[record]") {
    const auto message = [](const std::string& text) -> std::string {
        try {
            (void)csv_from_text(text, "x.csv");
        } catch (const FileError& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(message("") == "x.csv: is empty");
    CHECK(message("a,b,c\n") == "x.csv:1: the header is not series,...,status");
    CHECK(message("series,a,status\ne,1,certified\ne,nan,certified\n") ==
          "x.csv:3: \"nan\" is not a number");
    CHECK(message("series,a,status\ne,1\n") == "x.csv:2: has 2 fields, not 3");
    CHECK(message("series,a,status\ne,1,sure\n") == "x.csv:2: status \"sure\" is unknown");
    CHECK(message("series,a,status\ne,1,certi") == "x.csv:2: the last line is not complete");
}
