#include "assay/numeric/number_text.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("a recorded number reads back to the same bits", "[numeric]") {
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

TEST_CASE("a NaN is never recorded", "[numeric]") {
    CHECK_THROWS_AS(number_to_text(std::numeric_limits<double>::quiet_NaN()), DomainError);
}

TEST_CASE("a text that is no number is refused", "[numeric]") {
    for (const char* text : {"", "nan", "NaN", "1.0x", "x", " 1", "1 ", "1e400", "infinity", "--1"})
        CHECK_FALSE(number_from_text(text).has_value());
}

TEST_CASE("a decimal is read as the nearest double, whole or not at all", "[numeric]") {
    CHECK(read_decimal("0.1") == 0.1);
    CHECK(read_decimal("5e4") == 50000.0);
    CHECK(read_decimal("-2.5e-3") == -0.0025);
    CHECK(read_decimal("1e-300") == 1e-300);
    CHECK(read_decimal("0.299999999999999988897769753748") == 0.3);
    CHECK(read_decimal("4.9e-324") == std::numeric_limits<double>::denorm_min());
    for (const char* text : {"", " 1", "1 ", "+1", "1,5", "0x10", "abc", "nan", "-nan", "1e",
                             "1.2.3", "--1", "e5", "1d", "\n1"})
        CHECK_FALSE(read_decimal(text).has_value());
}

TEST_CASE("beyond the range of double the nearest is infinite or zero", "[numeric]") {
    CHECK(read_decimal("1e999") == HUGE_VAL);
    CHECK(read_decimal("-1e999") == -HUGE_VAL);
    CHECK(read_decimal("inf") == HUGE_VAL);
    CHECK(read_decimal("1e-400") == 0.0);
    for (const char* small : {"1e-400", "-0.0001e-320", "2E-999"}) CHECK(is_underflow(small));
    for (const char* other : {"0", "0.0e5", "-0", "4.9e-324", "1e400", "x", "0e-400"})
        CHECK_FALSE(is_underflow(other));
}

TEST_CASE("numbers too small for a double are found outside texts and comments", "[numeric]") {
    CHECK(number_in(R"({"a": [1, 2e-308], "q": 1e-400, "r": 2e-500})", is_underflow) == "1e-400");
    CHECK(number_in("a = 0.5 # 1e-400\nb = +1_0e-4_00", is_underflow) == "+1_0e-4_00");
    CHECK(number_in("a = -1e-400", is_underflow) == "-1e-400");
    for (const char* none :
         {"", "\"1e-400\"", "'1e-400", "{\"\\\"1e-400\": 0e-400}", "a1 = 0.0", "#"})
        CHECK(number_in(none, is_underflow).empty());
}

TEST_CASE("integers are integral and exact", "[numeric]") {
    CHECK(as_integer(5e4) == 50000);
    CHECK(as_integer(1e12) == 1000000000000);
    CHECK(as_integer(-3.0) == -3);
    CHECK_FALSE(as_integer(0.5).has_value());
    CHECK_FALSE(as_integer(1e300).has_value());
    CHECK_FALSE(as_integer(std::nan("")).has_value());
    CHECK_FALSE(as_integer(HUGE_VAL).has_value());
}

TEST_CASE("an integer is read whole and within its type, or not at all", "[numeric]") {
    CHECK(read_integer<int>("-12") == -12);
    CHECK(read_integer<std::uint64_t>("18446744073709551615") == ~std::uint64_t{0});
    CHECK(read_integer<std::int8_t>("127") == 127);
    CHECK_FALSE(read_integer<std::int8_t>("128").has_value());
    CHECK_FALSE(read_integer<std::uint64_t>("-1").has_value());
    for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x10", "1e3", "--1", "-", "\n1"})
        CHECK_FALSE(read_integer<int>(text).has_value());
}

TEST_CASE("a printed bound stays on its side", "[numeric]") {
    CHECK(text_not_below(1.0 / 3.0, 4) == "0.3334");
    CHECK(text_not_above(1.0 / 3.0, 4) == "0.3333");
    CHECK(text_not_below(0.25) == "0.25");
    CHECK(text_not_above(0.25) == "0.25");
    CHECK(text_not_below(0.0) == "0");
    CHECK(text_not_below(HUGE_VAL) == "inf");
    for (double x = 1e-320; x < 1e300; x *= 7.3) {
        CHECK(read_decimal(text_not_below(x, 5)).value() >= x);
        CHECK(read_decimal(text_not_above(x, 5)).value() <= x);
        CHECK(read_decimal(text_not_below(-x, 5)).value() >= -x);
        if (x > 1e-300) CHECK(read_decimal(text_not_below(x, 5)).value() <= x * 1.0002);
    }
}
