#include "experiments/runner.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "assay/numeric/errors.hpp"
#include "experiments/result_files.hpp"
#include "experiments/sample_figure.hpp"

using namespace assay;
using namespace assay::experiments;
namespace fs = std::filesystem;

namespace {

/// Parameters and results of one test; a run of the sample figures in it.
struct RunnerSetup {
    ScratchFolder folder{"runner"};
    RunOptions options{.parameters = folder.path() / "experiments",
                       .out = folder.path() / "latest",
                       .threads = 2,
                       .program = folder.path() / "program"};

    RunnerSetup() {
        write_file_atomically(options.program, "");
        write_sample_parameters(options.parameters, "2.5");
    }
    [[nodiscard]] std::vector<std::string> run() const {
        return run_figures(sample_figures(), sample_figures(), options);
    }
    [[nodiscard]] fs::path toml(const std::string& stem) const {
        return options.parameters / (stem + ".toml");
    }
};

}  // namespace

TEST_CASE("a run writes every result and all claims", "[experiments]") {
    RunnerSetup setup;
    CHECK(setup.run().empty());
    const fs::path out = setup.options.out;
    CHECK(read_file(out / "sample/fig01_one.csv") ==
          "series,x,y,status\nline,1,2.5,certified\nline,2,5,certified\nline,3,7.5,certified\n");
    const auto claims = claims_from_json(read_file(out / "claims.json"), "claims.json");
    REQUIRE(claims.size() == 2);
    CHECK(std::get<double>(claims[1].found) == 7.5);
    CHECK_THAT(summary_table(out, sample_figures()), Catch::Contains("1 reproduced"));
}

TEST_CASE("a result does not depend on the number of threads", "[experiments]") {
    RunnerSetup one;
    one.options.threads = 1;
    CHECK(one.run().empty());
    const std::string csv = read_file(one.options.out / "sample/fig02_two.csv");
    one.options.threads = 8;
    CHECK(one.run().empty());
    CHECK(read_file(one.options.out / "sample/fig02_two.csv") == csv);
}

TEST_CASE("only what is stale is run again", "[experiments]") {
    RunnerSetup setup;
    std::vector<std::string> ran;
    setup.options.progress = [&](const std::string& stem, std::size_t done, std::size_t all) {
        ran.push_back(stem);
        CHECK(done <= all);
    };
    setup.options.stale_only = true;
    const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const Figure& figure : sample_figures())
        fs::last_write_time(setup.toml(figure.stem), past);
    fs::last_write_time(setup.options.program, past);

    CHECK(setup.run().empty());
    CHECK(ran.size() == 2);
    CHECK(setup.run().empty());
    CHECK(ran.size() == 2);
    const fs::path cut = setup.options.out / "sample/fig01_one.csv";
    write_file_atomically(cut, "x\n");
    fs::last_write_time(cut, fs::file_time_type::clock::now() + std::chrono::seconds(2));
    CHECK(setup.run().empty());
    CHECK(ran.size() == 3);
    CHECK(read_file(cut) != "x\n");
    for (const char* damaged : {"sample/fig01_one.csv", "sample/fig01_one.json"}) {
        const fs::path file = setup.options.out / damaged;
        const auto written = fs::last_write_time(file);
        const std::string whole = read_file(file);
        write_file_atomically(file, whole.substr(0, whole.size() - 3));
        fs::last_write_time(file, written);
        const std::size_t before = ran.size();
        CHECK(setup.run().empty());
        REQUIRE(ran.size() == before + 1);
        CHECK(ran.back() == "sample/fig01_one");
    }
    const auto future = fs::file_time_type::clock::now() + std::chrono::hours(1);
    fs::last_write_time(setup.toml("sample/fig02_two"), future);
    CHECK(setup.run().empty());
    REQUIRE(ran.size() == 6);
    CHECK(ran.back() == "sample/fig02_two");
    fs::last_write_time(setup.options.program, future);
    CHECK(setup.run().empty());
    CHECK(ran.size() == 8);
}

TEST_CASE("a malformed TOML stops everything before it starts", "[experiments]") {
    RunnerSetup setup;
    write_file_atomically(setup.toml("sample/fig02_two"), "title = 'x'\nfactor = = 1\n");
    CHECK_THROWS_WITH(setup.run(), Catch::Contains("fig02_two.toml:2: "));
    CHECK_FALSE(fs::exists(setup.options.out));
}

TEST_CASE("a preset that no figure has is refused", "[experiments]") {
    RunnerSetup setup;
    setup.options.preset = "papr";
    CHECK_THROWS_WITH(setup.run(), Catch::Contains("preset = papr"));
    CHECK_FALSE(has_result(setup.options.out, "sample/fig01_one"));
    const fs::path file = setup.toml("sample/fig01_one");
    write_file_atomically(file, read_file(file) + "[preset.papr]\n");
    CHECK(setup.run().empty());
}

TEST_CASE("a figure that fails leaves no file, and the others are written", "[experiments]") {
    RunnerSetup setup;
    const std::pair<const char*, const char*> cases[] = {
        {"title = 'x'\nfactor = 1\nx = [1]\nfcator = 2\n",
         "fig02_two.toml:4: fcator is no parameter of this figure"},
        {"title = 'x'\nx = [1]\n", "factor is missing"},
        {"factor = 1\nx = [1]\n", "title is missing"},
        {"title = ''\nfactor = 1\nx = [1]\n", "id = \"\" is not admitted"}};
    for (const auto& [bad, complaint] : cases) {
        write_file_atomically(setup.toml("sample/fig02_two"), bad);
        const auto failures = setup.run();
        REQUIRE(failures.size() == 1);
        CHECK_THAT(failures[0], Catch::Contains(complaint));
        CHECK(has_result(setup.options.out, "sample/fig01_one"));
        CHECK_FALSE(fs::exists(setup.options.out / "sample/fig02_two.csv"));
    }
}

TEST_CASE("a folder that cannot be written is refused before the work", "[experiments]") {
    RunnerSetup setup;
    write_file_atomically(setup.options.out, "a file in the way");
    CHECK_THROWS_AS(setup.run(), FileError);
    CHECK(read_file(setup.options.out) == "a file in the way");
}
