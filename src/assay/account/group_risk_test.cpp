#include "assay/account/group_risk.hpp"

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <tuple>

#include "assay/account/account.hpp"
#include "assay/account/trade_off.hpp"

namespace assay {

namespace {

Release gaussian(double noise, std::int64_t steps) {
    return {Adjacency::add_remove, {{Gaussian{noise}, steps}}};
}
Release poisson(double noise, double q, std::int64_t steps) {
    return {Adjacency::add_remove, {{SampledGaussian{noise, q}, steps}}};
}

void require_around(const Bracket& bracket, double exact) {
    INFO(describe(bracket, 12) << " around " << exact);
    CHECK(bracket.lower.value <= exact * (1.0 + 1e-13));
    CHECK(bracket.upper.value >= exact * (1.0 - 1e-13));
    CHECK(bracket.upper.value - bracket.lower.value <= 1e-10 * bracket.upper.value);
}

}  // namespace

TEST_CASE("a group of Gaussian steps is one record at the noise over k", "[group_risk]") {
    require_around(delta_of_group(gaussian(3.0, 1), 0.5, 3),
                   delta(gaussian(1.0, 1), 0.5).upper.value);
    // Beyond the epsilons of a curve.
    const double one = epsilon(gaussian(0.5, 10'000), 1e-5).upper.value;
    CHECK(one > 2e4);
    require_around(epsilon_of_group(gaussian(1.0, 10'000), 1e-5, 2), one);
}

// Its own pair is then a Gaussian mechanism, which has no curve.
TEST_CASE("a group of which one record is drawn for certain", "[group_risk]") {
    const Release release = poisson(2.0, 0.5, 1);
    const Bracket found = delta_of_group(release, 0.5, 1000);
    CHECK(found.lower.value >= delta(release, 0.5).lower.value * (1.0 - 1e-9));
    CHECK(found.upper.value > 0.99);
    CHECK(found.upper.value <= 1.0);
    CHECK(epsilon_of_group(release, 1e-5, 1000).upper.value > 1e4);
}

// The group's own pair is a theorem of ours.
TEST_CASE("published theorems apply the curve of one record as often", "[group_risk]") {
    const Goal published{.standing = StandingFilter::published};
    const Release release{Adjacency::add_remove,
                          {{FixedSizeWithReplacementGaussian{2.0, 2, 100}, 20}}};
    const TradeOff one = trade_off(release, published);
    constexpr TestDirection removal = TestDirection::removal;
    const double first = one.true_positive_rate(0.05, removal).upper.value;
    const double both = one.true_positive_rate(first, removal).upper.value;
    const auto of_two = [&](const Goal& goal) {
        return TradeOff(release, goal, 2).true_positive_rate(0.05, removal);
    };
    CHECK(of_two(published).upper.value > both - 1e-9);
    CHECK(of_two(published).upper.theorem.standing == Standing::published);
    CHECK(of_two({}).upper.value < 0.5 * of_two(published).upper.value);
    CHECK(of_two({}).upper.theorem.standing == Standing::ours);
    CHECK(of_two({}).best_published.status == Status::vacuous);
}

// One of n records, all others opposite to those of the group: k of n draws move the sum by two
// norms.
TEST_CASE("a group in batches of fixed size is seen as often as it is drawn", "[group_risk]") {
    const boost::math::normal_distribution<double> normal;
    for (const auto& [noise, records, group] :
         {std::tuple{0.01, 10, 6}, {1.0, 10, 2}, {1.0, 1000, 100}}) {
        const double attained = group * (2.0 * cdf(normal, 1.0 / noise) - 1.0) / records;
        for (const Mechanism& step :
             {Mechanism(FixedSizeGaussian{noise, 1.0 / records}),
              Mechanism(FixedSizeWithReplacementGaussian{noise, 1, records})}) {
            CAPTURE(noise, records, group, describe(step));
            const Release release{Adjacency::add_remove, {{step, 1}}};
            CHECK(delta_of_group(release, 0.0, group).upper.value >= attained * (1.0 - 1e-12));
            CHECK(TradeOff(release, {}, group).gaussian_mu().mu.upper.value >=
                  2.0 * quantile(normal, 0.5 * (1.0 + attained)) - 1e-9);
        }
    }
}

TEST_CASE("delta of a group where e^epsilon is beyond the range", "[group_risk]") {
    const Release release{Adjacency::add_remove, {{SampledGaussian{0.01, 0.5}, 1}}};
    // Two records or more are drawn, whose losses are 20,000 and more.
    CHECK(delta_of_group(release, 12'000.0, 6).upper.value >= 0.89);
    const Release fixed{Adjacency::add_remove, {{FixedSizeGaussian{0.01, 0.1}, 1}}};
    const Bracket found = delta_of_group(fixed, 12'000.0, 2);
    CHECK(found.lower.value <= found.upper.value);
}

TEST_CASE("sides of a group that do not come from its curve", "[group_risk]") {
    // Noise over k and a rate of 1 - (1-q)^k above; one record below.
    const double own = epsilon(poisson(0.25, 0.19, 1000), 1e-5).upper.value;
    const Release release = poisson(0.5, 0.1, 1000);
    const Bracket found = epsilon_of_group(release, 1e-5, 2);
    CHECK(found.upper.value <= own * (1.0 + 1e-8));
    CHECK(found.lower.value >= epsilon(release, 1e-5).lower.value);
    CHECK(found.note.find("of a group") == 0);
    const Release one_step = poisson(2.0, 0.1, 1);
    CHECK(delta_of_group(one_step, 0.3, 2).upper.value >= delta(one_step, 0.3).lower.value);
    // No pair of the group's own: no more than if all took part in every step.
    const Release replaced{Adjacency::replace_one, {{SampledGaussian{500.0, 1e-5}, 10}}};
    const Bracket million = epsilon_of_group(replaced, 1e-5, 1'000'000);
    CHECK(million.upper.value < 1e8);
    CHECK(million.lower.value <= million.upper.value);
}

}  // namespace assay
