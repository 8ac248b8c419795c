#include "assay/epochs/log_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Two distributions whose sum is spread over [0.1, 9].
SumPayoffs example_sum(bool above) {
    AtomicDistribution a;
    AtomicDistribution b;
    for (int i = 1; i <= 20; ++i) {
        a.positions.push_back(0.05 * i);
        a.masses.push_back(0.05);
        b.positions.push_back(0.02 * i * i);
        b.masses.push_back(0.048);
    }
    b.above = above ? MassMoment{0.01, 0.4} : MassMoment{};
    return {a, b};
}

/// Payoffs of a distribution, by their definition.
double excess(const LogDistribution& distribution, double threshold) {
    double sum = distribution.infinite +
                 std::max(0.0, distribution.low.moment - threshold * distribution.low.mass);
    for (std::size_t i = 0; i < distribution.mass.size(); ++i)
        sum += std::max(0.0, distribution.moment[i] - threshold * distribution.mass[i]);
    return sum;
}

double shortfall(const LogDistribution& distribution, double threshold) {
    double sum = std::max(0.0, threshold * distribution.low.mass - distribution.low.moment);
    for (std::size_t i = 0; i < distribution.mass.size(); ++i)
        sum += std::max(0.0, threshold * distribution.mass[i] - distribution.moment[i]);
    return sum;
}

}  // namespace

TEST_CASE("a distribution on the logarithmic grid encloses payoffs of the sum",
          "[log_distribution]") {
    const SumPayoffs sum = example_sum(false);
    const AtomicDistribution& a = sum.first();
    const AtomicDistribution& b = sum.second();
    const LogDistribution low =
        log_distribution_of_sum(sum, 1.0, {}, {0.02, -3.0, 3.0}, ConvexSide::below);
    const LogDistribution high =
        log_distribution_of_sum(sum, 1.0, {}, {0.02, -3.0, 3.0}, ConvexSide::above);
    for (const double threshold : {0.5, 1.0, 4.0, 12.0, 40.0}) {
        Wide excesses = 0;
        Wide shortfalls = 0;
        for (std::size_t i = 0; i < a.masses.size(); ++i)
            for (std::size_t j = 0; j < b.masses.size(); ++j) {
                const double x = a.positions[i] + b.positions[j];
                const double w = a.masses[i] * b.masses[j];
                (x > threshold ? excesses : shortfalls) += Wide(w) * Wide(std::fabs(x - threshold));
            }
        CAPTURE(threshold);
        const Wide slack = Wide(1e-11);
        CHECK(Wide(excess(low, threshold)) <= excesses + slack);
        CHECK(Wide(excess(high, threshold)) >= excesses - slack);
        CHECK(Wide(shortfall(low, threshold)) <= shortfalls + slack);
        CHECK(Wide(shortfall(high, threshold)) >= shortfalls - slack);
        CHECK(excess(high, threshold) - excess(low, threshold) < 1e-3);
    }
}

TEST_CASE("mass outside of the grid stays on the safe side", "[log_distribution]") {
    const SumPayoffs sum = example_sum(true);
    // The grid ends below the largest positions and begins above the smallest.
    const LogDistribution low =
        log_distribution_of_sum(sum, 1.0, {}, {0.05, -0.5, 1.0}, ConvexSide::below);
    const LogDistribution high =
        log_distribution_of_sum(sum, 1.0, {}, {0.05, -0.5, 1.0}, ConvexSide::above);
    for (const double threshold : {0.3, 0.9, 2.0}) {
        CAPTURE(threshold);
        CHECK(excess(low, threshold) <= sum.excess(threshold) * (1.0 + 1e-12));
        CHECK(excess(high, threshold) >= sum.excess(threshold) * (1.0 - 1e-12));
        CHECK(shortfall(low, threshold) <= sum.shortfall(threshold) * (1.0 + 1e-12));
        CHECK(shortfall(high, threshold) >= sum.shortfall(threshold) * (1.0 - 1e-12));
    }
}

TEST_CASE("cells at the ends are merged as long as they hold little of what counts",
          "[log_distribution]") {
    AtomicDistribution nothing;
    nothing.positions = {0.0};
    nothing.masses = {1.0};
    AtomicDistribution low;
    low.positions = {1e-6, 1.0, 4.0};
    low.masses = {1e-9, 1.0, 1e-18};
    const SumPayoffs sum(nothing, low);
    const auto trimmed = [&](LogGrid::Counts counts, double negligible) {
        return log_distribution_of_sum(sum, 1.0, {}, {0.02, -20.0, 3.0, counts, negligible},
                                       ConvexSide::above);
    };
    // Its moment is 1e-15: what is merged by moment is mass at ratio 0.
    CHECK(trimmed(LogGrid::Counts::moment, 1e-12).low.mass == Approx(1e-9));
    CHECK(trimmed(LogGrid::Counts::moment, 1e-16).low.mass == 0.0);
    CHECK(trimmed(LogGrid::Counts::mass, 1e-12).low.mass == 0.0);
    CHECK(trimmed(LogGrid::Counts::mass, 1e-12).infinite > 0.0);
    CHECK(trimmed(LogGrid::Counts::mass, 1e-20).infinite < 1e-25);
}

TEST_CASE("a logarithmic step outside its range is refused", "[log_distribution]") {
    for (const double step : {0.0, 0.3, std::nan("")})
        CHECK(refused([&] {
                  return log_distribution_of_sum(example_sum(false), 1.0, {}, {step, -1.0, 1.0},
                                                 ConvexSide::above);
              }) == "log-step");
}
