#include "assay/cli/eval.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "assay/formulas/quantities.hpp"

using namespace assay::cli;

namespace {

std::vector<std::string> answers(const std::string& input, bool expect_success,
                                 const EvalOptions& options = {}) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    CHECK(run_eval(in, out, err, options) == expect_success);
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

TEST_CASE("the id of a line stands first in its answer, whatever becomes of it", "[cli]") {
    const auto lines = answers(
        R"({"quantity": "convert.canonne2020", "params": {"delta": "0.5", "alpha": 2, "rdp": 0}, "id": [7]})"
        "\n"
        R"({"id": "b", "quantity": "none"})",
        false);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with(R"({"id":[7],"quantity":"convert.canonne2020",)"));
    CHECK(lines[1].starts_with(R"({"id":"b","quantity":"none","error":)"));
}

TEST_CASE("an id comes back with all its digits, and from a line with a name twice", "[cli]") {
    for (const std::string id : {"18446744073709551615", "-9223372036854775808"})
        CHECK(answers(R"({"id": )" + id + "}", false).front().starts_with(R"({"id":)" + id + ','));
    for (const std::string id : {"18446744073709551616", "-123456789012345678901234567890"})
        CHECK(answers(R"({"id": )" + id + "}", false).front().starts_with(R"({"id":")" + id + '"'));
    const Json twice = Json::parse(answers(R"({"a": 1, "a": 2, "id": 5})", false).front());
    CHECK(twice["id"] == 5);
    CHECK(twice["error"]["kind"] == "not_json");
    CHECK_FALSE(Json::parse(answers(R"({"id": 1, "id": 2})", false).front()).contains("id"));
}

TEST_CASE("a line that is too long is refused, and the next one answered", "[cli]") {
    const std::string question =
        R"({"quantity": "birrell2024.log_M", "params": {"sigma": 2, "k": 1}})";
    const std::string blanks((std::size_t{1} << 20U) + 1, ' ');
    for (const std::string& longer : {question + blanks, blanks + question}) {
        const auto lines = answers(longer + '\n' + question + '\n', false);
        REQUIRE(lines.size() == 2);
        const Json error = Json::parse(lines[0])["error"];
        CHECK(error["kind"] == "not_json");
        CHECK(error["message"] == "line 1: the line has more than 1 MiB, the most that is read");
        CHECK(Json::parse(lines[1]).contains("lower"));
    }
}

TEST_CASE("a long refused question is not given back", "[cli]") {
    const std::string longest(500'000, 'x');
    for (const std::string& line :
         {R"({"id": 1, "quantity": ")" + longest + "\"}",
          R"({"id": 1, "quantity": "birrell2024.log_M", "params": {"sigma": ")" + longest +
              "\"}}"}) {
        const auto lines = answers(line + "\n", false);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].starts_with(R"({"id":1,)"));
        CHECK(lines[0].size() < 2000);
    }
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
        {R"({"quantity": "birrell2024.log_M", "params": {"k": 2, "sigma": 1e-400}})", "domain",
         "sigma", "sigma = 1e-400 is not admitted: 0, or not below the least double, 4.9e-324"},
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

TEST_CASE("local privacy refuses what is no mechanism, no theta and no data", "[cli]") {
    struct Case {
        const char* quantity;
        const char* params;
        const char* parameter;
    };
    const std::vector<Case> cases{
        {"rrrr.epsilon_2", R"({"K": 5, "k": 6, "eps": 1, "kappa": 0.5})", "k"},
        {"rrrr.epsilon_2", R"({"K": 1, "k": 0, "eps": 1, "kappa": 0.5})", "K"},
        {"rrrr.epsilon_2", R"({"K": 5, "k": 2, "eps": 0, "kappa": 0.5})", "eps"},
        {"rrrr.epsilon_2", R"({"K": 5, "k": 2, "eps": 1, "kappa": 1.5})", "kappa"},
        {"rrrr.response_probability",
         R"({"K": 5, "S": [1, 1], "eps": 1, "kappa": 0.5, "y": 1, "x": 1})", "S"},
        {"rrrr.response_probability",
         R"({"K": 5, "S": [6], "eps": 1, "kappa": 0.5, "y": 1, "x": 1})", "S"},
        {"rrrr.response_probability",
         R"({"K": 5, "S": [1], "eps": 1, "kappa": 0.5, "y": 6, "x": 1})", "y"},
        {"rrrr.response_probability",
         R"({"K": 5, "S": [1], "eps": 1, "kappa": 0.5, "y": 1, "x": 0})", "x"},
        {"rrrr.response_marginal",
         R"({"K": 3, "S": [], "eps": 1, "kappa": 0.5, "y": 1, "theta_counts": [1, 2]})",
         "theta_counts"},
        {"utility.entropy", R"({"S": [], "eps": 1, "kappa": 0.5, "theta_counts": []})",
         "theta_counts"},
        {"utility.entropy", R"({"S": [], "eps": 1, "kappa": 0.5, "theta_counts": [0, 0]})",
         "theta_counts"},
        {"utility.entropy", R"({"S": [], "eps": 1, "kappa": 0.5, "theta_counts": [1, -1]})",
         "theta_counts"},
        {"utility.entropy", R"({"S": [3], "eps": 1, "kappa": 0.5, "theta_counts": [1, 1]})", "S"},
        {"best_k.entropy", R"({"eps": 1, "kappa": 0.5, "theta_counts": [4]})", "theta_counts"},
        {"rrrr.max_log_ratio_as_released",
         R"({"K": 5, "k": 2, "eps": 1, "kappa": 0.5, "code_eps2": -1})", "code_eps2"},
        {"posterior.mean",
         R"({"K": 2, "eps": 1, "kappa": 0.5, "rho": [1, 1], "data": [{"y": 3, "S": []}]})", "data"},
        {"posterior.mean",
         R"({"K": 2, "eps": 1, "kappa": 0.5, "rho": [1, 1], "data": [{"y": 1, "S": [3]}]})",
         "data"},
        {"posterior.mean", R"({"K": 2, "eps": 1, "kappa": 0.5, "rho": [1], "data": []})", "rho"},
        {"posterior.log_likelihood",
         R"({"K": 2, "eps": 1, "kappa": 0.5, "phi_times_10": [0, 1], "data": []})", "phi_times_10"},
    };
    for (const Case& c : cases) {
        INFO(c.quantity << ' ' << c.params);
        const Json error = error_of(std::string(R"({"quantity": ")") + c.quantity +
                                    R"(", "params": )" + c.params + "}");
        CHECK(error["parameter"] == c.parameter);
        CHECK(error["message"].get<std::string>().starts_with(std::string(c.parameter) + " = "));
    }
}

