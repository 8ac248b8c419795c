#include "assay/epochs/log_law.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Two laws whose sum is spread over [0.1, 9].
SumPayoffs example(bool above) {
    AtomicLaw a;
    AtomicLaw b;
    for (int i = 1; i <= 20; ++i) {
        a.positions.push_back(0.05 * i);
        a.masses.push_back(0.05);
        b.positions.push_back(0.02 * i * i);
        b.masses.push_back(0.048);
    }
    b.above = above ? MassMoment{0.01, 0.4} : MassMoment{};
    return {a, b};
}

/// Payoffs of a law, by their definition.
double call(const LogLaw& law, double strike) {
    double sum = law.infinite + std::max(0.0, law.low.moment - strike * law.low.mass);
    for (std::size_t i = 0; i < law.mass.size(); ++i)
        sum += std::max(0.0, law.moment[i] - strike * law.mass[i]);
    return sum;
}

double put(const LogLaw& law, double strike) {
    double sum = std::max(0.0, strike * law.low.mass - law.low.moment);
    for (std::size_t i = 0; i < law.mass.size(); ++i)
        sum += std::max(0.0, strike * law.mass[i] - law.moment[i]);
    return sum;
}

}  // namespace

TEST_CASE("a law on the logarithmic grid encloses payoffs of the sum", "[log_law]") {
    const SumPayoffs sum = example(false);
    const AtomicLaw& a = sum.first();
    const AtomicLaw& b = sum.second();
    const LogLaw low = log_law_of_sum(sum, 1.0, {}, {0.02, -3.0, 3.0}, ConvexSide::below);
    const LogLaw high = log_law_of_sum(sum, 1.0, {}, {0.02, -3.0, 3.0}, ConvexSide::above);
    for (const double strike : {0.5, 1.0, 4.0, 12.0, 40.0}) {
        Wide calls = 0;
        Wide puts = 0;
        for (std::size_t i = 0; i < a.masses.size(); ++i)
            for (std::size_t j = 0; j < b.masses.size(); ++j) {
                const double x = a.positions[i] + b.positions[j];
                const double w = a.masses[i] * b.masses[j];
                (x > strike ? calls : puts) += Wide(w) * Wide(std::fabs(x - strike));
            }
        CAPTURE(strike);
        const Wide slack = Wide(1e-11);
        CHECK(Wide(call(low, strike)) <= calls + slack);
        CHECK(Wide(call(high, strike)) >= calls - slack);
        CHECK(Wide(put(low, strike)) <= puts + slack);
        CHECK(Wide(put(high, strike)) >= puts - slack);
        CHECK(call(high, strike) - call(low, strike) < 1e-3);
    }
}

TEST_CASE("mass outside of the grid stays on the safe side", "[log_law]") {
    const SumPayoffs sum = example(true);
    // The grid ends below the largest positions and begins above the smallest.
    const LogLaw low = log_law_of_sum(sum, 1.0, {}, {0.05, -0.5, 1.0}, ConvexSide::below);
    const LogLaw high = log_law_of_sum(sum, 1.0, {}, {0.05, -0.5, 1.0}, ConvexSide::above);
    for (const double strike : {0.3, 0.9, 2.0}) {
        CAPTURE(strike);
        CHECK(call(low, strike) <= sum.call(strike) * (1.0 + 1e-12));
        CHECK(call(high, strike) >= sum.call(strike) * (1.0 - 1e-12));
        CHECK(put(low, strike) <= sum.put(strike) * (1.0 + 1e-12));
        CHECK(put(high, strike) >= sum.put(strike) * (1.0 - 1e-12));
    }
}

TEST_CASE("a logarithmic step outside its range is refused", "[log_law]") {
    for (const double step : {0.0, 0.3, std::nan("")})
        CHECK(refused([&] {
                  return log_law_of_sum(example(false), 1.0, {}, {step, -1.0, 1.0},
                                        ConvexSide::above);
              }) == "log-step");
}
