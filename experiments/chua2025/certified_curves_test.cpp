#include "experiments/chua2025/certified_curves.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments::chua2025;

namespace {

std::vector<Enclosure> around(const std::vector<double>& x, double (*f)(double), double width) {
    std::vector<Enclosure> values;
    for (const double at : x) values.push_back({f(at) * (1.0 - width), f(at) * (1.0 + width)});
    return values;
}
double falls_fast(double x) {
    return 1.5 * std::exp(-2.0 * x);
}
double falls_slowly(double x) {
    return std::exp(-x);
}

/// delta of two steps by the midpoint rule in both coordinates, the larger of both directions.
template <class Ratio>
double delta_of_two_steps(double sigma, double epsilon, Ratio ratio) {
    constexpr int nodes = 1200;
    constexpr double reach = 11.0;
    constexpr double width = 2.0 * reach / nodes;
    std::vector<double> mass;
    std::vector<double> likelihood;
    for (int i = 0; i < nodes; ++i) {
        const double z = -reach + (i + 0.5) * width;
        mass.push_back(std::exp(-0.5 * z * z) * width / std::sqrt(2.0 * 3.141592653589793));
        likelihood.push_back(std::exp(z / sigma - 0.5 / (sigma * sigma)));
    }
    double removal = 0.0;
    double addition = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i)
        for (std::size_t j = 0; j < mass.size(); ++j) {
            const double w = ratio(likelihood[i], likelihood[j]);
            removal += mass[i] * mass[j] * std::max(0.0, w - std::exp(epsilon));
            addition += mass[i] * mass[j] * std::max(0.0, 1.0 - std::exp(epsilon) * w);
        }
    return std::max(removal, addition);
}

}  // namespace

TEST_CASE("an order is certain on whole intervals, up to the crossing", "[chua2025]") {
    const std::vector<double> grid = even_grid(2.0, 2000);
    const Ordering order =
        compare(grid, around(grid, falls_fast, 1e-4), around(grid, falls_slowly, 1e-4));
    const double crossing = std::log(1.5);
    CHECK(order.above_until < crossing);
    CHECK(order.above_until > crossing - 0.01);
    CHECK(order.below_from > crossing);
    CHECK(order.below_from < crossing + 0.01);
    CHECK(order.below_until == 2.0);
    CHECK(order.largest_second == Approx(falls_slowly(order.below_from)).epsilon(2e-4));
    CHECK(order.least_second == Approx(std::exp(-2.0)).epsilon(2e-4));
}

TEST_CASE("grid points alone decide nothing", "[chua2025]") {
    // In order at both points, but between them the first curve may fall below the second.
    const std::vector<double> grid{0.0, 1.0};
    const std::vector<Enclosure> first{{1.0, 1.0}, {0.3, 0.3}};
    const std::vector<Enclosure> second{{0.9, 0.9}, {0.2, 0.2}};
    const Ordering order = compare(grid, first, second);
    CHECK(order.above_until == 0.0);
    CHECK(order.below_until < order.below_from);
    const Ordering wide = compare(grid, std::vector<Enclosure>{{0.0, 1.0}, {0.0, 1.0}}, second);
    CHECK(wide.above_until < 0.0);
    CHECK(wide.below_until < wide.below_from);
}

TEST_CASE("both curves of two steps contain a quadrature", "[chua2025]") {
    const std::vector<double> epsilons{0.0, 0.5, 1.0};
    for (const double sigma : {0.7, 1.0, 2.0}) {
        CAPTURE(sigma);
        const auto balls = balls_and_bins_delta({sigma, 2}, epsilons, {});
        const auto poisson = poisson_delta({sigma, 2}, epsilons, {});
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            CAPTURE(epsilons[i]);
            const double b = delta_of_two_steps(
                sigma, epsilons[i], [](double x, double y) { return 0.5 * x + 0.5 * y; });
            const double p = delta_of_two_steps(sigma, epsilons[i], [](double x, double y) {
                return (0.5 + 0.5 * x) * (0.5 + 0.5 * y);
            });
            constexpr double quadrature = 2e-5;
            CHECK(balls[i].lower <= b * (1.0 + quadrature));
            CHECK(balls[i].upper >= b * (1.0 - quadrature));
            CHECK(balls[i].relative_width() < 2e-3);
            CHECK(poisson[i].lower <= p * (1.0 + quadrature));
            CHECK(poisson[i].upper >= p * (1.0 - quadrature));
            CHECK(poisson[i].relative_width() < 2e-3);
        }
    }
}

TEST_CASE("the addition direction does not spoil the bracket at large epsilon", "[chua2025]") {
    const std::vector<double> epsilons{30.0};
    const Enclosure delta = balls_and_bins_delta({0.2, 10}, epsilons, {})[0];
    CHECK(delta.lower > 0.0);
    CHECK(delta.relative_width() < 2e-3);
}
