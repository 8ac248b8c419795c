#include "verify/errata.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/errata_double.hpp"
#include "verify/errata_parts.hpp"

using namespace assay::verify;

namespace {

std::vector<Erratum> two() {
    Numbers numbers;
    numbers.add("norm |x|", Interval(0.25, 64));
    numbers.add("points", 3L);
    return {tried(1, "paper", "printed |B|, right |D|", numbers, true),
            not_decidable(2, "paper", "misprint", {}, "no number")};
}

}  // namespace

// What `assay-verify errata --check`, a test of its own, computes afresh and compares with.
TEST_CASE("every item of the papers has its verdict on record", "[errata]") {
    std::map<int, std::multiset<std::string>> verdicts;
    for (const Json& one : Json::parse(assay::read_file("results/reference/errata.json"))) {
        INFO(one.dump());
        const std::string paper = one.at("paper");
        CHECK((paper == "birrell2024" || paper == "mironov2019" || paper == "chua2025" ||
               paper == "aydin2024"));
        CHECK_FALSE(one.at("statement").get<std::string>().empty());
        const std::string verdict = one.at("verdict");
        const Json& numbers = one.at("numbers");
        CHECK(numbers.contains("reason") == (verdict == "not decidable"));
        if (verdict != "not decidable") CHECK(numbers.size() >= 2);
        verdicts[one.at("item").get<int>()].insert(verdict);
    }
    const std::multiset<std::string> confirmed{"confirmed"};
    for (const int item : {1,  2,  4,  5,  9,  16, 17, 18, 19, 20, 21, 22, 23, 24,
                           25, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39}) {
        CAPTURE(item);
        CHECK(verdicts[item] == confirmed);
    }
    CHECK(verdicts[3] == std::multiset<std::string>{"confirmed", "confirmed"});
    CHECK(verdicts[6].count("confirmed") == 1);
    CHECK(verdicts[7].count("confirmed") == 1);
    CHECK(verdicts[8].count("confirmed") == 3);
    CHECK(verdicts[10] == std::multiset<std::string>{"not confirmed"});
    CHECK(verdicts[11] == std::multiset<std::string>{"not decidable"});
    CHECK(verdicts[12] == std::multiset<std::string>{"confirmed", "not decidable"});
    CHECK(verdicts[13] == std::multiset<std::string>{"confirmed", "not decidable"});
    CHECK(verdicts[14] == std::multiset<std::string>{"confirmed", "confirmed"});
    CHECK(verdicts[15] == std::multiset<std::string>{"not decidable"});
    CHECK(verdicts[26] == std::multiset<std::string>{"not decidable"});
    CHECK(verdicts.size() == 39);
}

TEST_CASE("the documents say what was found", "[errata]") {
    const std::vector<Erratum> errata = two();
    const Json json = Json::parse(errata_json(errata));
    CHECK(json.size() == 2);
    CHECK(json[0]["numbers"]["points"] == 3);
    CHECK(json[0]["numbers"]["norm |x|"][0] == "2.500000000e-01");
    CHECK(json[1]["verdict"] == "not decidable");
    const std::string text = errata_markdown(errata);
    CHECK(text.find("| 1 | paper | printed \\|B\\|, right \\|D\\| | confirmed |\n") !=
          std::string::npos);
    CHECK(text.find("- norm |x|: 0.2500000000\n- points: 3\n") != std::string::npos);
    CHECK(text.find("- reason: no number\n") != std::string::npos);
}

TEST_CASE("a changed number or verdict is a difference", "[errata]") {
    std::vector<Erratum> errata = two();
    const std::string before = errata_json(errata);
    CHECK(errata_differences(before, before).empty());
    errata[0].numbers["points"] = 4;
    CHECK(errata_differences(before, errata_json(errata)).size() == 1);
    errata[1].verdict = "confirmed";
    CHECK(errata_differences(before, errata_json(errata)).size() == 2);
    errata.pop_back();
    CHECK(errata_differences(before, errata_json(errata)).size() == 2);
}

TEST_CASE("no two numbers of an item have one name", "[errata]") {
    Numbers numbers;
    numbers.add("points", 3L);
    CHECK_THROWS_AS(numbers.add("points", 4L), assay::Error);
}

TEST_CASE("the alternating sum in double precision", "[errata]") {
    // M_4 at sigma = 1: e^24 - 4 e^12 + 6 e^4 - 3.
    const double m_4 = std::exp(24.0) - 4.0 * std::exp(12.0) + 6.0 * std::exp(4.0) - 3.0;
    CHECK(moment_in_double(1.0, 4) == Approx(m_4).epsilon(1e-14));
    CHECK(moment_in_double(1.0, 1) == 0.0);
    // 1.013e-14 in truth (computed independently with 60 digits, mpmath).
    CHECK(moment_in_double(100.0, 10) <= 0.0);
}
