#include "verify/oracles/integer_order_mixture.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Point at(double alpha, double sigma, double B, double D) {
    return {{"alpha", alpha}, {"sigma", sigma}, {"B", B}, {"D", D}};
}

}  // namespace

TEST_CASE("the nested sum agrees with the integral of the mixture") {
    // The trapezoid rule, computed independently with 60+ digits (mpmath).
    for (const long bits : {64, 256}) {
        CHECK(agrees(mixture_by_multisets(at(3, 2, 5, 100), bits),
                     "2.9975557984232144707561931039557", bits));
        CHECK(agrees(mixture_by_multisets(at(4, 8, 12, 100), bits),
                     "0.0019008654777775369409288448146498", bits));
        CHECK(agrees(mixture_by_power(at(6, 4, 6, 32), bits), "2.1794601558685288633023470043925",
                     bits));
        CHECK(agrees(mixture_by_power(at(12, 16, 24, 64), bits),
                     "0.014218061738832337918263853995715", bits));
    }
}

TEST_CASE("both routes through sampling with replacement agree") {
    // Low copies dominate, the full batch dominates, and both matter.
    for (const Point& point : {at(2, 6, 120, 50000), at(3, 2, 30, 60), at(4, 6, 20, 20000),
                               at(7, 4, 5, 1000), at(9, 1, 3, 8), at(2, 0.1, 100, 101)}) {
        CAPTURE(point.text());
        const Interval nested = mixture_by_multisets(point, 128);
        const Interval power = mixture_by_power(point, 128);
        CHECK(overlap(nested, power));
        CHECK(nested.relative_width() <= 0x1p-128);
        CHECK(power.relative_width() <= 0x1p-128);
    }
}

TEST_CASE("one draw with replacement is sampling without replacement") {
    // B = 1 is the pair at q = 1/D. Computed independently with 60+ digits (mpmath).
    CHECK(agrees(mixture_by_power(at(5, 2, 1, 8), 64), "0.2357101452124244826586034673805"));
    CHECK(agrees(mixture_by_multisets(at(5, 2, 1, 8), 64), "0.2357101452124244826586034673805"));
}

TEST_CASE("a dataset of one record is the plain Gaussian of B copies") {
    // 2 alpha B^2 / sigma^2
    CHECK(agrees(mixture_by_power(at(6, 4, 3, 1), 64), "6.75"));
    CHECK(agrees(mixture_by_multisets(at(6, 4, 3, 1), 64), "6.75"));
}

TEST_CASE("large mixtures are quick and narrow") {
    // Sizes at which the nested sum cannot be formed.
    for (const Point& point :
         {at(10, 6, 120, 50000), at(64, 20, 1e5, 1e9), at(256, 100, 120, 50000)}) {
        CAPTURE(point.text());
        CHECK(mixture_by_power(point, 64).relative_width() <= 0x1p-64);
    }
}

TEST_CASE("the nested sum is asked for small sizes only") {
    const auto oracles = integer_order_mixture_oracles();
    const Oracle nested = oracle_named(oracles, "birrell2024.thm_3_7", "nested");
    const Oracle power = oracle_named(oracles, "birrell2024.thm_3_7", "power");
    CHECK(nested.covers(at(4, 6, 10, 100)));
    CHECK_FALSE(nested.covers(at(8, 6, 120, 50000)));
    CHECK(power.covers(at(8, 6, 120, 50000)));
    CHECK_FALSE(power.covers(at(8.5, 6, 120, 50000)));
}
