#include "verify/conformance/verdict.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace assay::verify {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr CertifiedBracket bracket{2.0, 2.01};

ClaimVerdict of(const char* answer, const CertifiedBracket& truth = bracket,
                std::string_view asked = "epsilon") {
    return judge_claim(claim_of(Json::parse(answer)), asked, truth).verdict;
}

std::string upper(double value) {
    return Json({{"value", value}, {"claims", "upper"}}).dump();
}
std::string lower(double value) {
    return Json({{"value", value}, {"claims", "lower"}}).dump();
}
std::string interval(double low, double high) {
    return Json({{"interval", {low, high}}}).dump();
}

}  // namespace

TEST_CASE("an upper claim is judged by where it stands beside the bracket", "[conformance]") {
    CHECK(of(upper(2.0 * (1 - 1e-6)).c_str()) == ClaimVerdict::unsound);
    CHECK(of(upper(2.0 * (1 - 2e-9)).c_str()) == ClaimVerdict::unsound);
    CHECK(of(upper(2.0 * (1 - 5e-10)).c_str()) == ClaimVerdict::undecided);
    CHECK(of(upper(2.005).c_str()) == ClaimVerdict::undecided);
    CHECK(of(upper(2.01).c_str()) == ClaimVerdict::sound);
    CHECK(of(upper(2.01 * 1.0099).c_str()) == ClaimVerdict::sound);
    CHECK(of(upper(2.01 * 1.0101).c_str()) == ClaimVerdict::loose);
    CHECK(of(R"({"value": "inf", "claims": "upper"})") == ClaimVerdict::loose);
    CHECK(of(R"({"value": "inf", "claims": "upper"})", {2.0, inf}) == ClaimVerdict::sound);
    CHECK(of(upper(3.0).c_str(), {2.0, inf}) == ClaimVerdict::undecided);
    CHECK(of(upper(0.0).c_str(), {0.0, 0.0}) == ClaimVerdict::sound);
    CHECK(of(upper(1e-12).c_str(), {0.0, 0.0}) == ClaimVerdict::loose);
    const auto judged = judge_claim(claim_of(Json::parse(upper(4.02))), "epsilon", bracket);
    CHECK(judged.factor == Approx(2.0));
}

TEST_CASE("a lower claim is judged in the mirror", "[conformance]") {
    CHECK(of(lower(2.01 * (1 + 1e-6)).c_str()) == ClaimVerdict::unsound);
    CHECK(of(lower(2.005).c_str()) == ClaimVerdict::undecided);
    CHECK(of(lower(2.0).c_str()) == ClaimVerdict::sound);
    CHECK(of(lower(1.981).c_str()) == ClaimVerdict::sound);
    CHECK(of(lower(1.97).c_str()) == ClaimVerdict::loose);
    CHECK(of(lower(0.0).c_str()) == ClaimVerdict::loose);
}

TEST_CASE("an interval is judged by both ends", "[conformance]") {
    CHECK(of(interval(2.0, 2.01).c_str()) == ClaimVerdict::sound);
    CHECK(of(interval(1.99, 2.02).c_str()) == ClaimVerdict::sound);
    CHECK(of(interval(1.0, 2.02).c_str()) == ClaimVerdict::loose);
    CHECK(of(interval(1.99, 3.0).c_str()) == ClaimVerdict::loose);
    CHECK(of(interval(1.0, 1.999).c_str()) == ClaimVerdict::unsound);
    CHECK(of(interval(2.02, 3.0).c_str()) == ClaimVerdict::unsound);
    CHECK(of(interval(2.004, 2.006).c_str()) == ClaimVerdict::undecided);
    CHECK(of(interval(1.99, 2.005).c_str()) == ClaimVerdict::undecided);
    CHECK(of(interval(-1.0, 2.01).c_str()) == ClaimVerdict::loose);
    // It holds nothing; by rounding alone nothing is UNSOUND.
    CHECK(of(interval(3.0, 1.0).c_str()) == ClaimVerdict::unsound);
    CHECK(of(interval(2.005, 2.005 * (1.0 - 1e-12)).c_str()) == ClaimVerdict::undecided);
}

