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
struct Scene {
    ScratchFolder folder{"runner"};
    RunOptions options{.parameters = folder.path() / "experiments",
                       .out = folder.path() / "latest",
                       .threads = 2,
                       .program = folder.path() / "program"};

    Scene() {
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
    Scene scene;
    CHECK(scene.run().empty());
    const fs::path out = scene.options.out;
    CHECK(read_file(out / "sample/fig01_one.csv") ==
          "series,x,y,status\nline,1,2.5,certified\nline,2,5,certified\nline,3,7.5,certified\n");
    const auto claims = claims_from_json(read_file(out / "claims.json"), "claims.json");
    REQUIRE(claims.size() == 2);
    CHECK(std::get<double>(claims[1].found) == 7.5);
    CHECK_THAT(summary_table(out, sample_figures()), Catch::Contains("1 reproduced"));
}

TEST_CASE("a result does not depend on the number of threads", "[experiments]") {
    Scene one;
    one.options.threads = 1;
    CHECK(one.run().empty());
    const std::string csv = read_file(one.options.out / "sample/fig02_two.csv");
    one.options.threads = 8;
    CHECK(one.run().empty());
    CHECK(read_file(one.options.out / "sample/fig02_two.csv") == csv);
}

TEST_CASE("only what is stale is run again", "[experiments]") {
    Scene scene;
    std::vector<std::string> ran;
    scene.options.progress = [&](const std::string& stem, std::size_t done, std::size_t all) {
        ran.push_back(stem);
        CHECK(done <= all);
    };
    scene.options.stale_only = true;
    const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const Figure& figure : sample_figures())
        fs::last_write_time(scene.toml(figure.stem), past);
    fs::last_write_time(scene.options.program, past);

    CHECK(scene.run().empty());
    CHECK(ran.size() == 2);
    CHECK(scene.run().empty());
    CHECK(ran.size() == 2);
    const fs::path cut = scene.options.out / "sample/fig01_one.csv";
    write_file_atomically(cut, "x\n");
    fs::last_write_time(cut, fs::file_time_type::clock::now() + std::chrono::seconds(2));
    CHECK(scene.run().empty());
    CHECK(ran.size() == 3);
    CHECK(read_file(cut) != "x\n");
    const auto future = fs::file_time_type::clock::now() + std::chrono::hours(1);
    fs::last_write_time(scene.toml("sample/fig02_two"), future);
    CHECK(scene.run().empty());
    REQUIRE(ran.size() == 4);
    CHECK(ran.back() == "sample/fig02_two");
    fs::last_write_time(scene.options.program, future);
    CHECK(scene.run().empty());
    CHECK(ran.size() == 6);
}

TEST_CASE("a malformed TOML stops everything before it starts", "[experiments]") {
    Scene scene;
    write_file_atomically(scene.toml("sample/fig02_two"), "title = 'x'\nfactor = = 1\n");
    CHECK_THROWS_WITH(scene.run(), Catch::Contains("fig02_two.toml:2: "));
    CHECK_FALSE(fs::exists(scene.options.out));
}

TEST_CASE("a preset that no figure has is refused", "[experiments]") {
    Scene scene;
    scene.options.preset = "papr";
    CHECK_THROWS_WITH(scene.run(), Catch::Contains("preset = papr"));
    CHECK_FALSE(has_result(scene.options.out, "sample/fig01_one"));
    const fs::path file = scene.toml("sample/fig01_one");
    write_file_atomically(file, read_file(file) + "[preset.papr]\n");
    CHECK(scene.run().empty());
}

TEST_CASE("a figure that fails leaves no file, and the others are written", "[experiments]") {
    Scene scene;
    const std::pair<const char*, const char*> cases[] = {
        {"title = 'x'\nfactor = 1\nx = [1]\nfcator = 2\n",
         "fig02_two.toml:4: fcator is no parameter of this figure"},
        {"title = 'x'\nx = [1]\n", "factor is missing"},
        {"factor = 1\nx = [1]\n", "title is missing"},
        {"title = ''\nfactor = 1\nx = [1]\n", "id = \"\" is not admitted"}};
    for (const auto& [bad, complaint] : cases) {
        write_file_atomically(scene.toml("sample/fig02_two"), bad);
        const auto failures = scene.run();
        REQUIRE(failures.size() == 1);
        CHECK_THAT(failures[0], Catch::Contains(complaint));
        CHECK(has_result(scene.options.out, "sample/fig01_one"));
        CHECK_FALSE(fs::exists(scene.options.out / "sample/fig02_two.csv"));
    }
}

TEST_CASE("a folder that cannot be written is refused before the work", "[experiments]") {
    Scene scene;
    write_file_atomically(scene.options.out, "a file in the way");
    CHECK_THROWS_AS(scene.run(), FileError);
    CHECK(read_file(scene.options.out) == "a file in the way");
}
