#include "assay/epochs/sum_payoffs.hpp"

#include <algorithm>
#include <numeric>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

AtomicLaw random_law(Random& random, int atoms, bool above) {
    AtomicLaw law;
    for (int i = 0; i < atoms; ++i) {
        law.positions.push_back(random.log_uniform(1e-3, 50.0));
        law.masses.push_back(random.log_uniform(1e-8, 1.0));
    }
    if (above) law.above = {1e-4, 1e-4 * 700.0};  // at 700 on average, every strike is below 200
    return law;
}

/// The double sum, in the open; what lies above the strikes is one atom at its barycentre.
Wide payoff(const AtomicLaw& a, const AtomicLaw& b, double strike, bool call) {
    const auto atoms = [](const AtomicLaw& law) {
        AtomicLaw all = law;
        if (law.above.mass > 0.0) {
            all.positions.push_back(law.above.moment / law.above.mass);
            all.masses.push_back(law.above.mass);
        }
        return all;
    };
    const AtomicLaw x = atoms(a);
    const AtomicLaw y = atoms(b);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        for (std::size_t j = 0; j < y.masses.size(); ++j) {
            const Wide gain =
                (Wide(x.positions[i]) + Wide(y.positions[j]) - Wide(strike)) * (call ? 1 : -1);
            if (gain > 0) sum += gain * Wide(x.masses[i]) * Wide(y.masses[j]);
        }
    return sum;
}

}  // namespace

TEST_CASE("payoffs of a sum are the double sum over atoms", "[sum_payoffs]") {
    Random random(7);
    CAPTURE(random.seed());
    for (int i = 0; i < 30 * effort(); ++i) {
        const AtomicLaw a = random_law(random, random.integer(1, 40), i % 2 == 0);
        const AtomicLaw b = random_law(random, random.integer(1, 40), i % 3 == 0);
        const SumPayoffs sum(a, b);
        for (const double strike : {0.0, 1e-4, 0.5, 7.0, 60.0, 99.0, 200.0}) {
            CAPTURE(i, strike);
            const Wide call = payoff(a, b, strike, true);
            const Wide put = payoff(a, b, strike, false);
            CHECK(abs(Wide(sum.call(strike)) - call) <= call * Wide(1e-13));
            CHECK(abs(Wide(sum.put(strike)) - put) <= put * Wide(1e-12) + Wide(1e-18));
        }
    }
}
