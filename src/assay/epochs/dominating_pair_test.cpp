#include "assay/epochs/dominating_pair.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("privacy loss is the log ratio of the densities", "[dominating_pair]") {
    Random random(41);
    CAPTURE(random.seed());
    for (int i = 0; i < 50 * effort(); ++i) {
        const double s = random.log_uniform(0.1, 10.0);
        const auto steps = static_cast<std::size_t>(random.integer(1, 20));
        std::vector<double> x(steps);
        for (double& coordinate : x) coordinate = random.uniform(-3.0 * s, 3.0 * s + 1.0);
        Wide p = 0;
        Wide norm = 0;
        for (const double coordinate : x) norm += Wide(coordinate) * coordinate;
        for (const double coordinate : x)  // |x - e_t|^2 = |x|^2 - 2 x_t + 1
            p += exp(-(norm - 2 * Wide(coordinate) + 1) / (2 * Wide(s) * s)) / steps;
        const auto truth = static_cast<double>(log(p) + norm / (2 * Wide(s) * s));
        const BallsAndBins mechanism{s, static_cast<std::int64_t>(steps)};
        const double tolerance = 1e-13 * (1.0 + std::fabs(truth) + 5.0 / (s * s));
        CHECK(std::fabs(privacy_loss(mechanism, LossDirection::removal, x) - truth) < tolerance);
        CHECK(std::fabs(privacy_loss(mechanism, LossDirection::addition, x) + truth) < tolerance);
    }
    CHECK(to_string(LossDirection::removal) == "removal");
    CHECK(to_string(LossDirection::addition) == "addition");
}

TEST_CASE("a point of the wrong length is refused", "[dominating_pair]") {
    const std::vector<double> x{0.0, 1.0};
    const std::vector<double> bad{0.0, std::nan("")};
    CHECK(refused([&] { return privacy_loss({1.0, 3}, LossDirection::addition, x); }) == "x");
    CHECK(refused([&] { return privacy_loss({1.0, 2}, LossDirection::addition, bad); }) == "x");
}
