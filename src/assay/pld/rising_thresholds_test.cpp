#include "assay/pld/rising_thresholds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

double entropic(double x, double log_s) {
    const double log_ratio = std::log(x) - log_s;
    return log_ratio > 0.0 ? x * log_ratio - x + std::exp(log_s) : 0.0;
}

double majorant(const RisingThresholds& found, double x) {
    double sum = found.infinity_mass * x;
    for (std::size_t j = 0; j < found.thresholds.size(); ++j)
        sum += found.rises[j] * entropic(x, found.thresholds[j]);
    return sum;
}

PrivacyLossPmf uneven_distribution() {
    PrivacyLossPmf distribution;
    distribution.step = 0.125;
    distribution.offset = 0.01;
    distribution.first = -4;
    distribution.masses = {0.1, 0.02, 0.3, 0.0, 0.2, 0.05, 0.11, 0.004, 0.03};
    distribution.infinity_mass = 1e-3;
    distribution.below_p = 2e-3;
    return distribution;
}

}  // namespace

// Catches thresholds moved to the wrong side, a maximum not kept and mass below the window
// forgotten.
TEST_CASE("rising thresholds lie above every payoff of the distribution", "[rising_thresholds]") {
    const PrivacyLossPmf distribution = uneven_distribution();
    for (const int width : {1, 2, 5}) {
        const RisingThresholds found = rising_thresholds(distribution, width);
        CHECK(std::is_sorted(found.thresholds.begin(), found.thresholds.end()));
        for (const double rise : found.rises) CHECK(rise > 0.0);
        for (double x = 0.3; x < 6.0; x *= 1.07) {
            // What is below the window has thresholds above that of its first point.
            double excess =
                distribution.infinity_mass * x +
                distribution.below_p * std::max(0.0, x - std::exp(-distribution.loss(0)));
            for (std::size_t i = 0; i < distribution.masses.size(); ++i)
                excess += distribution.masses[i] *
                          std::max(0.0, x * std::exp(distribution.loss(i)) - 1.0);
            CAPTURE(width, x);
            CHECK(majorant(found, x) >= excess * (1.0 - 1e-14));
        }
    }
    // The first cell alone, whose mean threshold is at most the atom's: tight where nothing rises.
    PrivacyLossPmf atom;
    atom.step = 0.0625;
    atom.masses = {1.0};
    const RisingThresholds found = rising_thresholds(atom);
    REQUIRE(found.rises.size() == 1);
    CHECK(found.rises.front() == 16.0);
    CHECK(found.thresholds.front() == Approx(-0.03125 - 0.0625 * 0.0625 / 24.0).epsilon(1e-9));
}

TEST_CASE("rising thresholds need an upper distribution", "[rising_thresholds]") {
    PrivacyLossPmf distribution = uneven_distribution();
    distribution.direction = Direction::lower;
    CHECK_THROWS_AS(rising_thresholds(distribution), DirectionError);
    distribution.direction = Direction::upper;
    CHECK_THROWS_AS(rising_thresholds(distribution, 0), DomainError);
}

}  // namespace assay
