#include "assay/pld/loss_points.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

// Catches points that drift from the powers, a grid that ends early, and one that is too coarse.
TEST_CASE("the points are the powers, reach the top and are as close as asked", "[loss_points]") {
    for (const double spacing : {0.7, 0.05, 1.3e-3}) {
        const auto points = loss_points(3e-7, 41.0, spacing);
        const double ratio = std::exp2(1.0 / points->per_doubling);
        CHECK(ratio <= std::exp(spacing));
        CHECK(points->loss.front() == 3e-7);
        CHECK(points->loss.back() >= 41.0);
        CHECK(points->loss.back() <= 41.0 * ratio * ratio * (1.0 + 1e-12));
        for (int k = 0; k < points->size(); k += 7) {
            const Wide exact = Wide(3e-7) * exp2(Wide(k) / points->per_doubling);
            CAPTURE(spacing, k);
            CHECK(abs(Wide(points->loss[static_cast<std::size_t>(k)]) / exact - 1) <= 0x1p-52);
        }
    }
}

TEST_CASE("a place is the point below, within the grid", "[loss_points]") {
    const auto points = loss_points(0.01, 8.0, 0.1);
    for (int k = 0; k + 1 < points->size(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        CHECK(points->place(std::sqrt(points->loss[i] * points->loss[i + 1])) == k);
    }
    CHECK(points->place(1e-300) == 0);
    CHECK(points->place(1e300) == points->size() - 2);
}

TEST_CASE("points outside the domain are refused", "[loss_points]") {
    using test_support::refused;
    CHECK(refused([] { return loss_points(1e-290, 1.0, 0.1); }) == "floor");
    CHECK(refused([] { return loss_points(2.0, 1.0, 0.1); }) == "floor");
    CHECK(refused([] { return loss_points(1e-3, 601.0, 0.1); }) == "largest loss");
    CHECK(refused([] { return loss_points(1e-3, 1.0, 0.8); }) == "spacing");
    CHECK(refused([] { return loss_points(1e-3, 1.0, std::nan("")); }) == "spacing");
}

}  // namespace
}  // namespace assay
