#include "verify/case_file.hpp"

#include <catch2/catch.hpp>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"

using namespace assay;
using namespace assay::verify;

TEST_CASE("hard cases are appended once and read back", "[hard_cases]") {
    const ScratchFolder folder("hard-cases");
    const HardCase first{"exact.a.encloses", {{"alpha", 2.5}, {"q", 0.1}}, "rounding, once wrong"};
    const HardCase second{"birrell2024.b", {{"alpha", 3.0}}, "found by search"};
    CHECK(append_hard_cases(folder.path(), {first, second, first}) == 2);
    CHECK(append_hard_cases(folder.path(), {first}) == 0);
    CHECK(std::filesystem::exists(folder.path() / "exact.csv"));
    const auto cases = read_hard_cases(folder.path());
    REQUIRE(cases.size() == 2);
    CHECK(cases[0] == second);
    CHECK(cases[1] == first);
}

TEST_CASE("a damaged file of hard cases is refused at its line", "[hard_cases]") {
    const ScratchFolder folder("hard-cases-bad");
    const auto path = folder.path() / "exact.csv";
    for (const auto& [text, line] :
         {std::pair{"check,point\n", 1}, std::pair{"check,point,reason\nexact.a,alpha=2\n", 2},
          std::pair{"check,point,reason\nexact.a,alpha=2,why\nexact.a,alpha,why\n", 3},
          std::pair{"check,point,reason\nexact.a,,why\n", 2}}) {
        write_file_atomically(path, text);
        try {
            (void)read_hard_cases(folder.path());
            FAIL("accepted: " << text);
        } catch (const FileError& error) {
            CHECK(error.line() == line);
        }
    }
    CHECK_THROWS_AS(read_hard_cases(folder.path() / "nowhere"), FileError);
}