TEST_CASE("an estimate is close or off, with its side", "[conformance]") {
    const auto judged = [](double value) {
        return judge_claim(claim_of(Json{{"value", value}, {"claims", "estimate"}}), "epsilon",
                           bracket);
    };
    CHECK(judged(2.005).verdict == ClaimVerdict::close);
    CHECK(judged(1.985).verdict == ClaimVerdict::close);
    CHECK(judged(1.97).verdict == ClaimVerdict::off);
    CHECK(judged(1.97).note == "below the truth");
    CHECK(judged(2.04).note == "above the truth");
    CHECK(judged(1.0).factor == Approx(0.5));
}

TEST_CASE("what cannot be an answer is invalid", "[conformance]") {
    CHECK(of(R"({"value": "NaN", "claims": "upper"})") == ClaimVerdict::invalid);
    CHECK(of(R"({"value": -2.3, "claims": "upper"})") == ClaimVerdict::invalid);
    CHECK(of(R"({"value": 1.5, "claims": "upper"})", {0.1, 0.2}, "delta") == ClaimVerdict::invalid);
    CHECK(of(R"({"value": 1.5, "claims": "upper"})", {0.1, 0.2}, "epsilon") == ClaimVerdict::loose);
    CHECK(of(R"({"value": 2.01})") == ClaimVerdict::invalid);
    CHECK(of(R"({"value": 2.01, "claims": "exact"})") == ClaimVerdict::invalid);
    CHECK(of(R"({"value": null, "claims": "upper"})") == ClaimVerdict::invalid);
    CHECK(of(R"({"interval": [1]})") == ClaimVerdict::invalid);
    CHECK(of(R"({"answer": 3})") == ClaimVerdict::invalid);
    CHECK(of(R"({"unsupported": "no"})") == ClaimVerdict::unsupported);
    CHECK(of(R"({"error": "ValueError: no"})") == ClaimVerdict::crash);
}

TEST_CASE("a number may be a text", "[conformance]") {
    CHECK(of(R"({"value": "2.01", "claims": "upper"})") == ClaimVerdict::sound);
    CHECK(of(R"({"interval": ["0", "+Infinity"]})", {0.0, inf}) == ClaimVerdict::sound);
    CHECK(of(R"({"value": "two", "claims": "upper"})") == ClaimVerdict::invalid);
}

TEST_CASE("the object of a line is found behind noise, with bare NaN read as a text",
          "[conformance]") {
    CHECK(object_of_line(R"(loading...{"id": 3, "value": NaN, "claims": "upper"})")["value"] ==
          "NaN");
    CHECK(object_of_line(R"({"id": 3, "value": -Infinity})")["value"] == "-Infinity");
    CHECK(object_of_line(R"({"id": 3, "error": "NaN \" NaN", "x": nan})")["error"] == "NaN \" NaN");
    CHECK(object_of_line(R"({noise} {"id": 4})")["id"] == 4);
    CHECK(object_of_line(R"({"id": 3, "value": 1e400, "x": -1e999})")["value"] == "1e400");
    CHECK(object_of_line(R"({"id": 3, "value": 1e308, "x": NaN})")["value"] == 1e308);
    const std::string long_number = "{\"id\": 1, \"value\": 1" + std::string(400, '0') + "}";
    CHECK(object_of_line(long_number)["value"].is_string());
    CHECK(object_of_line("{\"id\": 3, \"error\": \"ung\xfcltig\"}")["error"] == "ung?ltig");
    // What is nested deeper than any answer is left out: to copy it would end the program.
    const std::string deep = std::string(300000, '[') + std::string(300000, ']');
    const Json shallow = object_of_line(R"({"id": 3, "value": 2, "x": )" + deep + "}");
    CHECK(shallow["value"] == 2);
    CHECK(Json(shallow).dump().size() < 100);
    CHECK(object_of_line("no answer").is_discarded());
    CHECK(object_of_line(R"({"value": 3})").is_discarded());
    CHECK(object_of_line("{{{{{{{{{{{{{{{{{{{{").is_discarded());
}

}  // namespace assay::verify
