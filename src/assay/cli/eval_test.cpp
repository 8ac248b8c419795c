#include "assay/cli/eval.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace assay::cli;

namespace {

std::vector<std::string> answers(const std::string& input, bool expect_success,
                                 const EvalOptions& options = {}) {
    std::istringstream in(input);
    std::ostringstream out;
    CHECK(run_eval(in, out, options) == expect_success);
    std::vector<std::string> lines;
    std::istringstream text(out.str());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

Json error_of(const std::string& line) {
    const auto lines = answers(line + "\n", false);
    REQUIRE(lines.size() == 1);
    const Json answer = Json::parse(lines.front());
    CHECK_FALSE(answer.contains("lower"));
    return answer.value("error", Json::object());
}

}  // namespace

TEST_CASE("an answer echoes the question and adds the enclosure", "[cli]") {
    const auto lines = answers(
        R"({"quantity": "convert.canonne2020", "params": {"delta": "0.5", "alpha": 2, "rdp": 0}})"
        "\n",
        true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] ==
          R"({"quantity":"convert.canonne2020","params":{"delta":"0.5","alpha":2,"rdp":0},)"
          R"("lower":0.0,"upper":0.0,"status":"certified"})");
}

TEST_CASE("infinite ends are texts, and other keys of a line are ignored", "[cli]") {
    const auto lines = answers(
        R"({"quantity": "birrell2024.log_M", "params": {"sigma": "2", "k": 1}, "value": "x", "upper": 3})",
        true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == R"({"quantity":"birrell2024.log_M","params":{"sigma":"2","k":1},)"
                      R"("lower":"-inf","upper":"-inf","status":"certified"})");
}

TEST_CASE("an error stands on its line, the rest is still answered", "[cli]") {
    const std::string good =
        R"({"quantity": "exact.second_order_coefficient", "params": {"sigma": 2}})";
    const auto lines = answers(good + "\n\nnonsense\n   \n" + good, false);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == lines[2]);
    const Json error = Json::parse(lines[1]).at("error");
    CHECK(error["kind"] == "not_json");
    CHECK(error["line"] == 3);
    CHECK(error["message"].get<std::string>().starts_with("line 3: not JSON: column "));
}

TEST_CASE("every kind of error", "[cli]") {
    struct Case {
        const char* line;
        const char* kind;
        Json parameter;
        const char* message;
    };
    const std::vector<Case> cases{
        {R"([1])", "not_json", nullptr, "line 1: not a JSON object"},
        {R"({})", "missing_parameter", "quantity", "quantity is missing"},
        {R"({"quantity": "exact.nothing", "params": {}})", "unknown_quantity", "quantity",
         "quantity = exact.nothing is unknown: `assay eval --list` prints all"},
        {R"({"quantity": "birrell2024.log_M"})", "missing_parameter", "params",
         "params is missing"},
        {R"({"quantity": "birrell2024.log_M", "params": [2]})", "domain", "params",
         "params is not admitted: a JSON object"},
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2}})", "missing_parameter", "sigma",
         "sigma is missing (number: a positive number)"},
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2, "sigma": 1, "m": 3}})",
         "unknown_parameter", "m", "m is no parameter of this quantity; it takes sigma, k"},
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2, "sigma": "0"}})", "domain",
         "sigma", "sigma = 0 is not admitted: a positive number"},
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2, "sigma": 1e999}})", "domain",
         "sigma", "sigma = 1e999 is not admitted: a positive number, within the range of a double"},
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2, "sigma": "abc"}})", "not_a_number",
         "sigma", "sigma = abc is not admitted: a number or a decimal text"},
    };
    for (const Case& c : cases) {
        INFO(c.line);
        const Json error = error_of(c.line);
        CHECK(error["kind"] == c.kind);
        CHECK(error["parameter"] == c.parameter);
        CHECK(error["message"] == c.message);
    }
}

TEST_CASE("conditions between parameters name one of them", "[cli]") {
    CHECK(error_of(R"({"quantity": "birrell2024.q_tilde", "params": {"B": 5, "D": 9, "K": 6}})")
              .value("parameter", "") == "K");
    CHECK(error_of(R"({"quantity": "birrell2024.variance_poisson", "params": {"a": [1], "B": 2}})")
              .value("parameter", "") == "B");
    const Json unsuitable = error_of(
        R"({"quantity": "epsilon.over_orders", "params": {"rdp": "wang2019.lower", "sigma": 6, )"
        R"("q": 0.1, "T": 10, "delta": 0.1, "conv": "cks"}})");
    CHECK(unsuitable["parameter"] == "rdp");
    const Json without_m =
        error_of(R"({"quantity": "epsilon.over_orders", "params": {"rdp": "birrell2024.thm_3_4", )"
                 R"("sigma": 6, "q": 0.1, "T": 10, "delta": 0.1, "conv": "cks"}})");
    CHECK(without_m["kind"] == "missing_parameter");
    CHECK(without_m["parameter"] == "m");
}

TEST_CASE("hostile lines get an error, not a crash", "[cli]") {
    const std::string deep(100000, '[');
    CHECK(error_of(R"({"quantity": "birrell2024.log_M", "params": )" + deep)["kind"] == "not_json");
    CHECK(error_of("{\"quantity\": \"\xff\"}")["kind"] == "not_json");
    CHECK(error_of(R"({"quantity": "\ud800"})")["kind"] == "not_json");
    CHECK(error_of(R"({"id": "1e999", "quantity": 1e999})")["kind"] == "not_json");
    CHECK(error_of(std::string("{\"quantity\": 3}\0", 16))["kind"] == "not_json");
}

TEST_CASE("a value of exactly zero is answered by zero", "[cli]") {
    for (const char* quantity : {"exact.poisson_add_remove", "exact.poisson_add_remove_reverse",
                                 "mironov2019.fractional_series", "mironov2019.thm_11"}) {
        const auto lines = answers(std::string(R"({"quantity": ")") + quantity +
                                       R"(", "params": {"alpha": 2.5, "s": 3, "q": 0}})",
                                   true);
        const Json answer = Json::parse(lines.front());
        CHECK(answer["lower"] == 0.0);
        CHECK(answer["upper"] == 0.0);
        CHECK(answer["status"] == "certified");
    }
}

TEST_CASE("when the budget ends, the answer is the trivial one", "[cli]") {
    EvalOptions options;
    options.budget = 1e-9;
    const auto lines = answers(
        R"({"quantity": "birrell2024.thm_3_7_truncated", "params": {"alpha": 200, "sigma": 9, "B": 50, "D": 500, "T": [0, 1, 50]}})",
        true, options);
    const Json answer = Json::parse(lines.front());
    CHECK(answer["status"] == "vacuous");
    CHECK(answer["lower"] == "-inf");
    CHECK(answer["upper"] == "inf");
}

TEST_CASE("a file's name stands before the line number", "[cli]") {
    EvalOptions options;
    options.file = "a.jsonl";
    const Json error = Json::parse(answers("?", false, options).front()).at("error");
    CHECK(error["message"].get<std::string>().starts_with("a.jsonl:1: not JSON: "));
}
