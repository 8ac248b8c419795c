#include "assay/pld/geometric_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// Cells begin `before` of their width before their points.
GeometricGrid::Runs runs_of(int per_doubling, int size, real before) {
    const auto m = static_cast<real>(per_doubling);
    // Cells from the larger of two losses to their sum (sign 1) or difference (-1).
    const auto shift_at = [&](int distance, real sign) {
        const real ratio = std::exp2(-static_cast<real>(distance) / m);
        return static_cast<int>(std::floor(m * std::log2(1.0L + sign * ratio) + before));
    };
    // The last distance whose shift is at least (sign 1), at most (-1) the one given: m log2(1 +-
    // 2^{-d/m}) + before = shift is solved for d, and rounding corrected.
    const auto last_of = [&](int shift, real sign) {
        const auto inside = [&](int distance) {
            return sign > 0.0L ? shift_at(distance, sign) >= shift
                               : shift_at(distance, sign) <= shift;
        };
        const real from = (static_cast<real>(sign > 0.0L ? shift : shift + 1) - before) / m;
        const real distance = -m * std::log2(sign * std::expm1(from * std::numbers::ln2_v<real>));
        auto last = static_cast<int>(std::min(distance, static_cast<real>(size - 1)));
        while (last + 1 < size && inside(last + 1)) ++last;
        while (last > 0 && !inside(last)) --last;
        return last;
    };
    const auto add = [](std::vector<DistanceRun>& runs, int last, int shift) {
        const int first = runs.empty() ? 1 : runs.back().last + 1;
        if (first <= last) runs.push_back({first, last, shift});
    };
    GeometricGrid::Runs runs;
    for (int shift = per_doubling; shift >= 1; --shift) add(runs.sums, last_of(shift, 1.0L), shift);
    runs.far_difference = before > 0.0L ? 0 : -1;
    for (int shift = shift_at(1, -1.0L); shift < runs.far_difference; ++shift)
        add(runs.differences, last_of(shift, -1.0L), shift);
    return runs;
}

}  // namespace

std::shared_ptr<const GeometricGrid> geometric_grid(double floor, double top, double spacing) {
    require(floor > 0.0 && floor < top, "floor", floor, "0 < floor < top");
    require(top <= 650.0, "largest loss", top, "at most 650 nats");
    require(spacing > 0.0 && spacing <= 0.7, "spacing", spacing, "0 < spacing <= 0.7");
    require(floor * spacing >= 0x1p-47, "floor", floor,
            "so large that exponentials of neighbouring points differ");
    auto grid = std::make_shared<GeometricGrid>();
    grid->floor = floor;
    grid->per_doubling = static_cast<int>(std::ceil(std::numbers::ln2 / spacing));
    // The last point lies up to two beyond the top, and its exponential is finite.
    const double last = top * std::exp2(2.0 / grid->per_doubling);
    require(last <= 700.0, "largest loss", last,
            "at most 700 nats, two grid points beyond the top");
    grid->size = 2 + static_cast<int>(std::ceil(std::log2(top / floor) * grid->per_doubling));
    for (int k = 0; k < grid->size; ++k) {
        const real loss = static_cast<real>(floor) *
                          std::exp2(static_cast<real>(k) / static_cast<real>(grid->per_doubling));
        grid->gain.push_back(static_cast<double>(std::exp(loss)));
        grid->cost.push_back(static_cast<double>(std::exp(-loss)));
    }
    grid->upper = runs_of(grid->per_doubling, grid->size, 0.0L);
    grid->lower = runs_of(grid->per_doubling, grid->size, 0.5L);
    return grid;
}

}  // namespace assay
