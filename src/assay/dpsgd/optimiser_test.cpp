#include "assay/dpsgd/optimiser.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

/// The published recursions in double precision, one coordinate.
struct PlainAdam {
    double m = 0.0;
    double v = 0.0;

    double step(double x, double g, int t, double rate) {
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        const double mean = m / (1.0 - std::pow(0.9, t));
        const double square = v / (1.0 - std::pow(0.999, t));
        return x - rate * mean / (std::sqrt(square) + 1e-8);
    }
};

}  // namespace

TEST_CASE("Adam is the recursion of its paper", "[dpsgd]") {
    test_support::Random random(11);
    CAPTURE(random.seed());
    const OptimiserOptions options{Adam{}, 0.01, LearningRateSchedule::constant, 1};
    std::vector<float> x(37);
    std::vector<double> expected(x.size());
    std::vector<PlainAdam> plain(x.size());
    Optimiser optimiser(options, x.size());
    for (int t = 1; t <= 50; ++t) {
        std::vector<float> g(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            g[i] = static_cast<float>(random.uniform(-1.0, 2.0));
            expected[i] = plain[i].step(expected[i], g[i], t, 0.01);
        }
        optimiser.update(x, g, t - 1);
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(x[i] == Approx(expected[i]).margin(1e-6).epsilon(1e-5));
}

TEST_CASE("momentum sums the gradients geometrically", "[dpsgd]") {
    const OptimiserOptions options{GradientDescent{0.5}, 0.25, LearningRateSchedule::constant, 1};
    std::vector<float> x{1.0F};
    const std::vector<float> g{2.0F};
    Optimiser optimiser(options, 1);
    for (int step = 0; step < 3; ++step) optimiser.update(x, g, step);
    // 2, 2 + 1, 2 + 1 + 1/2 times 1/4
    CHECK(x[0] == 1.0F - 0.25F * (2.0F + 3.0F + 3.5F));
    CHECK(optimiser.state().size() == 1);
    CHECK(Optimiser({GradientDescent{0.0}, 0.1, LearningRateSchedule::constant, 1}, 5)
              .state()
              .empty());
}

TEST_CASE("the cosine schedule falls from the rate to zero", "[dpsgd]") {
    const OptimiserOptions options{Adam{}, 0.2, LearningRateSchedule::cosine, 100};
    CHECK(learning_rate(options, 0) == 0.2);
    CHECK(learning_rate(options, 50) == Approx(0.1));
    CHECK(learning_rate(options, 25) == Approx(0.1 * (1.0 + std::sqrt(0.5))));
    CHECK(learning_rate(options, 100) == Approx(0.0).margin(1e-15));
    CHECK(learning_rate(options, 400) == Approx(0.0).margin(1e-15));
}

TEST_CASE("a restored optimiser goes on with the same bits", "[dpsgd]") {
    const OptimiserOptions options{Adam{}, 0.03, LearningRateSchedule::cosine, 20};
    std::vector<float> x(5, 0.5F);
    Optimiser whole(options, x.size());
    std::vector<float> g{1.0F, -2.0F, 0.25F, 3.0F, -0.5F};
    for (int step = 0; step < 7; ++step) whole.update(x, g, step);
    Optimiser resumed(options, x.size());
    resumed.restore(whole.state());
    std::vector<float> y = x;
    for (int step = 7; step < 20; ++step) {
        whole.update(x, g, step);
        resumed.update(y, g, step);
    }
    CHECK(x == y);
    CHECK(test_support::refused([&] {
              resumed.restore(std::span<const float>(g));
              return 0;
          }) == "state");
}

TEST_CASE("optimisers refuse what they cannot use", "[dpsgd]") {
    const auto refusal = [](const OptimiserOptions& options) {
        return test_support::refused([&] {
            validate(options);
            return 0;
        });
    };
    constexpr auto constant = LearningRateSchedule::constant;
    CHECK(refusal({Adam{}, 0.0, constant, 1}) == "learning rate");
    CHECK(refusal({Adam{}, -1.0, constant, 1}) == "learning rate");
    CHECK(refusal({Adam{}, std::nan(""), constant, 1}) == "learning rate");
    CHECK(refusal({GradientDescent{1.0}, 0.1, constant, 1}) == "momentum");
    CHECK(refusal({Adam{1.0, 0.9, 1e-8}, 0.1, constant, 1}) == "mean decay");
    CHECK(refusal({Adam{0.9, -0.1, 1e-8}, 0.1, constant, 1}) == "square decay");
    CHECK(refusal({Adam{0.9, 0.9, 0.0}, 0.1, constant, 1}) == "stabiliser");
    CHECK(refusal({Adam{}, 0.1, constant, 0}) == "total steps");
    CHECK(refusal({Adam{}, 0.1, constant, 1}).empty());
}
