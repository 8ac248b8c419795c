#include "assay/account/one_accountant.hpp"

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

const SampledGaussian sampled{.noise_multiplier = 1.0, .sampling_probability = 0.02};
const Release release{Adjacency::add_remove, {{sampled, 100}}};
const Phase phase{sampled, 100};

}  // namespace

TEST_CASE("one accountant says what it says alone", "[account]") {
    const PrivacyBracket renyi = epsilon_bracket({&phase, 1}, Adjacency::add_remove, 1e-5);
    const Bracket by_renyi = epsilon_by(Accountant::renyi, release, 1e-5, {});
    CHECK(by_renyi.lower.value == renyi.lower.value);
    CHECK(by_renyi.upper.value == renyi.upper.value);
    const EpsilonBracket grids = pld_epsilon({&phase, 1}, Adjacency::add_remove, 1e-5);
    const Bracket by_grids =
        epsilon_by(Accountant::loss_distributions, release, 1e-5, with_gap({}, 1e-3));
    CHECK(by_grids.lower.value == grids.lower.value);
    CHECK(by_grids.upper.value == grids.upper.value);
    const double epsilon = 1.0;
    const DeltaBracket at =
        pld_delta({&phase, 1}, Adjacency::add_remove, {&epsilon, 1}, {.smallest_delta = 1e-300})
            .points.front();
    const Bracket delta =
        delta_by(Accountant::loss_distributions, release, epsilon, with_gap({}, 1e-3));
    CHECK(delta.lower.value == at.lower.value);
    CHECK(delta.upper.value == at.upper.value);
}

// Deltas of one accountant were those of another smallest delta, and at times closer.
TEST_CASE("one accountant is no closer than all of them", "[account]") {
    const std::vector<std::pair<Release, double>> questions{
        {{Adjacency::add_remove, {{FixedSizeGaussian{1.346, 0.15981}, 1968}}}, 1.61},
        {{Adjacency::add_remove, {{FixedSizeWithReplacementGaussian{1.41, 3, 3000}, 10}}}, 0.74},
        {{Adjacency::replace_one, {{FixedSizeWithReplacementGaussian{1.149, 30, 3000}, 18}}}, 2.88},
        {{Adjacency::add_remove, {{SampledGaussian{1.0, 0.01}, 1000}}}, 1.0}};
    for (const auto& [asked, at] : questions) {
        CAPTURE(describe(asked));
        const Bracket all = delta(asked, at);
        for (const Accountant one : {Accountant::renyi, Accountant::loss_distributions}) {
            if (one == Accountant::renyi && asked.adjacency == Adjacency::replace_one) continue;
            const Bracket alone = delta_by(one, asked, at, {});
            CHECK(all.lower.value >= alone.lower.value);
            CHECK(all.upper.value <= alone.upper.value);
        }
        const Bracket epsilons = epsilon(asked, 1e-5);
        const Bracket alone = epsilon_by(Accountant::loss_distributions, asked, 1e-5, {});
        CHECK(epsilons.lower.value >= alone.lower.value);
        CHECK(epsilons.upper.value <= alone.upper.value);
    }
}

TEST_CASE("a standing that one accountant lacks leaves the trivial bounds", "[account]") {
    Goal published;
    published.standing = StandingFilter::published;
    const Bracket delta = delta_by(Accountant::loss_distributions, release, 1.0, published);
    CHECK(delta.lower.value == 0.0);
    CHECK(delta.upper.value == 1.0);
    CHECK(delta.upper.status == Status::vacuous);
}

TEST_CASE("one accountant is not asked about epochs", "[account]") {
    const Release epochs{Adjacency::zero_out, {{BallsAndBins{1.0, 5}, 1}}};
    CHECK_THROWS_AS(epsilon_by(Accountant::renyi, epochs, 1e-5, {}), DomainError);
    CHECK_THROWS_AS(steps_of(epochs), DomainError);
}
