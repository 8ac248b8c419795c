#include "assay/monte_carlo/loss_second_moment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/monte_carlo/monte_carlo.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E [1 - e^{eps - L}]_+^2 of one step, by the trapezoid rule.
real of_one_step(double s, double epsilon, bool removal) {
    const real c = 1.0L / static_cast<real>(s);
    const real step = 1.0L / 512.0L;
    real sum = 0.0L;
    for (int i = -40 * 512; i <= 40 * 512; ++i) {
        const real z = step * i;
        // Under N(c, 1) the loss is c z + c^2/2; under N(0, 1) that of addition is -c z + c^2/2.
        const real loss = removal ? c * z + 0.5L * c * c : -c * z + 0.5L * c * c;
        const real x = std::max(0.0L, -std::expm1(epsilon - loss));
        sum += x * x * std::exp(-0.5L * z * z);
    }
    return sum * step / std::sqrt(2.0L * std::numbers::pi_v<real>);
}

}  // namespace

TEST_CASE("second moments of one step", "[loss_second_moment]") {
    for (const double s : {0.3, 1.0, 4.0})
        for (const double epsilon : {0.0, 0.5, 3.0})
            for (const bool removal : {true, false}) {
                CAPTURE(s, epsilon, removal);
                const double bound =
                    loss_second_moments({s, 1},
                                        removal ? LossDirection::removal : LossDirection::addition,
                                        1, std::vector<double>{epsilon})
                        .front();
                CHECK(bound >= of_one_step(s, epsilon, removal));
                CHECK(bound <= 1.0);
            }
    // Far out the exponent is right: the best order gives at most some hundred times the moment.
    const double bound =
        loss_second_moments({1.0, 1}, LossDirection::removal, 1, std::vector<double>{8.0}).front();
    CHECK(bound < 200.0 * static_cast<double>(of_one_step(1.0, 8.0, true)));
}

TEST_CASE("second moments against samples", "[loss_second_moment]") {
    struct Case {
        LossDirection direction;
        std::int64_t steps, epochs;
        double s, epsilon;
        double most;  // bound over sampled
    };
    using enum LossDirection;
    for (const Case& c :
         {Case{removal, 1000, 1, 1.0, 0.1, 600.0}, Case{removal, 100, 1, 2.0, 0.1, 6.0},
          Case{removal, 100, 1, 0.7, 0.2, 20.0}, Case{removal, 500, 10, 0.6, 1.0, 20.0},
          Case{addition, 1000, 1, 1.0, 0.05, 20.0}, Case{addition, 1000, 1, 0.5, 0.3, 60.0},
          Case{addition, 1000, 1, 0.5, -0.3, 20.0}}) {
        CAPTURE(c.steps, c.s, c.epsilon);
        const MonteCarloPlan plan{{c.s, c.steps}, c.direction, {c.epsilon}, {}, {}, c.epochs, 3};
        const MonteCarloSampler sampler(plan);
        std::vector<double> sums(3);
        double second = 0.0;
        double samples = 0.0;
        for (std::uint64_t b = 0; samples < 40'000.0 * effort(); ++b) {
            sampler.run_block(b, sums);
            second += sums[1];
            samples += static_cast<double>(trials_per_block(plan));
        }
        const double bound =
            loss_second_moments(plan.mechanism, c.direction, c.epochs, plan.epsilons).front();
        CHECK(bound >= 0.9 * second / samples);
        CHECK(bound <= c.most * second / samples);
    }
}

TEST_CASE("second moments are trivial where nothing is known", "[loss_second_moment]") {
    const std::vector<double> epsilons{0.0, 1.0};
    for (const double bound : loss_second_moments({0.5, 100}, LossDirection::addition, 2, epsilons))
        CHECK(bound == 1.0);
    // Losses far above epsilon.
    for (const double bound : loss_second_moments({0.05, 2}, LossDirection::removal, 1, epsilons))
        CHECK(bound == 1.0);
    CHECK(loss_second_moments({0.05, 2}, LossDirection::addition, 1, epsilons).front() <= 1.0);
    CHECK(loss_second_moments({100.0, 1'000'000}, LossDirection::removal, 1, epsilons).back() >
          0.0);
    CHECK(refused([&] {
              return loss_second_moments({0.5, 0}, {}, 1, epsilons);
          }) == "batches-per-epoch");
    CHECK(refused([&] {
              return loss_second_moments({0.01, 5}, {}, 1, epsilons);
          }) == "noise-multiplier");
    CHECK(refused([&] { return loss_second_moments({0.5, 5}, {}, 0, epsilons); }) == "epochs");
    CHECK(refused([&] {
              return loss_second_moments({0.5, 5}, {}, 1, std::vector<double>{std::nan("")});
          }) == "epsilon");
}
