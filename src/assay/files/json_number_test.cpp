#include "assay/files/json_number.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace assay;
using Json = nlohmann::ordered_json;

TEST_CASE("a number goes through JSON to the bit", "[record]") {
    for (const double x : {0.0, -0.0, 1.0 / 3.0, 5e-324, -1e308, HUGE_VAL, -HUGE_VAL}) {
        const double back = number_from_json(Json::parse(number_to_json<Json>(x).dump()));
        CHECK(back == x);
        CHECK(std::signbit(back) == std::signbit(x));
    }
    CHECK(std::isnan(number_from_json(number_to_json<Json>(std::nan("")))));
    CHECK(number_to_json<Json>(-HUGE_VAL).dump() == "\"-inf\"");
    CHECK(number_to_json<Json>(std::nan("")).dump() == "null");
}

TEST_CASE("other JSON is no number", "[record]") {
    for (const char* text : {"\"0.5\"", "\"nan\"", "\"infinity\"", "\"1e999\"", "\"\""})
        CHECK_THROWS_AS(number_from_json(Json::parse(text)), Error);
    for (const char* text : {"[]", "{}"})
        CHECK_THROWS_AS(number_from_json(Json::parse(text)), Json::exception);
}
