#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/oracle.hpp"

namespace assay::verify {

namespace {

Interval answer(std::string_view quantity, const Point& point, long bits) {
    for (const Oracle& oracle : trapezoid_oracles())
        if (oracle.quantity == quantity) {
            REQUIRE(oracle.covers(point));
            return oracle.evaluate(point, bits);
        }
    FAIL("no oracle for " << quantity);
    return Interval::whole_line(bits);
}

}  // namespace

TEST_CASE("trapezoid oracles equal values computed with 40 digits", "[oracles]") {
    // Computed independently with 40+ digits (mpmath), at parameters that are doubles.
    struct Case {
        const char* quantity;
        const char* point;
        const char* value;
        double accuracy;
    };
    for (const Case& t : {
             Case{"exact.fixed_size_without_replacement", "alpha=2.5 sigma=2 q=0.25",
                  "0.149450848843932416837444286900040103037166", 1e-39},
             Case{"exact.fixed_size_without_replacement_reverse", "alpha=2.5 sigma=2 q=0.25",
                  "0.0648159981335718273058294964053390443239534", 1e-39},
             Case{"exact.poisson_add_remove", "alpha=2.5 s=1 q=0.25",
                  "0.149450848843932416837444286900040103037166", 1e-39},
             Case{"exact.poisson_add_remove_reverse", "alpha=2.5 s=1 q=0.25",
                  "0.0648159981335718273058294964053390443239534", 1e-39},
             Case{"exact.poisson_replace_one", "alpha=3.25 sigma=0.5 q=0.25",
                  "4.78580933080037365410182473782161408383062", 1e-39},
             Case{"exact.replace_one_collinear", "alpha=1.125 sigma=2 q=0.25 x=0.75 y=-0.5",
                  "0.054154264286870490155693976966920807494832", 1e-39},
             Case{"exact.fixed_size_with_replacement", "alpha=2.5 sigma=4 B=6 D=16",
                  "0.0583044990364861022094742026692047192606914", 1e-39},
             Case{"exact.fixed_size_with_replacement_reverse", "alpha=2.5 sigma=4 B=6 D=16",
                  "0.0393768591792682397385760855464860361006405", 1e-39},
             Case{"exact.replace_one_equilateral", "alpha=2.5 sigma=2 q=0.25",
                  "0.11744890340454373833866890070438", 1e-30},
             Case{"exact.replace_one_equilateral_attainable", "alpha=3.5 sigma=20 q=0.3",
                  "0.00118405696987433482379320725718", 1e-14},  // q as a decimal
             Case{"exact.fixed_size_with_replacement", "alpha=1.5 sigma=6 B=120 D=50000",
                  "0.000000507749985484233979061005319974", 1e-22},
             Case{"exact.log_absolute_moment", "sigma=100 j=7", "-23.72352468406603277815635",
                  1e-22},
         }) {
        CAPTURE(t.quantity, t.point);
        const Point point = Point::parse(t.point);
        for (const long bits : {64L, 150L}) {
            const Interval found = answer(t.quantity, point, bits);
            CHECK(found.relative_width() <= std::ldexp(1.0, -static_cast<int>(bits)));
            const Interval value = Interval::decimal(t.value, 300);
            CHECK((abs(found - value) / abs(value)).upper_double() < std::max(t.accuracy, 0x1p-64));
        }
    }
}

TEST_CASE("trapezoid oracles answer exactly zero where nothing differs", "[oracles]") {
    for (const char* quantity :
         {"exact.fixed_size_without_replacement", "exact.fixed_size_without_replacement_reverse",
          "exact.poisson_replace_one", "exact.replace_one_equilateral",
          "exact.replace_one_equilateral_attainable"})
        CHECK(answer(quantity, Point::parse("alpha=3.5 sigma=2 q=0"), 64).is_zero());
    CHECK(answer("exact.poisson_add_remove", Point::parse("alpha=3 s=2 q=0"), 64).is_zero());
    const Point same = Point::parse("alpha=3 sigma=0.3 q=0.1 x=0.7 y=0.7");
    CHECK(answer("exact.replace_one_collinear", same, 64).is_zero());
}

TEST_CASE("trapezoid oracles reach the corners of the domain", "[oracles]") {
    for (const char* point :
         {"alpha=1.000001 sigma=10000 q=1e-9", "alpha=10000 sigma=10000 q=1e-9",
          "alpha=10000 sigma=0.05 q=1e-9", "alpha=1.000001 sigma=0.05 q=1e-9",
          "alpha=10000 sigma=0.05 q=0.9999999999999999", "alpha=2 sigma=0.05 q=1"}) {
        CAPTURE(point);
        CHECK(answer("exact.fixed_size_without_replacement", Point::parse(point), 64)
                  .relative_width() <= 0x1p-64);
    }
    const Point large = Point::parse("alpha=64 sigma=6 B=100000 D=1000000000");
    CHECK(answer("exact.fixed_size_with_replacement", large, 64).relative_width() <= 0x1p-64);
    CHECK(answer("exact.fixed_size_with_replacement_reverse", large, 64).relative_width() <=
          0x1p-64);
}

TEST_CASE("trapezoid oracles cover what they can", "[oracles]") {
    for (const Oracle& oracle : trapezoid_oracles()) {
        if (oracle.quantity == "exact.log_absolute_moment") {
            CHECK(oracle.covers(Point{{"sigma", 2.0}, {"j", 3.0}}));
            CHECK_FALSE(oracle.covers(Point{{"sigma", 2.0}, {"j", 4.0}}));
        }
        if (oracle.quantity == "exact.fixed_size_with_replacement")
            CHECK_FALSE(oracle.covers(Point{{"B", 1.0}, {"D", 1.0}}));
    }
}

}  // namespace assay::verify
