#include "assay/account/divergence_profile.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/account/account.hpp"

namespace assay {

namespace {

constexpr double parts[] = {0.0, 0.1, 0.5, 0.9};

/// delta(epsilon) of the larger direction, from the profile.
Enclosure larger(const DivergenceSample& sample) {
    return {std::max(sample.removal.lower, sample.addition.lower),
            std::max(sample.removal.upper, sample.addition.upper)};
}

}  // namespace

TEST_CASE("a Gaussian profile is the closed form of its shift", "[profile]") {
    // Three steps at noise 2 and one at noise 1/2 under replace-one: mu^2 = 4 (3/4 + 4).
    const DivergenceProfile profile =
        divergence_profile({Adjacency::replace_one, {{Gaussian{2.0}, 3}, {Gaussian{0.5}, 1}}}, {});
    const double mu = std::sqrt(19.0);
    REQUIRE(profile.gaussian);
    CHECK(profile.symmetric);
    CHECK(static_cast<double>(profile.gaussian->lower) <= mu);
    CHECK(static_cast<double>(profile.gaussian->upper) >= mu);
    const auto normal = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
    for (const double part : parts) {
        const double epsilon = part * profile.reach;
        const double truth =
            normal(mu / 2.0 - epsilon / mu) - std::exp(epsilon) * normal(-mu / 2.0 - epsilon / mu);
        const Enclosure found = profile.at(epsilon).removal;
        CHECK(found.lower == Approx(truth).epsilon(1e-9).margin(1e-13));
        CHECK(found.upper == Approx(truth).epsilon(1e-9).margin(1e-13));
    }
    CHECK(larger(profile.at(profile.reach)).upper <= 1e-12);
}

TEST_CASE("profiles and single answers are of one truth", "[profile]") {
    const Release releases[] = {
        {Adjacency::add_remove, {{SampledGaussian{1.0, 0.05}, 40}}},
        {Adjacency::zero_out, {{FixedSizeGaussian{1.5, 0.1}, 20}}},
        {Adjacency::zero_out, {{BallsAndBins{1.0, 8}, 1}}},
        {Adjacency::zero_out, {{Shuffled{1.0, 8}, 1}, {SampledGaussian{2.0, 0.1}, 5}}}};
    for (const Release& release : releases) {
        const DivergenceProfile profile = divergence_profile(release, {});
        for (const double part : parts) {
            const double epsilon = part * std::min(profile.reach, 10.0);
            const Enclosure found = larger(profile.at(epsilon));
            const Bracket alone = delta(release, epsilon);
            CAPTURE(describe(release), epsilon);
            CHECK(found.lower <= alone.upper.value);
            CHECK(found.upper >= alone.lower.value);
        }
    }
}

TEST_CASE("losses beyond the grid need no worst Renyi pair", "[profile]") {
    // The fallback to Renyi divergences exists for samplers with a worst pair alone; the others
    // keep what their grid gives.
    const DivergenceProfile profile = divergence_profile(
        {Adjacency::zero_out, {{FixedSizeWithReplacementGaussian{0.02, 25, 1123}, 27}}}, {});
    const DivergenceSample sample = profile.at(1.0);
    CHECK(sample.removal.lower >= 0.0);
    CHECK(sample.removal.lower <= sample.removal.upper);
    CHECK(sample.removal.upper <= 1.0);
}

}  // namespace assay
