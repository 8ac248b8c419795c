#include "assay/account/renyi_profile.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

double normal_below(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

}  // namespace

TEST_CASE("Renyi divergences of Gaussian steps enclose their closed form", "[renyi_profile]") {
    const Phase steps[] = {{Gaussian{20.0}, 100}, {Gaussian{10.0}, 75}};  // mu = 1
    RenyiProfile profile(steps, Adjacency::add_remove, StandingFilter::any);
    for (const double epsilon : {0.0, 0.5, 2.0, 4.0}) {
        const double truth =
            normal_below(0.5 - epsilon) - std::exp(epsilon) * normal_below(-0.5 - epsilon);
        const DivergenceSample found = profile.at(epsilon);
        CAPTURE(epsilon, truth);
        CHECK(found.removal.lower <= truth);
        CHECK(found.removal.upper >= truth);
        CHECK(found.addition.upper >= truth);
        CHECK(found.removal.lower >= 0.01 * truth);
        CHECK(found.removal.upper <= 20.0 * truth);
    }
    const double reach = profile.reach(1e-9);
    CHECK(profile.at(reach).removal.upper <= 1e-9);
    CHECK(profile.at(reach / 2.0).removal.upper > 1e-9);
}

TEST_CASE("both sides are of the truth that delta brackets", "[renyi_profile]") {
    struct Case {
        Adjacency adjacency;
        Phase phase;
    };
    const Case cases[] = {
        {Adjacency::replace_one, {SampledGaussian{0.6, 0.02}, 200}},
        {Adjacency::replace_one, {FixedSizeGaussian{1.0, 0.02}, 200}},
        {Adjacency::zero_out, {FixedSizeGaussian{0.5, 0.02}, 200}},
        {Adjacency::zero_out, {FixedSizeWithReplacementGaussian{0.5, 10, 500}, 200}},
        {Adjacency::zero_out, {TruncatedPoissonGaussian{0.5, 10, 500, 15}, 200}}};
    for (const auto& [adjacency, phase] : cases) {
        RenyiProfile profile({&phase, 1}, adjacency, StandingFilter::any);
        const RenyiProfile above({&phase, 1}, adjacency, StandingFilter::any,
                                 RenyiProfile::Sides::upper);
        for (const double epsilon : {0.5, 3.0}) {
            const Bracket known = delta({adjacency, {phase}}, epsilon, goal_of(Effort::quick));
            const Enclosure found = profile.at(epsilon).removal;
            CAPTURE(describe(Release{adjacency, {phase}}), epsilon);
            CHECK(found.lower <= known.upper.value);
            CHECK(found.upper >= known.lower.value);
            CHECK(found.lower >= 0.01 * known.lower.value);
            CHECK(above.at(epsilon).removal.lower == 0.0);
            CHECK(above.at(epsilon).removal.upper == found.upper);
        }
    }
}

TEST_CASE("where no theorem says anything, neither side does", "[renyi_profile]") {
    const Phase cut{TruncatedPoissonGaussian{0.5, 10, 500, 15}, 3};
    RenyiProfile none({&cut, 1}, Adjacency::zero_out, StandingFilter::any,
                      RenyiProfile::Sides::upper);
    CHECK_FALSE(none.says_anything());
    CHECK(none.at(1.0).removal == Enclosure{0.0, 1.0});
    RenyiProfile below({&cut, 1}, Adjacency::zero_out, StandingFilter::any,
                       RenyiProfile::Sides::lower);
    CHECK(below.says_anything());
    CHECK(below.at(below.reach(1e-3)).removal.lower <= 1e-3);
}

}  // namespace assay