TEST_CASE("a posterior too large to expand is refused", "[cli]") {
    std::string data = R"({"y": 1, "S": []})";
    for (int i = 0; i < 60; ++i) data += R"(, {"y": 1, "S": []})";
    const Json error =
        error_of(R"({"quantity": "posterior.mean", "params": {"K": 9, "eps": 1, "kappa": 0.5, )"
                 R"("rho": [1, 1, 1, 1, 1, 1, 1, 1, 1], "data": [)" +
                 data + "]}}");
    CHECK(error["parameter"] == "data");
}

TEST_CASE("a singular Fisher information is answered by minus infinity", "[cli]") {
    const auto lines =
        answers(R"({"quantity": "utility.fisher_information", "params": {"S": [1], "eps": 1, )"
                R"("kappa": 1, "theta_counts": [3, 2, 1]}})",
                true);
    const Json answer = Json::parse(lines.front());
    CHECK(answer["lower"] == "-inf");
    CHECK(answer["upper"] == "-inf");
    CHECK(answer["status"] == "certified");
}

TEST_CASE("hostile lines get an error, not a crash", "[cli]") {
    const std::string deep(100000, '[');
    CHECK(error_of(R"({"quantity": "birrell2024.log_M", "params": )" + deep)["kind"] == "not_json");
    CHECK(error_of("{\"quantity\": \"\xff\"}")["kind"] == "not_json");
    const Json twice = error_of(R"({"quantity": "a", "params": {"q": 1, "q": 2}})");
    CHECK(twice["kind"] == "not_json");
    CHECK(twice["message"] == "line 1: q is there twice");
    const Json long_name = error_of("{\"quantity\": \"" + std::string(100'000, 'x') + "\"}");
    CHECK(long_name["message"].get<std::string>().size() < 1100);
    CHECK(error_of(R"({"quantity": "\ud800"})")["kind"] == "not_json");
    CHECK(error_of(R"({"id": "1e999", "quantity": 1e999})")["kind"] == "unknown_quantity");
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

TEST_CASE("the list names every quantity, as text and as JSON", "[cli]") {
    const std::string text = quantity_list_text();
    const Json json = quantity_list_json();
    REQUIRE(json.size() == assay::formulas::all_quantities().size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const assay::formulas::Quantity& quantity = assay::formulas::all_quantities()[i];
        CHECK(text.find(std::string(quantity.name) + "\n") != std::string::npos);
        CHECK(json[i]["quantity"] == quantity.name);
        CHECK(json[i]["parameters"].size() == quantity.parameters.size());
    }
}

namespace {

long threads_of_this_process() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("Threads:")) return std::stol(line.substr(8));
    return 0;
}

/// `count` categories of different counts: as many sizes to compare, each in as many steps.
std::string slow_question(int count) {
    std::string counts = "1";
    for (int i = 2; i <= count; ++i) counts += ',' + std::to_string(i);
    return R"({"quantity": "best_k.entropy", "params": {"theta_counts": [)" + counts +
           R"(], "eps": 1, "kappa": 0.9}})"
           "\n";
}

}  // namespace

// An evaluation that went on after its answer would take the time and the threads of the others.
TEST_CASE("slow lines leave nothing behind for those after them", "[cli]") {
    EvalOptions options;
    options.budget = 0.01;
    const long threads = threads_of_this_process();
    std::string input;
    for (
        const char* params :
        {R"("order_statistics.mean_normal", "params": {"R": 1000000000000, "k": 1})",
         R"("birrell2024.log_E_tilde", "params": {"alpha": 99999.5, "sigma": 0.3, "m": 109, "q": 0.1})",
         R"("balls_and_bins.delta_remove_epochs", "params": {"T": 1000000000000, "sigma": 0.05, "k": 1, "eps": 0.01})"})
        input += std::string(R"({"quantity": )") + params + "}\n";
    for (int i = 0; i < 37; ++i) input += slow_question(20'000);
    const std::string cheap =
        R"({"quantity": "exact.second_order_coefficient", "params": {"sigma": 2}})";
    const std::string truth = answers(cheap, true).front();
    const auto lines = answers(input + cheap, true, options);
    REQUIRE(lines.size() == 41);
    for (std::size_t i = 0; i < 40; ++i) {
        INFO(lines[i].substr(0, 100));
        CHECK(Json::parse(lines[i]).at("status") == "vacuous");
    }
    CHECK(lines.back() == truth);
    CHECK(threads_of_this_process() == threads);
}
