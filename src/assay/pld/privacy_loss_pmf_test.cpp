#include "assay/pld/privacy_loss_pmf.hpp"

#include "test_support/test_support.hpp"

namespace assay {
namespace {

PrivacyLossPmf distribution() {
    PrivacyLossPmf pmf;
    pmf.step = 0.5;
    pmf.first = -1;
    pmf.masses = {0.25, 0.5, 0.25};
    return pmf;
}

TEST_CASE("losses are offset + step (first + i)", "[privacy_loss_pmf]") {
    PrivacyLossPmf pmf = distribution();
    pmf.offset = 0.125;
    CHECK(pmf.loss(0) == -0.375);
    CHECK(pmf.loss(2) == 0.625);
}

TEST_CASE("distributions of different sides, adjacencies or grids do not compose",
          "[privacy_loss_pmf]") {
    CHECK_NOTHROW(require_composable(distribution(), distribution()));
    PrivacyLossPmf other = distribution();
    other.direction = Direction::lower;
    CHECK_THROWS_AS(require_composable(distribution(), other), DirectionError);
    other = distribution();
    other.direction = Direction::estimate;
    CHECK_THROWS_AS(require_composable(other, other), DirectionError);
    other = distribution();
    other.adjacency = Adjacency::replace_one;
    CHECK_THROWS_AS(require_composable(distribution(), other), DirectionError);
    other = distribution();
    other.step = 0.25;
    CHECK_THROWS_AS(require_composable(distribution(), other), DirectionError);
    other = distribution();
    other.tilt = 1.0;
    CHECK_THROWS_AS(require_composable(distribution(), other), DirectionError);
}

}  // namespace
}  // namespace assay
