#include "experiments/golden.hpp"
#include "experiments/provenance.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "assay/files/build_info.hpp"
#include "assay/numeric/errors.hpp"
#include "experiments/result_files.hpp"
#include "experiments/runner.hpp"
#include "experiments/sample_figure.hpp"

using namespace assay;
using namespace assay::experiments;
namespace fs = std::filesystem;

namespace {

/// Both sample figures run once and accepted.
struct Setup {
    ScratchFolder folder{"golden"};
    fs::path latest = folder.path() / "latest";
    fs::path reference = folder.path() / "reference";

    Setup() {
        run_with("2.5");
        for (const Figure& figure : sample_figures())
            accept_golden(sample_figures(), figure, latest, reference);
    }
    void run_with(const std::string& factor) const {
        const RunOptions options{.parameters = folder.path() / "experiments", .out = latest};
        write_sample_parameters(options.parameters, factor);
        REQUIRE(run_figures(sample_figures(), sample_figures(), options).empty());
    }
    [[nodiscard]] std::vector<std::string> compare() const {
        return compare_with_golden(sample_figures(), latest, reference);
    }
    /// Replaces the first `from` in a file below the latest or reference results.
    static void edit(const fs::path& path, const std::string& from, const std::string& to) {
        std::string text = read_file(path);
        REQUIRE(text.find(from) != std::string::npos);
        write_file_atomically(path, text.replace(text.find(from), from.size(), to));
    }
};

}  // namespace

TEST_CASE("an accepted result agrees with itself, run again or not", "[experiments]") {
    const Setup setup;
    CHECK(setup.compare().empty());
    setup.run_with("2.5");
    CHECK(setup.compare().empty());
}

TEST_CASE("a number is compared at the tolerance of its column", "[experiments]") {
    const Setup setup;
    const fs::path csv = setup.latest / "sample/fig01_one.csv";
    Setup::edit(csv, "7.5", "7.500000001");
    CHECK(setup.compare().empty());
    Setup::edit(csv, "7.500000001", "7.50000001");
    REQUIRE(setup.compare().size() == 1);
    CHECK_THAT(setup.compare()[0], Catch::Contains("fig01_one.csv:4: y of line is 7.5000000"));
    Setup::edit(csv, "7.50000001", "inf");
    CHECK(setup.compare().size() == 1);
    Setup::edit(csv, "inf", "7.5");
    Setup::edit(csv, "line,3,", "line,3.0000000000000004,");
    CHECK(setup.compare().size() == 1);
}

TEST_CASE("shape, status, parameters and claims are compared", "[experiments]") {
    const Setup setup;
    Setup::edit(setup.latest / "sample/fig01_one.csv", "7.5,certified", "7.5,heuristic");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("is line (heuristic), not line (certified)"));
    Setup::edit(setup.latest / "sample/fig01_one.csv", "line,1,2.5,certified\n", "");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("has 2 rows, not 3"));
    Setup::edit(setup.latest / "sample/fig01_one.csv", "series,x,y", "series,x,z");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("columns are x,z, not x,y"));
    Setup::edit(setup.latest / "sample/fig02_two.json", "\"reproduced\"", "\"differs\"");
    CHECK_THAT(setup.compare().at(1), Catch::Contains("/claims/0/verdict is \"differs\""));
    Setup::edit(setup.latest / "sample/fig02_two.json", "\"factor\": 2.5", "\"factor\": 2.25");
    CHECK(setup.compare().size() == 3);
}

TEST_CASE("build and run are not compared", "[experiments]") {
    const Setup setup;
    Setup::edit(setup.latest / "sample/fig01_one.json", "\"commit\": \"", "\"commit\": \"other-");
    Setup::edit(setup.latest / "sample/fig01_one.json", "\"threads\": 1", "\"threads\": 64");
    CHECK(setup.compare().empty());
}

TEST_CASE("of what a claim measured the verdict is compared", "[experiments]") {
    const Setup setup;
    const fs::path now = setup.latest / "sample/fig01_one.json";
    Setup::edit(now, "\"found\": 7.5", "\"found\": \"Measured 25 %\"");
    CHECK(setup.compare().size() == 1);
    accept_golden(sample_figures(), sample_figures()[0], setup.latest, setup.reference);
    Setup::edit(now, "Measured 25 %", "Measured 26 %");
    CHECK(setup.compare().empty());
    Setup::edit(now, "Measured 26 %", "26 %");
    CHECK(setup.compare().size() == 1);
    Setup::edit(now, "26 %", "Measured 27 %");
    Setup::edit(now, "\"reproduced\"", "\"differs\"");
    CHECK(setup.compare().size() == 1);
}

