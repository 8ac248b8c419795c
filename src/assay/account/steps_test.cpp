#include "assay/account/steps.hpp"

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("each side of steps is the better of both accountants", "[account]") {
    const std::vector<Phase> phases{{SampledGaussian{1.0, 0.02}, 200}};
    const PrivacyBracket renyi = epsilon_bracket(phases, Adjacency::replace_one, 1e-5);
    const EpsilonBracket grids = pld_epsilon(phases, Adjacency::replace_one, 1e-5);
    const Bracket found = answer_steps(phases, Adjacency::replace_one, {.given = 1e-5});
    CHECK(found.lower.value == std::max(renyi.lower.value, grids.lower.value));
    CHECK(found.upper.value == std::min(renyi.upper.value, grids.upper.value));
    CHECK(found.best_published.value == renyi.published_upper.value);
}

TEST_CASE("samplers without a dominating pair have Renyi divergences alone", "[account]") {
    const std::vector<Phase> phases{{FixedSizeWithReplacementGaussian{2.0, 4, 100}, 50}};
    const PrivacyBracket renyi = delta_bracket(phases, Adjacency::add_remove, 1.0);
    const Bracket found =
        answer_steps(phases, Adjacency::add_remove, {.wants_delta = true, .given = 1.0});
    CHECK(found.lower.value == renyi.lower.value);
    CHECK(found.upper.value == renyi.upper.value);
    CHECK_THROWS_AS(
        answer_steps({{{FixedSizeGaussian{1.0, 0.1}, 5}}}, Adjacency::zero_out, {.given = 1e-5}),
        UnsupportedMechanism);
}

TEST_CASE("beyond the grids of losses Renyi divergences answer", "[account]") {
    const std::vector<Phase> phases{{SampledGaussian{0.01, 0.3}, 2}};
    const Bracket found =
        answer_steps(phases, Adjacency::add_remove, {.wants_delta = true, .given = 900.0});
    CHECK(found.lower.value <= found.upper.value);
    CHECK(found.lower.value > 0.0);
}
