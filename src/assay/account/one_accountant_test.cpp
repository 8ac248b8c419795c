#include "assay/account/one_accountant.hpp"

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
        pld_delta({&phase, 1}, Adjacency::add_remove, {&epsilon, 1}).points.front();
    const Bracket delta =
        delta_by(Accountant::loss_distributions, release, epsilon, with_gap({}, 1e-3));
    CHECK(delta.lower.value == at.lower.value);
    CHECK(delta.upper.value == at.upper.value);
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
