#include "assay/account/replace_one_steps.hpp"

#include <catch2/catch.hpp>

#include "assay/account/account.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

Release release_of(std::vector<Phase> phases) {
    return {Adjacency::replace_one, std::move(phases)};
}

}  // namespace

// delta of all adaptive choices of collinear pairs (u, v) by dynamic programming over the ratio, on
// 2801 points of log x and 81 pairs, linear between points, integrals by the rectangle rule (a
// separate program): 0.18414, 0.24465; of the symmetric pair 0.19247, 0.26242.
TEST_CASE("one jump lies between all adaptive pairs and the symmetric pair", "[replace_one]") {
    struct Case {
        std::int64_t steps;
        double adaptive, symmetric;
    };
    for (const Case& c : {Case{2, 0.18414, 0.19247}, Case{3, 0.24464, 0.26242}}) {
        const Release release = release_of({{FixedSizeGaussian{1.5, 0.3}, c.steps}});
        const Bracket found = delta(release, 0.2);
        CAPTURE(c.steps, describe(found));
        CHECK(found.upper.value >= c.adaptive);
        CHECK(found.upper.value <= c.symmetric * 1.001);
        CHECK(found.lower.value <= c.adaptive * 1.0001);
        CHECK(found.lower.value >= c.adaptive * 0.996);
    }
}

// A jump at the wrong place, or half of the release forgotten, falls out of these brackets.
TEST_CASE("one jump closes the bracket of birrell2024's setting", "[replace_one]") {
    const Release release = release_of({{FixedSizeGaussian{6.0, 120.0 / 50000.0}, 104166}});
    const Bracket found = epsilon(release, 1e-5);
    CAPTURE(describe(found));
    CHECK(found.upper.value <= 1.0060 * 1.002);
    CHECK(found.lower.value >= 0.9914 * 0.999);
    CHECK(found.upper.theorem.standing == Standing::ours);
    // Both questions have one answer.
    const Bracket there = delta(release, found.upper.value);
    CHECK(there.upper.value <= 1e-5 * 1.02);
    CHECK(there.lower.value <= 1e-5);
}

// Fault: the jump is given up because its coarse grids are above the symmetric pair, which they are
// the more the farther the tail is; delta was 7.6e-50.
TEST_CASE("one jump closes the bracket in far tails", "[replace_one]") {
    const Release release = release_of({{FixedSizeGaussian{2.0, 0.005}, 2000}});
    const Bracket found = epsilon(release, 1e-50);
    const Bracket there = delta(release, found.upper.value);
    CAPTURE(describe(found), describe(there));
    CHECK(there.upper.value <= 1e-50 * 1.02);
    CHECK(there.lower.value <= 1e-50);
}

// 10.264 is what the one-sided pair alone reaches.
TEST_CASE("an oracle that turns its pair round reaches more", "[replace_one]") {
    const Release release = release_of({{FixedSizeGaussian{1.0, 256.0 / 50000.0}, 2000}});
    const Bracket found = epsilon(release, 1e-5);
    CAPTURE(describe(found));
    CHECK(found.lower.value >= 10.300);
    CHECK(found.lower.theorem == cite::turned_pairs);
    CHECK(found.upper.value <= 10.545);
}

TEST_CASE("steps whose pair dominates stand beside the jump", "[replace_one]") {
    const Phase fixed{FixedSizeGaussian{2.0, 0.02}, 400};
    const Phase poisson{SampledGaussian{2.0, 0.02}, 300};
    const Phase gaussian{Gaussian{20.0}, 2};
    const Bracket mixed = delta(release_of({poisson, fixed, gaussian}), 1.0);
    const Bracket alone = delta(release_of({fixed}), 1.0);
    const Phase phases[] = {poisson, fixed, gaussian};
    const double epsilon = 1.0;
    const DeltaBracket symmetric =
        pld_delta(phases, Adjacency::replace_one, {&epsilon, 1}).points.front();
    CAPTURE(describe(mixed), describe(alone));
    CHECK(mixed.upper.value < symmetric.upper.value);
    CHECK(mixed.upper.value >= symmetric.lower.value);
    CHECK(mixed.upper.value > alone.lower.value);
    CHECK(mixed.upper.theorem == cite::one_jump);
    // The order of the phases does not matter, two equal phases are one.
    const Bracket turned =
        delta(release_of({gaussian, {fixed.mechanism, 100}, poisson, {fixed.mechanism, 300}}), 1.0);
    CHECK(turned.upper.value == Approx(mixed.upper.value).epsilon(1e-6));
}

TEST_CASE("losses whose moments overflow are answered", "[replace_one]") {
    const Release release{Adjacency::replace_one, {{FixedSizeGaussian{1.0, 0.1}, 10'000'000}}};
    const Bracket found = epsilon(release, 1e-5, goal_of(Effort::quick));
    CHECK(found.lower.value <= found.upper.value);
    CHECK(std::isfinite(found.upper.value));
}

TEST_CASE("what the theorem does not cover keeps the symmetric pair", "[replace_one]") {
    const Release release =
        release_of({{FixedSizeGaussian{2.0, 0.02}, 200}, {FixedSizeGaussian{3.0, 0.02}, 200}});
    CHECK(delta(release, 1.0).upper.theorem != cite::one_jump);
    const Release mixed = release_of({{FixedSizeGaussian{2.0, 0.02}, 200},
                                      {FixedSizeWithReplacementGaussian{4.0, 10, 1000}, 20}});
    CHECK(delta(mixed, 1.0).upper.theorem != cite::one_jump);
    Goal published = goal_of(Effort::normal);
    published.standing = StandingFilter::published;
    const Bracket found = delta(release_of({{FixedSizeGaussian{2.0, 0.02}, 400}}), 1.0, published);
    CHECK(found.upper.theorem.standing == Standing::published);
}

}  // namespace assay
