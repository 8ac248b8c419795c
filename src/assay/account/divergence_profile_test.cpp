#include "assay/account/divergence_profile.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/numeric/work_limit.hpp"

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

// No Renyi divergence of the sampler is known, and its losses of hundreds of nats lie on no grid:
// the lower side was 0.
TEST_CASE("losses beyond the grid have the lower side of an attained pair", "[profile]") {
    const DivergenceProfile profile = divergence_profile(
        {Adjacency::zero_out, {{FixedSizeWithReplacementGaussian{0.02, 25, 1123}, 27}}}, {});
    const DivergenceSample sample = profile.at(1.0);
    // A step draws the record with this probability, and a draw is seen nearly for certain.
    const double drawn = 1.0 - std::pow(1.0 - 1.0 / 1123.0, 25.0 * 27.0);
    CHECK(sample.removal.lower >= 0.99 * drawn);
    CHECK(sample.removal.lower <= drawn);
    CHECK(sample.removal.upper <= 1.0);
}

TEST_CASE("steps count beside epochs that hide them", "[profile]") {
    // 19,369 draws of a batch that holds the record with q: seen with noise 0.1 if drawn at all.
    const double q = 2.4e-4;
    const Release release{Adjacency::zero_out,
                          {{BallsAndBins{13.0, 118}, 2}, {FixedSizeGaussian{0.1, q}, 19369}}};
    DivergenceProfile profile;
    {
        const WorkLimit limit(most_work(Effort::quick) / 10);  // a grid of both takes much more
        profile = divergence_profile(release, {});
    }
    const double drawn = 1.0 - std::pow(1.0 - q, 19369.0);
    const double shown = profile.at(5.0).removal.lower;
    CHECK(shown >= 0.98 * drawn);
    CHECK(shown <= drawn + 0.02);  // two epochs of noise 13 tell hardly more
    CHECK(profile.reach >= 50.0);
}

TEST_CASE("a profile keeps to the work that it is allowed", "[profile]") {
    const Release releases[] = {
        {Adjacency::add_remove, {{SampledGaussian{1.0, 0.05}, 40}}},
        {Adjacency::zero_out, {{FixedSizeGaussian{1.5, 0.1}, 20}}},
        {Adjacency::zero_out, {{BallsAndBins{1.0, 800}, 3}, {SampledGaussian{1.0, 0.05}, 40}}},
        {Adjacency::zero_out, {{Shuffled{1.0, 8}, 1}, {FixedSizeGaussian{2.0, 0.1}, 5}}}};
    for (const Release& release : releases) {
        const DivergenceProfile whole = divergence_profile(release, {});
        for (const std::uint64_t most : {0, 1'000'000, 30'000'000, 300'000'000}) {
            CAPTURE(describe(release), most);
            DivergenceProfile cut;
            {
                const WorkLimit limit(most);
                REQUIRE_NOTHROW(cut = divergence_profile(release, {}));
            }
            for (const double epsilon : {0.0, 0.5, 2.0}) {
                const DivergenceSample known = whole.at(epsilon);
                const DivergenceSample found = cut.at(epsilon);
                CHECK(found.removal.lower <= known.removal.upper);
                CHECK(found.removal.upper >= known.removal.lower);
                CHECK(found.addition.lower <= known.addition.upper);
                CHECK(found.addition.upper >= known.addition.lower);
            }
            if (most == 0) CHECK_FALSE(cut.note.empty());
        }
    }
}

}  // namespace assay
