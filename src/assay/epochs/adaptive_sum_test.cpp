#include "assay/epochs/adaptive_sum.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide payoff(const AtomicDistribution& distribution, double threshold, bool excess) {
    Wide sum =
        excess ? Wide(distribution.above.moment) - Wide(threshold) * Wide(distribution.above.mass)
               : Wide(0);
    for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
        const Wide gain = (Wide(distribution.positions[i]) - Wide(threshold)) * (excess ? 1 : -1);
        if (gain > 0) sum += Wide(distribution.masses[i]) * gain;
    }
    return sum;
}

}  // namespace

TEST_CASE("a centred grid begins at 0 and is finest at the mean", "[adaptive_sum]") {
    const CentredGrid grid = centred_grid(100.0, 10.0, 0.1, 60.0, 1e5);
    CHECK(grid.points[0] == -100.0);
    CHECK(grid.points[1] == -60.0);
    CHECK(std::is_sorted(grid.points.begin(), grid.points.end()));
    CHECK(grid.points.back() >= 1e5 - 100.0);
    double finest = 1e300;
    double where = 0.0;
    for (std::size_t i = 1; i < grid.points.size(); ++i)
        if (grid.points[i] - grid.points[i - 1] < finest) {
            finest = grid.points[i] - grid.points[i - 1];
            where = grid.points[i];
        }
    CHECK(std::fabs(where) < 2.0);
    CHECK(finest == Approx(1.0).epsilon(0.01));
    // A sum of one variable reaches down to 0 itself.
    CHECK(centred_grid(1.0, 0.2, 0.1, 60.0, 50.0).points.front() == -1.0);
}

TEST_CASE("centred sums keep probability and mean and stand on their sides", "[adaptive_sum]") {
    const double noise = 0.8;
    const auto grid = [](double n) {
        return centred_grid(n, 2.0 * std::sqrt(n), 0.1, 10.0 * std::sqrt(n), 300.0);
    };
    for (const ConvexSide side : {ConvexSide::below, ConvexSide::above}) {
        const CentredDistribution one = centred_lognormal(noise, grid(1.0), side);
        const CentredDistribution two = centred_sum(one, one, grid(2.0), side);
        const CentredDistribution three = centred_sum(two, one, grid(3.0), side);
        for (const CentredDistribution* distribution : {&one, &two, &three}) {
            Wide mass = Wide(distribution->top.mass);
            Wide moment = Wide(distribution->top.moment);
            for (std::size_t i = 0; i < distribution->mass.size(); ++i) {
                mass += Wide(distribution->mass[i]);
                moment += Wide(distribution->mass[i]) *
                          (Wide(distribution->mean) + Wide(distribution->position[i]));
            }
            CAPTURE(distribution->mean);
            CHECK(abs(mass - 1) < Wide(1e-12));
            CHECK(abs(moment - Wide(distribution->mean)) < Wide(1e-11));
        }
        // Against all pairs of atoms.
        const SumPayoffs pairs(atoms(two), atoms(one));
        const AtomicDistribution sum = atoms(three);
        for (const double threshold : {0.5, 2.0, 3.0, 4.0, 9.0, 60.0}) {
            CAPTURE(threshold, side == ConvexSide::above);
            for (const bool excess : {true, false}) {
                const Wide exact(excess ? pairs.excess(threshold) : pairs.shortfall(threshold));
                const Wide found = payoff(sum, threshold, excess);
                const Wide slack = exact * Wide(1e-10) + Wide(1e-14);
                if (side == ConvexSide::above)
                    CHECK(found >= exact - slack);
                else
                    CHECK(found <= exact + slack);
            }
        }
    }
}
