#include "assay/privacy/release.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("a release is described phase by phase", "[release]") {
    const Release release{Adjacency::zero_out,
                          {{SampledGaussian{1.5, 0.1}, 7}, {BallsAndBins{0.5, 20}, 2}}};
    CHECK(
        describe(release) ==
        "7 x Poisson sampling, noise multiplier 1.5, sampling probability 0.1; 2 x balls-and-bins "
        "batches, noise multiplier 0.5, 20 batches in an epoch; zero-out");
}
