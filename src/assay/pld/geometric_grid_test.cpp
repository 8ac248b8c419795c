#include "assay/pld/geometric_grid.hpp"

#include <cmath>
#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

/// The shift of every distance by the definition; `far` beyond the last run.
void check_runs(const std::vector<DistanceRun>& runs, int size, int far, auto&& shift_at) {
    std::vector<int> found(static_cast<std::size_t>(size), far);
    int next = 1;
    for (const DistanceRun& run : runs) {
        REQUIRE(run.first == next);  // every distance once
        REQUIRE(run.last >= run.first);
        REQUIRE(run.last < size);
        next = run.last + 1;
        for (int d = run.first; d <= run.last; ++d) found[static_cast<std::size_t>(d)] = run.shift;
    }
    for (int d = 1; d < size; ++d) REQUIRE(found[static_cast<std::size_t>(d)] == shift_at(d));
}

// Catches a run that ends a distance early or late, and a missing or repeated distance.
TEST_CASE("runs of distances give the cells of sums and differences", "[geometric_grid]") {
    for (const double spacing : {0.7, 0.3, 0.04, 0.0027}) {
        const auto grid = geometric_grid(1e-6, 40.0, spacing);
        const auto m = static_cast<real>(grid->per_doubling);
        for (const Direction direction : {Direction::upper, Direction::lower}) {
            const real before = direction == Direction::upper ? 0.0L : 0.5L;
            const GeometricGrid::Runs& runs = grid->runs(direction);
            const auto shift_of = [&](real factor) {  // of the larger loss
                return static_cast<int>(std::floor(m * std::log2(factor) + before));
            };
            const auto ratio = [&](int d) { return std::exp2(-static_cast<real>(d) / m); };
            check_runs(runs.sums, grid->size, 0, [&](int d) { return shift_of(1.0L + ratio(d)); });
            check_runs(runs.differences, grid->size, runs.far_difference,
                       [&](int d) { return shift_of(1.0L - ratio(d)); });
        }
    }
}

}  // namespace
