#include "assay/ldp/maximum_likelihood.hpp"

#include <algorithm>

#include "assay/ldp/grid_posterior.hpp"
#include "test_support/ldp_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

std::vector<KeptAnswer> random_answers(Random& random, int count) {
    std::vector<KeptAnswer> answers;
    for (int i = 0; i < count; ++i) {
        CategorySubset subset(3);
        subset.rank_by(
            std::vector<double>{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)});
        subset.resize(random.integer(0, 2));
        answers.push_back({subset, std::max(random.integer(-2, 2), 0)});
    }
    return answers;
}

std::array<double, 3> as_array(const std::vector<double>& theta) {
    return {theta[0], theta[1], theta[2]};
}

}  // namespace

TEST_CASE("the likelihood rises at every step and its gap bounds what is left",
          "[maximum_likelihood]") {
    Random random(5601);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 10 * effort(); ++trial) {
        const RestrictedResponse mechanism{.categories = 3,
                                           .epsilon = random.log_uniform(0.3, 6.0),
                                           .budget_share = random.uniform(0.1, 1.0)};
        CAPTURE(mechanism.epsilon, mechanism.budget_share);
        const std::vector<KeptAnswer> answers = random_answers(random, 60);
        const ResponseHistory history = history_of(mechanism, answers);
        const double uniform =
            log_likelihood(mechanism, answers, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0});
        double best = uniform;
        for (int a = 0; a <= 150; ++a)
            for (int b = 0; a + b <= 150; ++b)
                best =
                    std::max(best, log_likelihood(mechanism, answers,
                                                  {a / 150.0, b / 150.0, (150 - a - b) / 150.0}));
        double before = 0.0;
        for (const int steps : {1, 2, 3, 5, 10, 100, 1000}) {
            const MaximumLikelihood found = maximum_likelihood(history, 1e-9, steps);
            const double gain = log_likelihood(mechanism, answers, as_array(found.theta)) - uniform;
            CHECK(found.log_likelihood_gain == Approx(gain).margin(1e-10));
            CHECK(gain >= before - 1e-10);
            CHECK(gain + found.gap >= best - uniform - 1e-10);
            CHECK(found.steps <= steps);
            before = gain;
        }
    }
}

TEST_CASE("standard randomised response has its estimator in closed form", "[maximum_likelihood]") {
    // With S empty h_y = (1 + (e^eps - 1) theta_y) / (e^eps + K - 1): invert the frequencies.
    const double epsilon = 2.0;
    ResponseHistory history({.categories = 4, .epsilon = epsilon, .budget_share = 0.5});
    const std::array<int, 4> counts{50, 40, 30, 25};
    for (int y = 0; y < 4; ++y)
        for (int i = 0; i < counts[static_cast<std::size_t>(y)]; ++i)
            history.add(CategorySubset(4), y);
    const MaximumLikelihood found = maximum_likelihood(history, 1e-10, 100'000);
    CHECK(found.gap <= 1e-10);
    for (std::size_t y = 0; y < 4; ++y) {
        const double share = counts[y] / 145.0;
        const double theta = (share * (std::exp(epsilon) + 3.0) - 1.0) / std::expm1(epsilon);
        CHECK(found.theta[y] == Approx(theta).margin(1e-6));
    }
}

TEST_CASE("an estimate with no answers or no tolerance is refused", "[maximum_likelihood]") {
    ResponseHistory history({.categories = 3, .epsilon = 1.0, .budget_share = 0.5});
    CHECK(refused([&] { return maximum_likelihood(history); }) == "responses");
    history.add(CategorySubset(3), 0);
    CHECK(refused([&] { return maximum_likelihood(history, 0.0); }) == "tolerance");
    CHECK(refused([&] { return maximum_likelihood(history, NAN); }) == "tolerance");
    CHECK(refused([&] { return maximum_likelihood(history, 1e-6, 0); }) == "most-steps");
}
