#include "verify/checks/deviance.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/checks/noise_statistics.hpp"
#include "verify/oracles/binomial_tail.hpp"

using namespace assay::verify;

TEST_CASE("deviances bound exact binomial tails", "[deviance]") {
    CHECK(deviance(50.0, 100.0, 0.5) == 0.0);
    CHECK(deviance(100.0, 100.0, 0.5) == Approx(100.0 * std::log(2.0)));
    CHECK(std::isinf(deviance(1.0, 100.0, 0.0)));
    CHECK(std::isinf(deviance(99.0, 100.0, 1.0)));
    CHECK(deviance(0.0, 100.0, 0.0) == 0.0);
    for (const long count : {51L, 60L, 75L, 100L}) {
        const Interval tail = binomial_tail({100, 0.5, 1.0}, count - 1, 64);
        CAPTURE(count);
        CHECK(tail.upper_double() <=
              (1.0 + 1e-12) * std::exp(-deviance(double(count), 100.0, 0.5)));
    }
}

TEST_CASE("more events leave more room", "[deviance]") {
    Events one;
    one.add(700.0, 1000.0, Interval(0.5, 64));
    Events two = one;
    two.add(500.0, 1000.0, Interval(0.5, 64));
    CHECK(one.worst() > 1.0);
    CHECK(two.worst() < one.worst());
    CHECK(one.worst() == Approx(deviance(700.0, 1000.0, 0.5) / std::log(2e9)));
}

TEST_CASE("intervals of variances and correlations of known numbers", "[deviance]") {
    std::vector<double> z(10'000);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = i % 2 == 0 ? 3.0 : -3.0;
    const assay::Enclosure variance = variance_interval(z);
    CHECK(variance.contains(9.0));
    CHECK(variance.upper < 9.0 * 1.11);
    CHECK(variance.lower > 9.0 * 0.9);
    CHECK(correlation_statistic(z, z) == Approx(300.0));
    std::vector<double> w(z.size(), 1.0);
    CHECK(correlation_statistic(z, w) == 0.0);
}
