#include "assay/ldp/certified_response.hpp"

#include "test_support/enumerated_response.hpp"
#include "test_support/ldp_test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

RestrictedResponse random_mechanism(Random& random, int most_categories) {
    const double shares[] = {0.0, 1.0, 0.8, 0.9, random.uniform(0.0, 1.0), 1.0 - 0x1p-40};
    return {.categories = random.integer(2, most_categories),
            .epsilon = random.log_uniform(1e-3, 40.0),
            .budget_share = shares[random.integer(0, 5)]};
}

Encloses encloses_tightly(const Wide& truth) {
    return Encloses(truth, 1e-14, 1e-45);  // what 50 digits leave
}

}  // namespace

TEST_CASE("the certified distribution holds the enumerated one", "[ldp]") {
    Random random(511);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        RestrictedResponse mechanism = random_mechanism(random, 12);
        if (i % 4 == 3) mechanism.variant = ResponseVariant::as_released;
        const int size = random.integer(0, mechanism.categories);
        CAPTURE(mechanism.categories, mechanism.epsilon, mechanism.budget_share, size);
        const CertifiedDistribution distribution = certified_distribution(mechanism, size);
        CHECK_THAT(to_enclosure(certified_complement_epsilon(mechanism, size)),
                   encloses_tightly(exact_complement_epsilon(mechanism, size)));
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, first_categories(size));
        const int inside = distribution.subset_size;  // size K is held as K - 1: the same matrix
        for (int y = 0; y < mechanism.categories; ++y)
            for (int x = 0; x < mechanism.categories; ++x)
                CHECK_THAT(
                    to_enclosure(distribution.probability(y < inside, x < inside, x == y)),
                    encloses_tightly(g[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]));
    }
}

TEST_CASE("the differences of the certified distribution are those of its probabilities", "[ldp]") {
    Random random(512);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        RestrictedResponse mechanism = random_mechanism(random, 12);
        if (mechanism.categories < 4) mechanism.categories = 4;
        const int size = random.integer(1, mechanism.categories - 2);
        CAPTURE(mechanism.categories, mechanism.epsilon, mechanism.budget_share, size);
        const CertifiedDistribution distribution = certified_distribution(mechanism, size);
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, first_categories(size));
        const std::size_t out = static_cast<std::size_t>(size);
        const auto holds = [](const RealInterval& difference, const Wide& truth) {
            const Wide slack = 1e-45;  // what 50 digits leave of a difference
            return Wide(difference.lower()) <= truth + slack &&
                   truth - slack <= Wide(difference.upper());
        };
        CHECK(holds(distribution.inside_gain, g[0][0] - g[0][out]));
        CHECK(holds(distribution.outside_gain, g[out][out] - g[out][out + 1]));
        CHECK(holds(distribution.outside_advantage, g[out][out] - g[out][0]));
        CHECK(holds(distribution.outsider_surplus, g[out][out + 1] - g[out][0]));
        // Digits are kept where the gains vanish, and exact zeros are known.
        CHECK(to_enclosure(distribution.inside_gain).relative_width() < 1e-12);
        CHECK(to_enclosure(distribution.outside_gain).relative_width() < 1e-12);
        CHECK(distribution.inside_gain.is_zero() == (mechanism.budget_share == 0.0));
        CHECK(distribution.outside_gain.is_zero() == (mechanism.budget_share == 1.0));
    }
}

TEST_CASE("where the case of Theorem 1 cannot be told, both are held", "[ldp]") {
    // eps - eps1 is the double next to ln 9.
    const RestrictedResponse mechanism{
        .categories = 10, .epsilon = 2.0 * std::log(9.0), .budget_share = 0.5};
    const RealInterval second = certified_complement_epsilon(mechanism, 1);
    CHECK(second.upper() <= mechanism.epsilon);
    CHECK(Wide(second.lower()) <= exact_complement_epsilon(mechanism, 1));
    CHECK(Wide(second.upper()) >= exact_complement_epsilon(mechanism, 1));
    CHECK(second.lower() > 0.0L);
}

TEST_CASE("the probability of an honest answer", "[ldp]") {
    Random random(513);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const RestrictedResponse mechanism = random_mechanism(random, 12);
        const int size = random.integer(0, mechanism.categories - 1);
        const double ratios[] = {1.0, 1.1, 3.0, 0.7, 1.0 + 0x1p-30, 1e-3, 1e30};
        const double ratio = ratios[random.integer(0, 6)];
        CAPTURE(mechanism.categories, mechanism.epsilon, mechanism.budget_share, size, ratio);
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, first_categories(size));
        Wide honest = 0;
        Wide total = 0;
        for (int x = 0; x < mechanism.categories; ++x) {
            const Wide weight = pow(Wide(ratio), -x);
            const auto at = static_cast<std::size_t>(x);
            honest += g[at][at] * weight;
            total += weight;
        }
        CHECK_THAT(to_enclosure(honest_probability_geometric(
                       certified_distribution(mechanism, size), ratio)),
                   encloses_tightly(honest / total));
    }
    const Wide e = exp(Wide(0.75));
    CHECK_THAT(to_enclosure(standard_honest_probability(20, 0.75)), encloses_tightly(e / (e + 19)));
    const CertifiedDistribution distribution =
        certified_distribution({.categories = 5, .epsilon = 1.0}, 2);
    CHECK(refused([&] { return honest_probability_geometric(distribution, 0.0); }) == "ratio");
    CHECK(refused([&] { return honest_probability_geometric(distribution, INFINITY); }) == "ratio");
}

TEST_CASE("a distribution outside the domain is refused", "[ldp]") {
    const RestrictedResponse good{.categories = 5, .epsilon = 1.0, .budget_share = 0.5};
    CHECK(refused([&] { return certified_distribution(good, 6); }) == "subset-size");
    CHECK(refused([&] { return certified_distribution(good, -1); }) == "subset-size");
    CHECK(refused([&] { return certified_distribution(good, 2, -0.1); }) == "epsilon-2");
    CHECK(refused([&] { return certified_distribution(good, 2, NAN); }) == "epsilon-2");
    RestrictedResponse bad = good;
    bad.epsilon = 0.0;
    CHECK(refused([&] { return certified_complement_epsilon(bad, 2); }) == "epsilon");
}
