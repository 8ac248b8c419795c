#include "experiments/result_files.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"
#include "experiments/sample_figure.hpp"

using namespace assay;
using namespace assay::experiments;

TEST_CASE("a result is two files named by its stem", "[experiments]") {
    const ResultFiles files = result_files("out", "sample/fig01_one");
    CHECK(files.csv == "out/sample/fig01_one.csv");
    CHECK(files.json == "out/sample/fig01_one.json");
}

TEST_CASE("a damaged result is refused by name", "[experiments]") {
    const ScratchFolder folder("result_files");
    const auto json = folder.path() / "sample/fig01_one.json";
    write_file_atomically(folder.path() / "sample/fig01_one.csv", "");
    CHECK_FALSE(has_result(folder.path(), "sample/fig01_one"));
    for (const char* text : {"", "[]", "{}", R"({"claims": 1})", R"({"claims": [], "run": {}})"}) {
        write_file_atomically(json, text);
        CHECK_THROWS_WITH(summary_table(folder.path(), sample_figures()),
                          Catch::Contains("fig01_one.json: "));
    }
    write_file_atomically(json, R"({"claims": [], "run": {"seconds": 1.5}})");
    CHECK_THAT(summary_table(folder.path(), sample_figures()),
               Catch::Contains("sample/fig01_one      1.50  no claim"));
    CHECK(collect_claims(folder.path(), sample_figures()) == "[]\n");
}
