#include "assay/epochs/sum_payoffs.hpp"

#include <algorithm>
#include <numeric>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

AtomicDistribution random_distribution(Random& random, int atoms, bool above) {
    AtomicDistribution distribution;
    for (int i = 0; i < atoms; ++i) {
        distribution.positions.push_back(random.log_uniform(1e-3, 50.0));
        distribution.masses.push_back(random.log_uniform(1e-8, 1.0));
    }
    if (above)
        distribution.above = {1e-4,
                              1e-4 * 700.0};  // at 700 on average, every threshold is below 200
    return distribution;
}

/// The double sum, in the open; what lies above the thresholds is one atom at its barycentre.
Wide payoff(const AtomicDistribution& a, const AtomicDistribution& b, double threshold,
            bool excess) {
    const auto atoms = [](const AtomicDistribution& distribution) {
        AtomicDistribution all = distribution;
        if (distribution.above.mass > 0.0) {
            all.positions.push_back(distribution.above.moment / distribution.above.mass);
            all.masses.push_back(distribution.above.mass);
        }
        return all;
    };
    const AtomicDistribution x = atoms(a);
    const AtomicDistribution y = atoms(b);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        for (std::size_t j = 0; j < y.masses.size(); ++j) {
            const Wide gain =
                (Wide(x.positions[i]) + Wide(y.positions[j]) - Wide(threshold)) * (excess ? 1 : -1);
            if (gain > 0) sum += gain * Wide(x.masses[i]) * Wide(y.masses[j]);
        }
    return sum;
}

}  // namespace

TEST_CASE("payoffs of a sum are the double sum over atoms", "[sum_payoffs]") {
    Random random(7);
    CAPTURE(random.seed());
    for (int i = 0; i < 30 * effort(); ++i) {
        const AtomicDistribution a = random_distribution(random, random.integer(1, 40), i % 2 == 0);
        const AtomicDistribution b = random_distribution(random, random.integer(1, 40), i % 3 == 0);
        const SumPayoffs sum(a, b);
        for (const double threshold : {0.0, 1e-4, 0.5, 7.0, 60.0, 99.0, 200.0}) {
            CAPTURE(i, threshold);
            const Wide excess = payoff(a, b, threshold, true);
            const Wide shortfall = payoff(a, b, threshold, false);
            CHECK(abs(Wide(sum.excess(threshold)) - excess) <= excess * Wide(1e-13));
            CHECK(abs(Wide(sum.shortfall(threshold)) - shortfall) <=
                  shortfall * Wide(1e-12) + Wide(1e-18));
        }
    }
}
