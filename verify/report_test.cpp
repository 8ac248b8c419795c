#include "verify/report.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "assay/files/atomic_file.hpp"
#include "verify/commands.hpp"
#include "verify/test_rows.hpp"
#include "verify/trial_json.hpp"

using namespace assay;
using namespace assay::verify;
using namespace assay::verify::testing;

TEST_CASE("the report names the failing claim with both numbers", "[report]") {
    const Check right = square_row(0.0);
    Check wrong = square_row(1e-6);
    wrong.id = "test.wrong_square";
    const std::vector<Check> rows{right, wrong};
    const RunOptions options;
    const RunResult result = run_checks(rows, {}, options);
    const std::string text = report_text(result);
    CHECK(text.find("test.wrong_square: violated") != std::string::npos);
    CHECK(text.find("test.square") == std::string::npos);
    CHECK(text.find("bits: [") != std::string::npos);
    const Json json = Json::parse(report_json(result, options));
    CHECK(json.at("verdict") == "red");
    CHECK(json.at("rows").size() == 2);
    CHECK(json.at("rows")[0].at("verdict") == "holds");
    CHECK(json.at("rows")[0].at("samples").at("values").size() == 40);
    CHECK(json.at("rows")[1].at("violation").at("verdict") == "violated");
}

TEST_CASE("a run that tried no point is no success", "[report]") {
    const std::vector<Check> rows{square_row(0.0)};
    RunOptions options;
    const std::atomic<bool> stop = true;
    options.stop = &stop;
    const RunResult result = run_checks(rows, {}, options);
    CHECK_FALSE(result.passes());
    CHECK(report_text(result).find("no point was tried") != std::string::npos);
    CHECK(report_text(result).find("all hold") == std::string::npos);
    CHECK(Json::parse(report_json(result, options)).at("verdict") == "red");
}

TEST_CASE("the closest answers of a report, a line a row", "[report]") {
    const std::vector<Check> rows{square_row(0.0)};
    const RunOptions options;
    const auto path = std::filesystem::temp_directory_path() / "assay_closest_report.json";
    write_file_atomically(path, report_json(run_checks(rows, {}, options), options));
    const std::string lines = closest_lines(path, "");
    CHECK(lines.find("test.square ") == 0);
    CHECK(lines.find(", 40 points\n") != std::string::npos);
    CHECK(closest_lines(path, "no such row").empty());
    std::filesystem::remove(path);
}
