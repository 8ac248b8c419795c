#include "assay/pld/one_jump.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/pld/convolve.hpp"

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

DominatingPair gaussian(double shift) {
    DominatingPair pair;
    pair.c = static_cast<real>(shift);
    return pair;
}

}  // namespace

// Catches thresholds moved to the wrong side, a maximum not kept and mass below the window
// forgotten.
TEST_CASE("rising thresholds lie above every call of the distribution", "[one_jump]") {
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

TEST_CASE("rising thresholds need an upper distribution", "[one_jump]") {
    PrivacyLossPmf distribution = uneven_distribution();
    distribution.direction = Direction::lower;
    CHECK_THROWS_AS(rising_thresholds(distribution), DirectionError);
    distribution.direction = Direction::upper;
    CHECK_THROWS_AS(rising_thresholds(distribution, 0), DomainError);
}

// E f_s(W) = E [W log W] - log s - 1 + s + E f of what lies below s; for one Gaussian step in
// closed form: E (W log(W/s); W >= s) by the shifted normal distribution.
TEST_CASE("the entropic tail of a Gaussian has a closed form", "[one_jump]") {
    const double mu = 0.8;
    const PrivacyLossPmf distribution =
        discretise(gaussian(mu), Adjacency::replace_one, Direction::upper,
                   {.step = short_step(1e-3), .negligible = 1e-20});
    const RepeatedLoss once{&distribution, 1};
    const HockeyStick hockey_stick(convolve(std::span(&once, 1), 2.0));
    std::vector<MomentBound> moments;
    for (double excess = 0.05; excess < 500.0; excess *= 1.3)
        moments.push_back({1.0 + excess, 0.5001 * excess * (1.0 + excess) * mu * mu});
    const EntropicTail tail({&hockey_stick, 1}, moments, -6.0, 1e-3, 1e-12);
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const auto density = [](double x) {
        return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    };
    for (const double y : {-5.9, -1.0, -0.2, 0.0, 0.31, 1.0, 2.5}) {
        // Under P the loss is N(mu^2/2, mu^2); a = its score at y.
        const double a = (y - 0.5 * mu * mu) / mu;
        const double excess = mu * density(a) + (0.5 * mu * mu - y) * normal(-a);
        const double exact = excess - normal(-a) + std::exp(y) * normal(-(a + mu));
        CAPTURE(y);
        CHECK(tail(y) >= exact);
        CHECK(tail(y) <= exact * (1.0 + 1e-4) + 1e-10);
    }
    CHECK(std::isinf(tail(-6.1)));
    // Without moments nothing is known beyond the last node.
    const EntropicTail blind({&hockey_stick, 1}, {}, 0.0, 0.1, 1e-12);
    CHECK(std::isinf(blind(0.5)));
}

}  // namespace assay
