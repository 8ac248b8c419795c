#include "experiments/birrell2024/composed_epsilon.hpp"

#include <catch2/catch.hpp>

using namespace assay;
using namespace assay::experiments::birrell2024;

TEST_CASE("steps may be fractional", "[birrell2024]") {
    const Setting setting{.sigma = 6.0, .batch = 120, .dataset = 50000, .q = 0.0024};
    CHECK(static_cast<double>(number_of_steps(250.0, setting)) == 104166.66666666667);
}

TEST_CASE("the smallest epsilon of the Gaussian mechanism encloses its minimum", "[birrell2024]") {
    // rdp = a/200 for 300 steps of a/60000, mironov2017: 1.5 a / 300 + log(1e5)/(a-1).
    const std::vector<double> orders = {40.0, 45.0, 48.0, 49.0, 50.0, 60.0};
    std::vector<Enclosure> one_step;
    for (const double order : orders) one_step.push_back({order / 60000.0, order / 60000.0});
    const auto best = best_epsilon(orders, one_step, 300.0L, 1e-5, mironov2017_epsilon);
    CHECK(best.order == 49.0);
    CHECK(best.epsilon.lower <= best.epsilon.upper);
    CHECK(best.epsilon.upper == Approx(0.245 + 11.512925464970229 / 48.0).epsilon(1e-14));
    CHECK(best.epsilon.relative_width() < 1e-14);
}
