#include "assay/account/steps.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("each side of steps is the better of both accountants", "[account]") {
    const std::vector<Phase> phases{{SampledGaussian{1.0, 0.02}, 200}};
    const PrivacyBracket renyi = epsilon_bracket(phases, Adjacency::replace_one, 1e-5);
    const EpsilonBracket grids = pld_epsilon(phases, Adjacency::replace_one, 1e-5);
    const Bracket found =
        answer_steps(phases, Adjacency::replace_one, {.given = 1e-5, .goal = with_gap({}, 1e-3)});
    CHECK(found.lower.value == std::max(renyi.lower.value, grids.lower.value));
    CHECK(found.upper.value == std::min(renyi.upper.value, grids.upper.value));
    CHECK(found.best_published.value == renyi.published_upper.value);
}

TEST_CASE("sampling with replacement is closed under add/remove", "[account]") {
    const std::vector<Phase> phases{{FixedSizeWithReplacementGaussian{2.0, 4, 100}, 50}};
    const PrivacyBracket renyi = delta_bracket(phases, Adjacency::add_remove, 1.0);
    const Bracket found =
        answer_steps(phases, Adjacency::add_remove, {.wants_delta = true, .given = 1.0});
    CHECK(found.lower.value >= renyi.lower.value);
    CHECK(found.upper.value <= renyi.upper.value);
    CHECK(found.gap() <= 1e-3);
    CHECK(found.note.empty());
}

TEST_CASE("without a Renyi divergence the pair answers, or replace-one above", "[account]") {
    const std::vector<Phase> with{{FixedSizeWithReplacementGaussian{2.0, 4, 100}, 50}};
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::zero_out}) {
        const Bracket found = answer_steps(with, adjacency, {.given = 1e-5});
        CHECK(found.lower.value > 0.0);
        CHECK(std::isfinite(found.upper.value));
        CHECK_FALSE(found.note.empty());
        // What is published takes every record to be in every batch.
        const Bracket published = answer_steps(
            with, adjacency, {.given = 1e-5, .goal = {.standing = StandingFilter::published}});
        CHECK(published.upper.theorem == cite::unsampled_hockey_stick);
        CHECK(published.upper.value > 5.0 * found.upper.value);
    }
    // Losses beyond every grid: above there are the Renyi divergences of replace-one, and the
    // Gaussian of a record that is in all batches.
    const std::vector<Phase> little_noise{{FixedSizeGaussian{0.01, 0.1}, 5}};
    const Bracket found = answer_steps(little_noise, Adjacency::zero_out, {.given = 1e-5});
    const PrivacyBracket other = epsilon_bracket(little_noise, Adjacency::replace_one, 1e-5);
    CHECK(found.upper.value <= other.upper.value);
    CHECK(found.upper.value == Approx(gaussian_epsilon(5e4L, 1e-5).upper).epsilon(1e-12));
    CHECK(found.lower.value > 1000.0);
    CHECK(found.lower.value <= found.upper.value);
}

TEST_CASE("replacing a record tells no less than a null record", "[account]") {
    for (const Phase& phase :
         {Phase{SampledGaussian{0.01, 0.5}, 10}, Phase{FixedSizeGaussian{0.3, 0.01}, 1'000'000}}) {
        const Question question{.given = 1e-5, .goal = goal_of(Effort::quick)};
        const Bracket null = answer_steps({&phase, 1}, Adjacency::zero_out, question);
        const Bracket other = answer_steps({&phase, 1}, Adjacency::replace_one, question);
        CHECK(null.lower.value > 0.0);
        CHECK(other.lower.value >= null.lower.value);
        CHECK(other.lower.value <= other.upper.value);
    }
}

TEST_CASE("beyond the grids of losses Renyi divergences answer", "[account]") {
    const std::vector<Phase> phases{{SampledGaussian{0.01, 0.3}, 2}};
    const Bracket found =
        answer_steps(phases, Adjacency::add_remove, {.wants_delta = true, .given = 900.0});
    CHECK(found.lower.value <= found.upper.value);
    CHECK(found.lower.value > 0.0);
}
