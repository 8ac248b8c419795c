#include "assay/monte_carlo/largest_given_others.hpp"

#include <algorithm>
#include <cmath>

#include "assay/epochs/deterministic_batches.hpp"
#include "assay/monte_carlo/sampling_tables.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// The definition, by Simpson's rule: the largest is above z_m, W = (sum + Y)/T.
real by_quadrature(double s, double steps, double sum, real z_m, double epsilon, bool removal) {
    const real c = 1.0L / static_cast<real>(s);
    const int nodes = 60'000;
    const real step = (30.0L + c) / nodes;
    const real K = std::exp(static_cast<real>(epsilon));
    real mean = 0.0L;
    real weight = 0.0L;
    for (int i = 0; i <= nodes; ++i) {
        const real z = z_m + step * i;
        const real w = (sum + std::exp(c * z - 0.5L * c * c)) / static_cast<real>(steps);
        const real rule = i == 0 || i == nodes ? 1.0L : i % 2 == 1 ? 4.0L : 2.0L;
        const real density = rule * std::exp(-0.5L * z * z) * (removal ? w : 1.0L);
        mean += std::max(0.0L, removal ? 1.0L - K / w : 1.0L - K * w) * density;
        weight += density;
    }
    return mean / weight;
}

double tail_at(double z) {
    return z < 0.0 ? -0.5 * std::erfc(-z / std::sqrt(2.0)) : 0.5 * std::erfc(z / std::sqrt(2.0));
}

}  // namespace

TEST_CASE("the largest given the others by quadrature", "[largest_given_others]") {
    struct Case {
        double s;
        std::int64_t steps;
        double sum, z, epsilon;
    };
    for (const Case& c : {Case{0.5, 100, 80.0, 2.0, 0.5}, Case{0.5, 100, 80.0, 2.0, 3.0},
                          Case{1.0, 10, 3.0, 0.5, 0.2}, Case{1.0, 10, 30.0, 1.5, 0.2},
                          Case{0.4, 5000, 4000.0, 3.3, 1.0}, Case{3.0, 4, 2.0, -0.5, -0.4},
                          Case{0.7, 3, 0.4, 0.2, 0.0}, Case{20.0, 50, 47.0, 2.2, 0.001}})
        for (const bool removal : {true, false}) {
            CAPTURE(c.s, c.steps, c.sum, c.z, c.epsilon, removal);
            const LargestGivenOthers distribution(
                {c.s, c.steps}, removal ? LossDirection::removal : LossDirection::addition, 1e-7);
            const WithoutLargest others{c.sum, 1e-9 * c.sum, tail_at(c.z), c.z};
            const Enclosure found = distribution.expectation(others, std::exp(c.epsilon));
            const auto truth = static_cast<double>(
                by_quadrature(c.s, static_cast<double>(c.steps), c.sum, c.z, c.epsilon, removal));
            // The kink of the payoff costs the rule about a step squared.
            const double allowed = 1e-6 * truth + 1e-9;
            CHECK(found.lower <= truth + allowed);
            CHECK(found.upper >= truth - allowed);
            CHECK(found.lower <= found.upper);
            CHECK(found.upper - found.lower <= 1e-5 * truth + 1e-7);
        }
}

TEST_CASE("of one step nothing is left to chance", "[largest_given_others]") {
    for (const double epsilon : {-0.5, 0.0, 0.5, 2.0})
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            const LargestGivenOthers distribution({0.8, 1}, direction, 1e-7);
            RandomStream stream(1, Purpose::test, 0);
            const WithoutLargest others = distribution.draw(stream, lognormal_table(0.8, 32));
            CHECK(others.sum == 0.0);
            CHECK(others.tail == 1.0);
            const Enclosure found = distribution.expectation({}, std::exp(epsilon));
            const Enclosure truth = deterministic_delta({0.8, 1}, std::fabs(epsilon));
            // delta of -eps: 1 - e^-eps + e^-eps times the other direction's at eps, here the same.
            const double expected =
                epsilon >= 0.0 ? truth.midpoint()
                               : -std::expm1(epsilon) + std::exp(epsilon) * truth.midpoint();
            CHECK(found.lower <= expected);
            CHECK(found.upper >= expected);
            CHECK(found.upper - found.lower < 1e-9);
        }
}

TEST_CASE("the sum without the largest", "[largest_given_others]") {
    // Against the definition with the same stream: T = 3 under Q.
    const TailTable table = lognormal_table(0.5, 32);
    const LargestGivenOthers distribution({0.5, 3}, LossDirection::addition, 1e-7);
    for (std::uint64_t block = 0; block < 50; ++block) {
        RandomStream one(4, Purpose::test, block);
        RandomStream other(4, Purpose::test, block);
        const WithoutLargest found = distribution.draw(one, table);
        std::vector<double> tails(3);
        fill_signed_tails(other, tails);
        std::vector<std::pair<double, double>> all;  // value and tail
        all.reserve(tails.size());
        for (const double tail : tails) all.emplace_back(table.at(tail), tail);
        std::sort(all.begin(), all.end());
        CHECK(found.sum == Approx(all[0].first + all[1].first).epsilon(1e-12));
        CHECK(found.tail == all[1].second);
        CHECK(found.error < 1e-6 * (found.sum + all[2].first));
    }
}
