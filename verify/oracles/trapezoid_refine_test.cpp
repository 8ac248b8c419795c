#include "verify/oracles/trapezoid_refine.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

namespace assay::verify::trapezoid {

namespace {

// log(1 + excess) to `bits` of 1.
Interval rounded(double excess, long bits) {
    const Interval f = 1.0 + Interval(excess, 2000);
    const Interval slack =
        Interval::between(Interval(-std::ldexp(1.0, -static_cast<int>(bits)), 2000),
                          Interval(std::ldexp(1.0, -static_cast<int>(bits)), 2000));
    return log(f + slack);
}

}  // namespace

TEST_CASE("divergence precision follows the excess of the moment", "[oracles]") {
    for (const double guess : {0x1p-90, 0.0, 1.0}) {
        std::vector<long> asked;
        const Interval d = divergence_from(
            [&](long bits) {
                asked.push_back(bits);
                return std::optional<Interval>(rounded(0x1p-90, bits));
            },
            3.0, guess, 64);
        CHECK(d.relative_width() <= 0x1p-64);
        CHECK(overlap(d, log1p(Interval(0x1p-90, 2000)) / 2.0));
        CHECK(asked.back() < 400);
    }
}

TEST_CASE("divergence below zero is cut", "[oracles]") {
    const Interval d = divergence_from(
        [](long bits) {
            if (bits > 200) return std::optional<Interval>();
            return std::optional<Interval>(rounded(0x1p-900, bits));
        },
        2.0, 0.0, 64);
    CHECK(d.lower_double() == 0.0);
    CHECK(d.upper_double() < 1e-20);
}

TEST_CASE("divergence that cannot be computed is any nonnegative number", "[oracles]") {
    const Interval d =
        divergence_from([](long) { return std::optional<Interval>(); }, 2.0, 0.0, 64);
    CHECK(d.lower_double() == 0.0);
    CHECK(std::isinf(d.upper_double()));
}

}  // namespace assay::verify::trapezoid
