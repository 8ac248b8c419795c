#include "assay/files/bounded_input.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("lines are those of getline", "[files]") {
    // Lengths around the internal buffer of 4096, ends with and without a line feed.
    for (const std::size_t length : {0U, 1U, 4094U, 4095U, 4096U, 4097U, 8190U, 8191U, 8192U})
        for (const std::string end : {"", "\n", "\n\n", "\nlast", "\nlast\n"}) {
            const std::string text = std::string(length, 'x') + end;
            std::istringstream expected(text);
            std::istringstream in(text);
            std::string line;
            for (std::string other; std::getline(expected, other);) {
                CAPTURE(length, end);
                REQUIRE(read_line(in, line, 10'000));
                CHECK(line == other);
            }
            CHECK_FALSE(read_line(in, line, 10'000));
            CHECK(in.eof());
            CHECK_FALSE(in.bad());
        }
}

TEST_CASE("a line that is too long keeps one byte more, and the next is read", "[files]") {
    for (const std::size_t length : {4095U, 4096U, 9'999U, 10'000U, 10'001U, 50'000U}) {
        std::istringstream in(std::string(length, 'x') + "\nnext");
        std::string line;
        CAPTURE(length);
        REQUIRE(read_line(in, line, 10'000));
        CHECK(line == std::string(std::min<std::size_t>(length, 10'001), 'x'));
        REQUIRE(read_line(in, line, 10'000));
        CHECK(line == "next");
    }
}

TEST_CASE("endless input ends with an error that names the largest size", "[files]") {
    std::ifstream zeros("/dev/zero", std::ios::binary);
    std::string line;
    CHECK_THROWS_WITH(read_line(zeros, line, largest_json_line), Catch::Contains("1024 MiB"));
    CHECK(line.size() == largest_json_line + 1);
    CHECK_THROWS_WITH(read_file_of_at_most("/dev/zero", largest_schedule),
                      Catch::Contains("1 MiB"));
}

TEST_CASE("a file of the largest size is read, a longer one is not", "[files]") {
    const ScratchFolder folder("bounded");
    const auto file = folder.path() / "file";
    const std::string text(100'000, 'y');
    write_file_atomically(file, text);
    CHECK(read_file_of_at_most(file, 100'000) == text);
    CHECK_THROWS_AS(read_file_of_at_most(file, 99'999), FileError);
}
