#include "verify/oracles/trapezoid_planar.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/trapezoid_collinear.hpp"
#include "verify/oracles/trapezoid_plane.hpp"
#include "verify/oracles/trapezoid_plane_plan.hpp"

namespace assay::verify {

TEST_CASE("planar divergence of unsampled mechanisms is the Gaussian one", "[oracles]") {
    // q = 1: order |u-v|^2/2. v on either side of u's normal, near u's line and near the normal.
    struct Case {
        double u1, u2, v1, v2, half_square;
    };
    for (const Case& t : {Case{0.75, 0.5, -0.25, 1.5, 1.0}, Case{1.0, 0.25, -1.5, 0.125, 3.1328125},
                          Case{1.0, 0.0, -0.25, 1.0, 1.28125}, Case{1.0, 0.0, 1.5, 0.25, 0.15625}})
        for (const double order : {1.25, 9.0}) {
            const Interval found = planar_replace_one_rdp(order, 1.0, t.u1, t.u2, t.v1, t.v2, 64);
            CAPTURE(order, t.v1, t.v2);
            CHECK(overlap(found, Interval(order, 64) * t.half_square));
            CHECK(found.relative_width() <= 0x1p-64);
        }
}

TEST_CASE("planar divergence equals a value computed on another grid", "[oracles]") {
    // Computed independently with 35 digits (mpmath).
    const Interval value = Interval::decimal("0.071420376557671853821621500968321", 200);
    const Interval found = planar_replace_one_rdp(1.5, 0.25, 0.75, 0.5, -0.25, 1.0, 110);
    CHECK((abs(found - value) / value).upper_double() < 1e-30);
    CHECK(found.relative_width() <= 0x1p-110);
}

TEST_CASE("planar divergence does not depend on the coordinates", "[oracles]") {
    // A quarter turn and a reflection; along < 0 and along > 0; right angles.
    struct Case {
        double u1, u2, v1, v2;
    };
    for (const Case& t : {Case{0.75, 0.5, -0.25, 1.0}, Case{1.0, 0.25, -1.5, 0.125},
                          Case{1.2, 0.3, -0.3, 1.2}, Case{0.01, 0.02, 1.5, 1.0}}) {
        const auto at = [&](double u1, double u2, double v1, double v2) {
            return planar_replace_one_rdp(4.5, 0.125, u1, u2, v1, v2, 64);
        };
        const Interval first = at(t.u1, t.u2, t.v1, t.v2);
        CAPTURE(t.u1, t.u2, t.v1, t.v2);
        CHECK(first.relative_width() <= 0x1p-64);
        CHECK(overlap(first, at(t.u2, t.u1, t.v2, t.v1)));
        CHECK(overlap(first, at(-t.u2, t.u1, -t.v2, t.v1)));
    }
}

TEST_CASE("planar divergence is continuous where the points fall on one line", "[oracles]") {
    for (const double v : {1.0, -0.5}) {
        const Interval line = planar_replace_one_rdp(6.5, 0.1, 0.75, 0.0, v, 0.0, 64);
        const Interval plane = planar_replace_one_rdp(6.5, 0.1, 0.75, 0.0, v, 1e-12, 64);
        const Interval origin = planar_replace_one_rdp(6.5, 0.1, 0.0, 0.0, 0.75, 0.5, 64);
        CHECK((abs(line - plane) / line).upper_double() < 1e-11);
        CHECK(overlap(origin, planar_replace_one_rdp(6.5, 0.1, 0.0, 0.0, 0.5, 0.75, 64)));
        CHECK(origin.relative_width() <= 0x1p-64);
    }
}

TEST_CASE("planar divergence of equal distributions is zero", "[oracles]") {
    CHECK(planar_replace_one_rdp(3.0, 0.0, 1.0, 2.0, 3.0, 4.0, 64).is_zero());
    CHECK(planar_replace_one_rdp(3.0, 0.5, 1.0, 2.0, 1.0, 2.0, 64).is_zero());
    CHECK(equilateral_rdp(3.0, 2.0, 0.0, false, 64).is_zero());
}

TEST_CASE("planar bound of a rectangle lies above the exponent in it", "[oracles]") {
    const long bits = 160;
    const auto at = [](double x) { return Interval(x, bits); };
    const trapezoid::PlaneExponent psi(8.0, 0.05, {at(1.5), at(0.5), at(1.25)});
    for (const double left : {-4.0, 0.0, 9.0})
        for (const double low : {-7.0, 0.5}) {
            const double side = 3.0;
            const auto bound =
                psi.over(at(left), at(left + side), at(low), at(low + side)).psi.upper_double();
            double highest = -INFINITY;
            for (int i = 0; i <= 12; ++i)
                for (int j = 0; j <= 12; ++j)
                    highest = std::max(
                        highest, psi.at(at(left + i * 0.25), at(low + j * 0.25)).lower_double());
            CHECK(bound >= highest);
            CHECK(bound <= highest + 8.0);
        }
}

TEST_CASE("planar plan accounts for the nodes left out", "[oracles]") {
    const long bits = 160;
    const auto at = [](double x) { return Interval(x, bits); };
    const trapezoid::PlaneExponent psi(4.0, 0.05, {at(1.5), at(0.5), at(1.25)});
    const double step = 0.5;
    const auto plan = trapezoid::plan_plane(psi, at(step), at(step), 1.0);
    REQUIRE(plan);
    const auto value = [&](long j, long k) {
        return exp(psi.at(at(step * static_cast<double>(j)), at(step * static_cast<double>(k))) -
                   plan->scale);
    };
    Interval all(0.0, bits);
    for (long j = -60; j <= 60; ++j)
        for (long k = -60; k <= 60; ++k) all += value(j, k);
    Interval kept(0.0, bits);
    for (const auto& cell : plan->kept)
        for (long j = cell.first_row; j <= cell.last_row; ++j)
            for (long k = cell.first_column; k <= cell.last_column; ++k) kept += value(j, k);
    CHECK(certainly_below(kept, all));
    CHECK((kept + plan->omitted - all).upper_double() >= 0.0);  // the upper end is the bound
    CHECK((plan->omitted / kept).upper_double() < 0.2);
}

TEST_CASE("planar divergence too costly is refused quickly", "[oracles]") {
    CHECK(
        std::isinf(planar_replace_one_rdp(1e4, 0.5, 300.0, 0.0, 100.0, 200.0, 64).upper_double()));
}

}  // namespace assay::verify
