#include "assay/ldp/simulation.hpp"

#include <algorithm>
#include <numeric>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

SimulationPlan plan_of(const SubsetRule& rule) {
    SimulationPlan plan;
    plan.settings.mechanism = {.categories = 5, .epsilon = 2.0, .budget_share = 0.9};
    plan.settings.rule = rule;
    plan.settings.sampler = LangevinSettings{.step = paper_step(4000)};
    plan.settings.seed = 7;
    plan.users = 4000;
    return plan;
}

}  // namespace

TEST_CASE("a drawn distribution has the moments of its Dirichlet distribution", "[ldp]") {
    for (const double rho : {0.05, 1.0, 30.0}) {
        const int categories = 4;
        const int draws = 20000 * test_support::effort();
        double sum = 0.0;
        double squares = 0.0;
        for (int i = 0; i < draws; ++i) {
            RandomStream stream(3, Purpose::test, static_cast<std::uint64_t>(i));
            const std::vector<double> theta = draw_distribution(stream, categories, rho);
            CHECK(std::accumulate(theta.begin(), theta.end(), 0.0) == Approx(1.0).epsilon(1e-14));
            sum += theta[1];
            squares += theta[1] * theta[1];
        }
        const double mean = 1.0 / categories;
        const double variance = mean * (1.0 - mean) / (categories * rho + 1.0);
        CAPTURE(rho, draws);
        CHECK(sum / draws == Approx(mean).margin(5.0 * std::sqrt(variance / draws)));
        // The fourth moment is at most the second, so this is 5 deviations or more.
        CHECK(squares / draws - mean * mean ==
              Approx(variance).margin(5.0 * std::sqrt((variance + mean * mean) / draws)));
    }
}

TEST_CASE("a category is drawn by its share of the unit interval", "[ldp]") {
    const std::vector<double> sums{0.25, 0.25, 0.75, 1.0};  // the second has no share
    CHECK(category_at(sums, 0.0) == 0);
    CHECK(category_at(sums, 0.2499) == 0);
    CHECK(category_at(sums, 0.25) == 2);
    CHECK(category_at(sums, 0.7499) == 2);
    CHECK(category_at(sums, 0.999) == 3);
}

TEST_CASE("a run is a function of its seed and number, its population of nothing else", "[ldp]") {
    const SimulationResult one = simulate(plan_of(ByUtility{Utility::honest_response}), 3);
    const SimulationResult same = simulate(plan_of(ByUtility{Utility::honest_response}), 3);
    CHECK(one.estimate == same.estimate);
    CHECK(one.mean_subset_size == same.mean_subset_size);
    const SimulationResult plain = simulate(plan_of(NonAdaptive{}), 3);
    CHECK(plain.truth == one.truth);
    CHECK(plain.mean_subset_size == 5.0);
    CHECK(simulate(plan_of(NonAdaptive{}), 4).truth != one.truth);
}

TEST_CASE("a run tells how many have answered, each once", "[ldp]") {
    const SimulationPlan plan = plan_of(NonAdaptive{});
    std::int64_t told = 0;
    std::int64_t calls = 0;
    std::int64_t taken = 0;
    static_cast<void>(simulate(
        plan, 0,
        [&](std::int64_t answers) {
            CHECK(answers > 0);
            told += answers;
            ++calls;
        },
        [&](const CategorySubset& subset, int response) {
            taken += response >= 0 && response < subset.categories();
        }));
    CHECK(told == plan.users);
    CHECK(taken == plan.users);
    CHECK(calls > 1);
}

TEST_CASE("the error falls like the root of the number of users", "[ldp]") {
    // Standard randomised response of K = 5, epsilon = 2: variance of one component's unbiased
    // estimate is about h (1-h) / (n (p-s)^2), so the distance is about 0.03 at n = 4000.
    double few = 0.0;
    double many = 0.0;
    const int runs = 8 * test_support::effort();
    for (int run = 0; run < runs; ++run) {
        SimulationPlan plan = plan_of(NonAdaptive{});
        many += simulate(plan, static_cast<std::uint64_t>(run)).total_variation / runs;
        plan.users = 250;
        plan.settings.sampler = LangevinSettings{.step = paper_step(250)};
        few += simulate(plan, static_cast<std::uint64_t>(run)).total_variation / runs;
    }
    CAPTURE(runs);
    CHECK(many < 0.05);
    CHECK(few > 2.0 * many);
    CHECK(few < 8.0 * many);
}

TEST_CASE("a simulation refuses what it cannot run", "[ldp]") {
    const auto refusal = [](auto&& change) {
        SimulationPlan plan = plan_of(NonAdaptive{});
        change(plan);
        return test_support::refused([&] { return simulate(plan, 0).total_variation; });
    };
    CHECK(refusal([](SimulationPlan& p) { p.users = 0; }) == "users");
    CHECK(refusal([](SimulationPlan& p) { p.concentration = 0.0; }) == "concentration");
    CHECK(refusal([](SimulationPlan& p) { p.settings.mechanism.epsilon = -1.0; }) == "epsilon");
    CHECK(refusal([](SimulationPlan& p) { p.discarded = 2000; }) == "discarded");
}
