#include "assay/record/number_text.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("a recorded number reads back to the same bits", "[record]") {
    const double values[] = {0.0,
                             -0.0,
                             1.0 / 3.0,
                             0.1,
                             5e-324,
                             1e-310,
                             1.0e308,
                             -2.5e-17,
                             M_PI,
                             std::nextafter(1.0, 2.0),
                             std::numeric_limits<double>::infinity()};
    for (const double value : values) {
        const auto read = number_from_text(number_to_text(value));
        REQUIRE(read.has_value());
        CHECK(*read == value);
        CHECK(std::signbit(*read) == std::signbit(value));
    }
    CHECK(number_to_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("a NaN is never recorded", "[record]") {
    CHECK_THROWS_AS(number_to_text(std::numeric_limits<double>::quiet_NaN()), DomainError);
}

TEST_CASE("a text that is no number is refused", "[record]") {
    for (const char* text : {"", "nan", "NaN", "1.0x", "x", " 1", "1 ", "1e400", "infinity", "--1"})
        CHECK_FALSE(number_from_text(text).has_value());
}