TEST_CASE("details are compared, but for what was measured", "[experiments]") {
    const Setup setup;
    const fs::path now = setup.latest / "sample/fig01_one.json";
    Setup::edit(now, "\"found\": 7.5", "\"found\": \"a\", \"details\": [\"1 s\"]");
    accept_golden(sample_figures(), sample_figures()[0], setup.latest, setup.reference);
    Setup::edit(now, "1 s", "2 s");
    CHECK(setup.compare().size() == 1);
    for (const fs::path& folder : {setup.latest, setup.reference})
        Setup::edit(folder / "sample/fig01_one.json", "\"a\"", "\"Measured a\"");
    Setup::edit(setup.reference / "sample/claims.json", "\"a\"", "\"Measured a\"");
    CHECK(setup.compare().empty());
}

TEST_CASE("what is missing or left over is told", "[experiments]") {
    const Setup setup;
    fs::remove(setup.reference / "sample/fig02_two.csv");
    CHECK(setup.compare().at(0) == "sample/fig02_two: has no golden result");
    accept_golden(sample_figures(), sample_figures()[1], setup.latest, setup.reference);
    CHECK(setup.compare().empty());
    write_file_atomically(setup.reference / "sample/fig03_gone.csv", "");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("fig03_gone.csv: no figure has this stem"));
    fs::remove(setup.reference / "sample/fig03_gone.csv");
    Setup::edit(setup.reference / "sample/claims.json", "reproduced", "differs");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("is not what the golden results say"));
    fs::remove(setup.latest / "sample/fig01_one.json");
    CHECK(setup.compare().at(0) == "sample/fig01_one: has not been run");
}

TEST_CASE("what was not run cannot be accepted", "[experiments]") {
    const Setup setup;
    fs::remove(setup.latest / "sample/fig01_one.json");
    CHECK_THROWS_AS(
        accept_golden(sample_figures(), sample_figures()[0], setup.latest, setup.reference),
        FileError);
}

TEST_CASE("results of other folders are no figures'", "[experiments]") {
    const Setup setup;
    write_file_atomically(setup.reference / "vectors/poisson.json", "{}");
    CHECK(setup.compare().empty());
    write_file_atomically(setup.reference / "sample/fig09_gone.csv", "series,status\n");
    REQUIRE(setup.compare().size() == 1);
    CHECK_THAT(setup.compare()[0], Catch::Contains("fig09_gone.csv: no figure has this stem"));
}

TEST_CASE("claims tell what a larger run found as well", "[experiments]") {
    const Setup setup;
    Setup::edit(setup.latest / "sample/fig01_one.json", "\"found\": 7.5", "\"found\": 8.5");
    accept_golden(sample_figures(), sample_figures()[0], setup.latest, setup.reference, true);
    Setup::edit(setup.latest / "sample/fig01_one.json", "\"found\": 8.5", "\"found\": 7.5");
    CHECK(setup.compare().empty());
    const std::string claims = read_file(setup.reference / "sample/claims.json");
    CHECK_THAT(claims, Catch::Contains("\"found\": 7.5"));
    CHECK_THAT(claims, Catch::Contains("\"larger_run\""));
    CHECK_THAT(claims, Catch::Contains("\"found\": 8.5"));
    write_file_atomically(setup.reference / "paper/sample/fig01_one.csv", "series,status\n");
    CHECK_THAT(setup.compare().at(0), Catch::Contains("the larger run is damaged"));
    write_file_atomically(setup.reference / "paper/sample/fig09_gone.csv", "series,status\n");
    CHECK(setup.compare().size() == 2);
}

TEST_CASE("simulated numbers that were made elsewhere are not compared", "[experiments]") {
    const Setup setup;
    for (const fs::path& folder : {setup.latest, setup.reference})
        Setup::edit(folder / "sample/fig01_one.csv", ",certified\n", ",statistical\n");
    const fs::path csv = setup.latest / "sample/fig01_one.csv";
    std::string text = read_file(csv);
    const std::size_t line = text.find(",statistical\n");
    const std::size_t number = text.rfind(',', line - 1) + 1;
    write_file_atomically(csv, text.replace(number, line - number, "123.5"));
    REQUIRE(setup.compare().size() == 1);
    CHECK(count_simulated_elsewhere(sample_figures(), setup.reference) == 0);
    const fs::path golden = setup.reference / "sample/fig01_one.json";
    const std::string here = read_file(golden);
    const auto member = [](const std::string& name, const std::string& value) {
        return fmt::format("\"{}\": \"{}\"", name, value);
    };
    std::vector<std::pair<std::string, std::string>> origin = {{"processor", processor_make()},
                                                               {"compiler", build_info().compiler}};
    for (const auto& [name, version] : build_info().libraries)
        if (name == "eigen" || name == "libc") origin.emplace_back(name, version);
    REQUIRE(origin.size() == 4);
    for (const auto& [name, value] : origin) {
        CAPTURE(name);
        write_file_atomically(golden, here);
        Setup::edit(golden, member(name, value), member(name, "another"));
        CHECK(count_simulated_elsewhere(sample_figures(), setup.reference) == 1);
        CHECK(setup.compare().empty());
    }
    // What was not simulated is compared all the same.
    Setup::edit(csv, "7.5", "8.5");
    CHECK(setup.compare().size() == 1);
}
