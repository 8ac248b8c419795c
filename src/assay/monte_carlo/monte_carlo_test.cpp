#include "assay/monte_carlo/monte_carlo.hpp"

#include "assay/epochs/deterministic_batches.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/monte_carlo/delta_estimate.hpp"
#include "assay/monte_carlo/loss_second_moment.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

std::int64_t trials(std::int64_t count) {
    return count * effort();
}

using Method = SamplingMethod;

struct Run {
    std::vector<double> sums;
    std::int64_t samples = 0;
};

Run run(const MonteCarloPlan& plan, std::int64_t samples) {
    const MonteCarloSampler sampler(plan);
    Run result{std::vector<double>(number_of_sums(plan)), 0};
    std::vector<double> block(result.sums.size());
    for (std::uint64_t b = 0; result.samples < samples; ++b) {
        sampler.run_block(b, block);
        for (std::size_t i = 0; i < block.size(); ++i) result.sums[i] += block[i];
        result.samples += trials_per_block(plan);
    }
    return result;
}

std::vector<DeltaEstimate> estimates(const MonteCarloPlan& plan, std::int64_t samples,
                                     double beta = 1e-6) {
    const Run result = run(plan, samples);
    return estimate(plan, result.sums, moments_of(plan), result.samples, beta);
}

/// The truth lies within the confidence bounds and five standard errors of the mean.
void check_agrees(const DeltaEstimate& found, double low, double high) {
    CHECK(found.kl_upper >= low);
    CHECK(found.bennett_upper >= low);
    CHECK(found.bennett_upper <= found.kl_upper);
    CHECK(found.bernstein_upper >= low);
    CHECK(found.lower <= high);
    CHECK(found.bennett_lower <= high);
    CHECK(found.mean >= low - 5.0 * found.standard_error);
    CHECK(found.mean <= high + 5.0 * found.standard_error);
}

}  // namespace

