#include "assay/monte_carlo/delta_estimate.hpp"

#include <cmath>

#include "assay/monte_carlo/loss_second_moment.hpp"
#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Misses {
    int kl_upper = 0, bennett_upper = 0, lower = 0, bennett_lower = 0;
};

/// Of `repetitions` runs of one block each.
Misses misses(const MonteCarloPlan& plan, double low, double high, double beta, int repetitions) {
    const MonteCarloSampler sampler(plan);
    const std::vector<double> moments = moments_of(plan);
    std::vector<double> block(number_of_sums(plan));
    Misses count;
    for (int i = 0; i < repetitions; ++i) {
        sampler.run_block(static_cast<std::uint64_t>(i), block);
        const auto found = estimate(plan, block, moments, trials_per_block(plan), beta).front();
        count.kl_upper += found.kl_upper < low ? 1 : 0;
        count.bennett_upper += found.bennett_upper < low ? 1 : 0;
        count.lower += found.lower > high ? 1 : 0;
        count.bennett_lower += found.bennett_lower > high ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("the stated confidence holds", "[delta_estimate]") {
    const double beta = 0.1;
    struct Case {
        MonteCarloPlan plan;
        double low, high;
    };
    using enum LossDirection;
    using enum SamplingMethod;
    // Brackets computed elsewhere; the second moments are far below the deltas.
    for (const Case& c :
         {Case{{{0.3, 2}, addition, {1.0}, plain, {}, 1, 21}, 0.787910387, 0.787910390},
          Case{{{1.0, 1000}, removal, {0.1}, importance, {}, 1, 23}, 0.00014814, 0.00014834},
          Case{{{1.0, 1000}, removal, {0.1}, conditional, {}, 1, 26}, 0.00014814, 0.00014834},
          Case{{{0.6, 500}, removal, {2.0}, plain, {}, 10, 24}, 0.00054301, 0.00054437},
          Case{{{0.5, 1000}, addition, {0.3}, plain, {}, 1, 25}, 0.0017795, 0.0017802}}) {
        CAPTURE(c.plan.mechanism.batches_per_epoch, c.plan.seed);
        const int runs = c.plan.mechanism.batches_per_epoch > 2 ? 25 * effort() : 300 * effort();
        const double most = beta * runs + 4.0 * std::sqrt(beta * runs);
        const Misses count = misses(c.plan, c.low, c.high, beta, runs);
        CHECK(count.kl_upper <= most);
        CHECK(count.bennett_upper <= most);
        CHECK(count.lower <= most);
        CHECK(count.bennett_lower <= most);
    }
}

TEST_CASE("a known second moment narrows the bounds", "[delta_estimate]") {
    // E x^2 is far below E x = 6.7e-4.
    const MonteCarloPlan plan{{2.0, 100}, LossDirection::removal, {0.1}, {}, {}, 1, 5};
    const std::vector<double> moments = moments_of(plan);
    CHECK(moments.front() < 1e-4);
    const double m = 1e6;
    const std::vector<double> sums{6.7e-4 * m, 2.5e-5 * m, 3e-2 * m};
    const auto found = estimate(plan, sums, moments, 1'000'000, 1e-3).front();
    const auto without = estimate(plan, sums, std::vector<double>{1.0}, 1'000'000, 1e-3).front();
    CHECK(without.bennett_upper == without.kl_upper);
    CHECK(found.kl_upper == without.kl_upper);
    CHECK(found.bennett_upper - found.mean < 0.5 * (found.kl_upper - found.mean));
    CHECK(found.mean - found.bennett_lower < 0.6 * (found.mean - found.lower));
    // No sample above 0: a shorter upper bound nevertheless.
    const auto none = estimate(plan, std::vector<double>{0.0, 0.0, 0.0}, std::vector<double>{1e-16},
                               1'000'000, 1e-3)
                          .front();
    CHECK(none.bennett_upper <= 1.0001e-8);
    CHECK(none.kl_upper > 6.9e-6);
}

TEST_CASE("estimates refuse", "[delta_estimate]") {
    const MonteCarloPlan good{{0.5, 100}, LossDirection::removal, {0.3}, {}, {}, 1, 1};
    const std::vector<double> sums{1.0, 1.0, 1.0};
    const std::vector<double> one{1.0};
    CHECK(refused([&] { return estimate(good, sums, one, 0, 0.1); }) == "m");
    CHECK(refused([&] { return estimate(good, sums, one, 10, 1.0); }) == "beta");
    CHECK(refused([&] { return estimate(good, one, one, 10, 0.1); }) == "sums");
    CHECK(refused([&] { return estimate(good, sums, sums, 10, 0.1); }) == "second_moments");
    CHECK(refused([&] {
              return estimate(good, std::vector<double>{11.0, 1.0, 1.0}, one, 10, 0.1);
          }) == "sums");
}
