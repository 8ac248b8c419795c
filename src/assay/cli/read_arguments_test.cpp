#include "assay/cli/read_arguments.hpp"

#include <catch2/catch.hpp>

#include "assay/cli/input_error.hpp"

using namespace assay::cli;
using namespace assay::formulas;

namespace {

const std::vector<Parameter> parameters{
    parameter::alpha,
    parameter::m,
    {"T", ParameterType::integer_list, parameter::counts, ""},
    {"conv", ParameterType::text, Domain{"balle or cks"}, ""},
    {"q", ParameterType::number, parameter::probability, "", true},
    {"S", ParameterType::category_set, parameter::category, "", true},
    {"data", ParameterType::answer_list, parameter::category, "", true}};

Json good() {
    return Json::parse(R"({"alpha": "2.5", "m": 4, "T": ["0", 7.0], "conv": "cks"})");
}

/// The error that `key` = `value` causes.
InputError error_with(const char* key, const Json& value) {
    Json params = good();
    params[key] = value;
    try {
        (void)read_arguments(parameters, params);
    } catch (const InputError& error) {
        return error;
    }
    return {ErrorKind::internal, "", "no error"};
}

}  // namespace

TEST_CASE("numbers may be JSON numbers or decimal texts", "[cli]") {
    const Arguments arguments = read_arguments(parameters, good());
    CHECK(arguments.number("alpha") == 2.5);
    CHECK(arguments.small("m") == 4);
    CHECK(arguments.integers("T") == std::vector<std::int64_t>{0, 7});
    CHECK(arguments.text("conv") == "cks");
    CHECK_FALSE(arguments.has("q"));
    CHECK_THROWS_AS(arguments.number("q"), MissingParameter);
}

TEST_CASE("large sizes are read exactly in every notation", "[cli]") {
    const std::vector<Parameter> size{parameter::D};
    for (const char* text : {R"({"D": 1000000000000})", R"({"D": "1000000000000"})",
                             R"({"D": 1e12})", R"({"D": "1e12"})", R"({"D": 1000000000000.0})"})
        CHECK(read_arguments(size, Json::parse(text)).integer("D") == 1000000000000);
}

TEST_CASE("sets of categories may be empty, and answers come with theirs", "[cli]") {
    Json params = good();
    params["S"] = Json::array();
    params["data"] = Json::parse(R"([{"y": 3, "S": []}, {"S": ["2", 1], "y": "1"}])");
    const Arguments arguments = read_arguments(parameters, params);
    CHECK(arguments.categories("S").empty());
    const std::vector<Answered>& answers = arguments.answers("data");
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].y == 3);
    CHECK(answers[0].S.empty());
    CHECK(answers[1].y == 1);
    CHECK(answers[1].S == std::vector<int>{2, 1});
    params["data"] = Json::array();
    CHECK(read_arguments(parameters, params).answers("data").empty());
}

TEST_CASE("what is wrong with a parameter has a kind and names it", "[cli]") {
    struct Case {
        const char* key;
        Json value;
        ErrorKind kind;
        const char* message;
    };
    const std::vector<Case> cases{
        {"alpha", "abc", ErrorKind::not_a_number,
         "alpha = abc is not admitted: a number or a decimal text"},
        {"alpha", nullptr, ErrorKind::not_a_number,
         "alpha = null is not admitted: a number or a decimal text"},
        {"alpha", true, ErrorKind::not_a_number,
         "alpha = true is not admitted: a number or a decimal text"},
        {"alpha", "nan", ErrorKind::not_a_number,
         "alpha = nan is not admitted: a number or a decimal text"},
        {"alpha", Json::array({2}), ErrorKind::not_a_number,
         "alpha = [2] is not admitted: a number or a decimal text"},
        {"alpha", 1, ErrorKind::domain, "alpha = 1 is not admitted: alpha > 1"},
        {"alpha", "1e999", ErrorKind::domain,
         "alpha = 1e999 is not admitted: alpha > 1, within the range of a double"},
        {"m", 3.5, ErrorKind::domain, "m = 3.5 is not admitted: an integer from 3 to 1000"},
        {"m", 2, ErrorKind::domain, "m = 2 is not admitted: an integer from 3 to 1000"},
        {"T", 3, ErrorKind::not_a_number, "T = 3 is not admitted: a non-empty list of integers"},
        {"T", Json::array(), ErrorKind::not_a_number,
         "T = [] is not admitted: a non-empty list of integers"},
        {"T", Json::array({1, "x"}), ErrorKind::not_a_number,
         "T = x is not admitted: a number or a decimal text"},
        {"conv", 5, ErrorKind::domain, "conv = 5 is not admitted: balle or cks"},
        {"q", 1, ErrorKind::domain, "q = 1 is not admitted: 0 <= q < 1"},
        {"S", 2, ErrorKind::not_a_number, "S = 2 is not admitted: a list of distinct integers"},
        {"S", Json::array({2, 1, "2"}), ErrorKind::domain,
         R"(S = [2,1,"2"] is not admitted: each category at most once)"},
        {"S", Json::array({0}), ErrorKind::domain, "S = 0 is not admitted: categories from 1 to K"},
        {"S", Json::array({1.5}), ErrorKind::domain,
         "S = 1.5 is not admitted: categories from 1 to K"},
        {"data", 2, ErrorKind::not_a_number,
         R"(data = 2 is not admitted: a list of {"y": category, "S": list of categories})"},
        {"data", Json::parse(R"([{"y": 1}])"), ErrorKind::not_a_number,
         R"(data = {"y":1} is not admitted: a list of {"y": category, "S": list of categories})"},
        {"data", Json::parse(R"([{"y": "a", "S": []}])"), ErrorKind::not_a_number,
         "data = a is not admitted: a number or a decimal text"},
        {"data", Json::parse(R"([{"y": 1, "S": [3, 3]}])"), ErrorKind::domain,
         "data = [3,3] is not admitted: each category at most once"},
        {"qq", 1, ErrorKind::unknown_parameter,
         "qq is no parameter of this quantity; it takes alpha, m, T, conv, q, S, data"},
    };
    for (const Case& c : cases) {
        const InputError error = error_with(c.key, c.value);
        CHECK(error.kind() == c.kind);
        CHECK(error.parameter() == c.key);
        CHECK(error.what() == std::string(c.message));
    }
}

TEST_CASE("a missing parameter is named, an optional one is not missed", "[cli]") {
    Json params = good();
    params.erase("m");
    try {
        (void)read_arguments(parameters, params);
        FAIL("no error");
    } catch (const InputError& error) {
        CHECK(error.kind() == ErrorKind::missing_parameter);
        CHECK(error.what() == std::string("m is missing (integer: an integer from 3 to 1000)"));
    }
    CHECK_THROWS_AS(read_arguments(parameters, Json::array()), InputError);
}
