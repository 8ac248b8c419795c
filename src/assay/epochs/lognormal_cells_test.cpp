#include "assay/epochs/lognormal_cells.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// P(z < Z < z + w), both ends on one side of 0 taken from the tails there.
Wide normal_between(const Wide& left, const Wide& right) {
    const Wide root = sqrt(Wide(2));
    if (left > 0) return (erfc(left / root) - erfc(right / root)) / 2;
    return (erfc(-right / root) - erfc(-left / root)) / 2;
}

}  // namespace

TEST_CASE("a cell's mass and excess are those of the lognormal", "[lognormal_cells]") {
    Random random(20261121);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const double noise = random.log_uniform(0.05, 20.0);
        const double slope = 1.0 / noise;
        const double left = 0.5 * slope * slope + slope * random.uniform(-12.0, 12.0);
        const double right = left + random.log_uniform(1e-4, 0.3);
        CAPTURE(noise, left, right);
        const LognormalCells cells(noise);
        const LognormalCells::Cell cell = cells.between(left, right);
        const Wide s = 1 / Wide(noise);
        const Wide z0 = Wide(left) / s + s / 2;
        const Wide z1 = Wide(right) / s + s / 2;
        const Wide mass = normal_between(z0, z1);
        const Wide excess = normal_between(z0 - s, z1 - s) * exp(-Wide(left)) - mass;
        const double error =
            cells.rounding(std::max(std::fabs(cells.score(left)), std::fabs(cells.score(right))));
        CHECK(abs(Wide(cell.mass) - mass) <= mass * Wide(error));
        CHECK(abs(Wide(cell.excess) - excess) <= excess * Wide(error));
    }
}

TEST_CASE("below and above a position lie probability 1 and mean 1", "[lognormal_cells]") {
    for (const double noise : {0.1, 0.4, 3.0}) {
        const LognormalCells cells(noise);
        for (const double position : {-2.0, 0.0, 1.5}) {
            CAPTURE(noise, position);
            const MassMoment below = cells.below(position);
            const MassMoment above = cells.above(position);
            CHECK(below.mass + above.mass == Approx(1.0).epsilon(1e-14));
            CHECK(below.moment + above.moment == Approx(1.0).epsilon(1e-14));
            CHECK(below.moment <= below.mass * std::exp(position));
            CHECK(above.moment >= above.mass * std::exp(position));
        }
    }
}

TEST_CASE("a cell much wider than the distribution is found", "[lognormal_cells]") {
    const LognormalCells cells(1e6);
    const LognormalCells::Cell cell = cells.between(-0.02, 0.02);
    CHECK(cell.mass == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("noise too small for the scores is refused", "[lognormal_cells]") {
    for (const double noise : {0.0, -1.0, 0.009, std::nan("")})
        CHECK(refused([&] { return LognormalCells(noise).score(0.0); }) == "noise-multiplier");
}
