#include "assay/pld/jump_chain.hpp"

#include <cmath>

#include "test_support/chain_link_payoff.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

constexpr double mu = 0.06;  // of one step

double normal(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// E (xS - 1)_+ of n Gaussian steps.
double payoff(double x, double steps) {
    const double shift = mu * std::sqrt(steps);
    const double d = std::log(x) / shift + 0.5 * shift;
    return x * normal(d) - normal(d - shift);
}

std::vector<ChainLink> gaussian_chain(std::int64_t start, std::int64_t most, double delta) {
    DominatingPair pair;
    pair.c = static_cast<real>(mu);
    const double epsilon = 3.0;
    ChainMoments moments;
    moments.divergence = 0.5001 * mu * mu;
    double least = test_support::infinity;
    for (double excess = 0.05; excess < 100.0; excess *= 1.2) {
        const MomentBound moment{1.0 + excess, 0.5001 * excess * (1.0 + excess) * mu * mu};
        moments.moments.push_back(moment);
        const double exponent = static_cast<double>(most) * moment.log_moment - excess * epsilon;
        if (exponent >= least) continue;
        least = exponent;
        moments.order = moment.order;
    }
    moments.epsilon = epsilon;
    moments.delta = delta;
    moments.log_reach = least - std::log(delta);
    return jump_chain(pair, pair, moments, Adjacency::replace_one, start, most, 5e-4);
}

// All Gaussian steps have one pair, whose payoffs are in closed form. Catches thresholds that move
// to the wrong side, and groups that are skipped or counted wrongly.
TEST_CASE("every link of a chain of Gaussian steps lies above their payoffs", "[jump_chain]") {
    const std::vector<ChainLink> links = gaussian_chain(60, 400, 1e-3);
    REQUIRE(links.size() == 4);
    CHECK(links.front().steps == 60);
    CHECK(links.back().steps == 400);
    std::int64_t before = 30;
    for (const ChainLink& link : links) {
        CHECK((link.steps >= 2 * before || link.steps == 400));
        before = link.steps;
        for (double x = 0.1; x < 8.0; x *= 1.1) {
            const double exact = payoff(x, static_cast<double>(link.steps));
            CAPTURE(link.steps, x, exact);
            CHECK(test_support::chain_link_payoff(link, x) >= exact);
            if (x < 1.0) CHECK(test_support::chain_link_payoff(link, x) <= 1.06 * exact);
        }
    }
}

TEST_CASE("a chain does not start before the first step", "[jump_chain]") {
    CHECK(test_support::refused([] { return gaussian_chain(0, 8, 1e-3); }) == "start");
    CHECK(test_support::refused([] { return gaussian_chain(9, 8, 1e-3); }) == "start");
}

}  // namespace
}  // namespace assay
