#include "assay/numeric/errors.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

using namespace assay;

TEST_CASE("a domain error names the parameter, its value and what is admitted", "[errors]") {
    const DomainError error("sigma", -1.5, "sigma > 0");
    CHECK(error.parameter() == "sigma");
    CHECK(error.value() == "-1.5");
    CHECK(error.admissible() == "sigma > 0");
    CHECK(std::string(error.what()) == "sigma = -1.5 is not admitted: sigma > 0");
    const DomainError words("adjacency", std::string("both"), "one of three");
    CHECK(words.value() == "both");
    CHECK(std::string(words.what()) == "adjacency = both is not admitted: one of three");
}

TEST_CASE("a file error points at the line, or at the file as a whole", "[errors]") {
    const FileError line("a.toml", 7, "no value");
    CHECK(std::string(line.what()) == "a.toml:7: no value");
    CHECK(line.file() == "a.toml");
    CHECK(line.line() == 7);
    CHECK(std::string(FileError("a.toml", 0, "cannot be read").what()) == "a.toml: cannot be read");
}

TEST_CASE("every error is one base, and one line", "[errors]") {
    CHECK_THROWS_AS(throw DirectionError("x"), Error);
    CHECK_THROWS_AS(throw UnsupportedMechanism("x"), Error);
    CHECK_THROWS_AS(throw DomainError("q", 2.0, "q <= 1"), Error);
    CHECK_THROWS_AS(throw FileError("f", 1, "x"), std::runtime_error);
}

TEST_CASE("require refuses what is false, a NaN comparison among it", "[errors]") {
    CHECK_NOTHROW(require(true, "q", 0.5, "0 <= q <= 1"));
    CHECK_THROWS_AS(require(false, "q", 1.5, "0 <= q <= 1"), DomainError);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    try {
        require(nan > 0.0, "q", nan, "q > 0");
        FAIL("a NaN was let through");
    } catch (const DomainError& error) {
        CHECK(error.parameter() == "q");
        CHECK(error.value() == "nan");
    }
}

TEST_CASE("a null byte of an input does not end a message", "[errors]") {
    const DomainError error("category", std::string("3\0", 2), "an integer");
    CHECK(std::string(error.what()) == "category = 3? is not admitted: an integer");
}