TEST_CASE("Monte Carlo of one step is the Gaussian", "[monte_carlo]") {
    const std::vector<double> epsilons{0.0, 0.5, 2.0};
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition})
        for (const Method method : {Method::plain, Method::importance, Method::conditional}) {
            const auto found =
                estimates({{0.8, 1}, direction, epsilons, method, {}, 1, 3}, trials(40'000));
            for (const DeltaEstimate& one : found) {
                const Enclosure truth = deterministic_delta({0.8, 1}, one.epsilon);
                check_agrees(one, truth.lower, truth.upper);
            }
        }
}

TEST_CASE("Monte Carlo within independent brackets", "[monte_carlo]") {
    struct Case {
        LossDirection direction;
        std::int64_t steps;
        double s, eps, low, high;
    };
    // Deterministic brackets computed elsewhere.
    for (const Case& c :
         {Case{LossDirection::removal, 1000, 1.0, 0.1, 0.00014814042438859572,
               0.00014833472627334726},
          Case{LossDirection::removal, 100, 0.7, 0.2, 0.03396487586135124, 0.03396625763066257},
          Case{LossDirection::removal, 1563, 0.4, 0.5, 0.035481429193185705, 0.035482035711820355},
          Case{LossDirection::addition, 1000, 0.5, 0.3, 0.001779576177704238,
               0.0017801954003019537},
          Case{LossDirection::addition, 10, 0.5, 0.5, 0.24336448138635516, 0.24336512143365116},
          Case{LossDirection::addition, 2, 0.3, 1, 0.787910387727416, 0.7879103893032368}})
        for (const Method method : {Method::plain, Method::importance, Method::conditional}) {
            CAPTURE(c.steps, c.s, c.eps, to_string(method));
            const auto found =
                estimates({{c.s, c.steps}, c.direction, {c.eps}, method, {}, 1, 7}, trials(8'000));
            check_agrees(found.front(), c.low, c.high);
        }
}

TEST_CASE("events that no double holds are estimated all the same", "[monte_carlo]") {
    struct Case {
        double s;
        std::int64_t steps;
        double eps;
    };
    for (const Case& c :
         {Case{10.0, 1000, 12.0}, Case{1.0, 1000, 50.0}, Case{1000.0, 1, 1.0}, Case{10.0, 1, 3.85}})
        for (const Method method : {Method::importance, Method::importance_and_order_statistics}) {
            if (method != Method::importance && c.steps == 1) continue;
            CAPTURE(c.s, c.steps, c.eps, to_string(method));
            const std::vector<std::int64_t> orders =
                method == Method::importance ? std::vector<std::int64_t>{} : up_to(c.steps);
            const auto found = estimates(
                {{c.s, c.steps}, LossDirection::addition, {c.eps, 0.0}, method, orders, 1, 3},
                trials(4'000));
            CHECK(found.front().lower == 0.0);
            CHECK(found.front().kl_upper < 1e-290);
            CHECK(found.front().kl_upper > 0.0);
            CHECK(found.back().kl_upper > 0.0);
        }
}

TEST_CASE("negative epsilons", "[monte_carlo]") {
    // delta_remove(-e) = 1 - e^-e + e^-e delta_add(e), and the other way round: T = 10, s = 0.5.
    const double low = 0.24336448138635516;
    const double high = 0.24336512143365116;
    const double base = -std::expm1(-0.5);
    const double factor = std::exp(-0.5);
    for (const Method method : {Method::plain, Method::importance, Method::conditional}) {
        CAPTURE(to_string(method));
        const auto found = estimates({{0.5, 10}, LossDirection::removal, {-0.5}, method, {}, 1, 8},
                                     trials(20'000));
        check_agrees(found.front(), base + factor * low, base + factor * high);
    }
    // T = 100, s = 0.7.
    for (const Method method : {Method::plain, Method::importance, Method::conditional}) {
        CAPTURE(to_string(method));
        const auto found = estimates(
            {{0.7, 100}, LossDirection::addition, {-0.2}, method, {}, 1, 8}, trials(20'000));
        check_agrees(found.front(), -std::expm1(-0.2) + std::exp(-0.2) * 0.03396487586135124,
                     -std::expm1(-0.2) + std::exp(-0.2) * 0.03396625763066257);
    }
}

TEST_CASE("conditional Monte Carlo has the smaller variance", "[monte_carlo]") {
    struct Case {
        LossDirection direction;
        std::int64_t steps;
        double s, eps, gain;
    };
    for (const Case& c : {Case{LossDirection::removal, 1000, 0.5, 2.0, 3.0},
                          Case{LossDirection::removal, 300, 0.4, 4.0, 10.0},
                          Case{LossDirection::addition, 10, 0.5, 0.5, 1.0}}) {
        CAPTURE(c.steps, c.eps);
        const auto error = [&](Method method) {
            return estimates({{c.s, c.steps}, c.direction, {c.eps}, method, {}, 1, 31}, 20'000)
                .front()
                .standard_error;
        };
        const double ratio = error(Method::plain) / error(Method::conditional);
        CHECK(ratio * ratio > c.gain);
    }
    const auto rare =
        estimates({{0.4, 1000}, LossDirection::removal, {8.0}, Method::conditional, {}, 1, 32},
                  4'000)
            .front();
    CHECK(rare.standard_error < 0.1 * rare.mean);
    CHECK_FALSE(rare.share_positive.has_value());
}

TEST_CASE("order statistics alone and inside the event", "[monte_carlo]") {
    // All orders: the sum itself.
    const double low = 0.03396487586135124;
    const double high = 0.03396625763066257;
    const BallsAndBins mechanism{0.7, 100};
    check_agrees(
        estimates(
            {mechanism, LossDirection::removal, {0.2}, Method::order_statistics, up_to(99), 1, 5},
            trials(20'000))
            .front(),
        low, high);
    check_agrees(estimates({mechanism,
                            LossDirection::removal,
                            {0.2},
                            Method::importance_and_order_statistics,
                            up_to(98),
                            1,
                            5},
                           trials(20'000))
                     .front(),
                 low, high);
    // All but the last few orders at small T, against the bracket from below.
    for (const Method method :
         {Method::order_statistics, Method::importance_and_order_statistics}) {
        const auto of_removal = estimates(
            {{0.5, 5}, LossDirection::removal, {1.0}, method, {1, 2}, 1, 6}, trials(40'000));
        const double floor = largest_coordinate_delta(BallsAndBins{0.5, 5}, 1.0).lower;
        CHECK(of_removal.front().mean > floor - 5.0 * of_removal.front().standard_error);
        CHECK(of_removal.front().lower == 0.0);
        const auto of_addition = estimates(
            {{0.5, 10}, LossDirection::addition, {0.5}, method, {2, 5, 8}, 1, 6}, trials(40'000));
        CHECK(of_addition.front().mean > 0.24336448 - 5.0 * of_addition.front().standard_error);
        const auto all = estimates(
            {{0.5, 10}, LossDirection::addition, {0.5}, method, up_to(10), 1, 6}, trials(40'000));
        check_agrees(all.front(), 0.24336448, 0.24336513);
    }
}

TEST_CASE("the paper's orders inflate by the known factor", "[monte_carlo]") {
    // T = 36133, s = 0.4, eps = 0.25: 8 % above the bracket of the exact value.
    const auto found = estimates({{0.4, 36133},
                                  LossDirection::removal,
                                  {0.25},
                                  Method::order_statistics,
                                  paper_order_list("fig2_36133").orders,
                                  1,
                                  9},
                                 trials(60'000))
                           .front();
    CHECK(found.mean > 1.08 * 0.0036719 - 5.0 * found.standard_error);
    CHECK(found.mean < 1.08 * 0.0036722 + 5.0 * found.standard_error);
}

TEST_CASE("several epochs", "[monte_carlo]") {
    const auto found = estimates(
        {{0.6, 500}, LossDirection::removal, {0.5, 2.0}, Method::plain, {}, 10, 4}, trials(4'000));
    check_agrees(found[0], 0.06421952842317039, 0.06435377607848086);
    check_agrees(found[1], 0.0005430117527367064, 0.0005443680414926608);
}

TEST_CASE("a block is a function of seed and number alone", "[monte_carlo]") {
    const MonteCarloPlan plan{{0.5, 100}, LossDirection::removal, {0.3, 1.0}, Method::plain, {}, 1,
                              12};
    const MonteCarloSampler one(plan);
    const MonteCarloSampler other(plan);
    std::vector<double> a(number_of_sums(plan));
    std::vector<double> b(number_of_sums(plan));
    one.run_block(5, a);
    other.run_block(4, b);
    CHECK(a != b);
    other.run_block(5, b);
    CHECK(a == b);
    // x is at most 1, x^2 at most x, and larger epsilons give smaller x.
    CHECK(a[1] <= a[0]);
    CHECK(a[0] <= a[2]);
    CHECK(a[3] <= a[0]);
    CHECK(trials_per_block(plan) % 4 == 0);
}

TEST_CASE("plans are refused by name", "[monte_carlo]") {
    const auto refusal = [](const MonteCarloPlan& plan) {
        return refused([&] {
            validate(plan);
            return 0;
        });
    };
    const MonteCarloPlan good{{0.5, 100}, LossDirection::removal, {0.3}, Method::plain, {}, 1, 1};
    CHECK(refusal(good).empty());
    MonteCarloPlan bad = good;
    bad.mechanism.batches_per_epoch = 0;
    CHECK(refusal(bad) == "batches-per-epoch");
    bad = good;
    bad.mechanism.noise_multiplier = 0.0;
    CHECK(refusal(bad) == "noise-multiplier");
    bad.mechanism.noise_multiplier = 0.039;
    CHECK(refusal(bad) == "noise-multiplier");
    bad = good;
    bad.epsilons = {0.1, std::nan("")};
    CHECK(refusal(bad) == "epsilon");
    bad.epsilons = {};
    CHECK(refusal(bad) == "epsilon");
    bad = good;
    bad.epochs = 0;
    CHECK(refusal(bad) == "epochs");
    bad = good;
    bad.orders = {1};
    CHECK(refusal(bad) == "orders");
    bad.method = Method::order_statistics;
    bad.orders = {2, 5};
    CHECK(refusal(bad) == "orders");
    bad.direction = LossDirection::addition;
    CHECK(refusal(bad).empty());
    bad.orders = {5, 101};
    CHECK(refusal(bad) == "orders");
    bad = good;
    bad.method = Method::importance;
    bad.epochs = 2;
    CHECK_THROWS_AS(validate(bad), UnsupportedMechanism);
    bad.method = Method::conditional;
    CHECK_THROWS_AS(validate(bad), UnsupportedMechanism);
    bad.epochs = 1;
    CHECK(refusal(bad).empty());
}
