#include "assay/privacy/release.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("a release is described phase by phase", "[release]") {
    const Release release{Adjacency::zero_out,
                          {{SampledGaussian{1.5, 0.1}, 7}, {BallsAndBins{0.5, 20}, 2}}};
    CHECK(
        describe(release) ==
        "7 x Poisson sampling, noise multiplier 1.5, sampling probability 0.1; 2 x balls-and-bins "
        "batches, noise multiplier 0.5, 20 batches in an epoch; zero-out");
}

TEST_CASE("repetitions of one mechanism are joined wherever they stand", "[release]") {
    const Mechanism a = SampledGaussian{1.5, 0.1};
    const Mechanism b = SampledGaussian{1.5, 0.2};
    const Mechanism c = FixedSizeGaussian{1.5, 0.1};
    const std::int64_t most = std::int64_t{1} << 53U;
    const Release found = joined(
        {Adjacency::add_remove, {{a, 7}, {b, 1}, {c, 2}, {a, 1}, {b, most}, {c, 0}, {a, 5}}});
    const std::vector<std::pair<Mechanism, std::int64_t>> expected{
        {a, 13}, {b, 1}, {c, 2}, {b, most}, {c, 0}};
    REQUIRE(found.phases.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(found.phases[i].mechanism == expected[i].first);
        CHECK(found.phases[i].repetitions == expected[i].second);
    }
    CHECK_THROWS_AS(joined({Adjacency::add_remove, {{SampledGaussian{std::nan(""), 0.1}, 1}}}),
                    DomainError);
}
