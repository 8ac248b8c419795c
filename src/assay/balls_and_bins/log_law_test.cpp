#include "assay/balls_and_bins/log_law.hpp"

#include <cmath>

#include "assay/test_support.hpp"

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

}  // namespace

TEST_CASE("a law on the logarithmic grid encloses payoffs of sum and product", "[log_law]") {
    const SumPayoffs sum = example(false);
    const AtomicLaw& a = sum.first();
    const AtomicLaw& b = sum.second();
    const LogProducts below(ConvexSide::below, 0.02);
    const LogProducts above(ConvexSide::above, 0.02);
    const LogLaw low = below.of_sum(sum, 1.0, {}, -3.0, 3.0);
    const LogLaw high = above.of_sum(sum, 1.0, {}, -3.0, 3.0);
    const LogLaw low_square = below.product(low, low);
    const LogLaw high_square = above.product(high, high);
    for (const double strike : {0.5, 1.0, 4.0, 12.0, 40.0}) {
        Wide call = 0;
        Wide put = 0;
        Wide square_call = 0;
        for (std::size_t i = 0; i < a.masses.size(); ++i)
            for (std::size_t j = 0; j < b.masses.size(); ++j) {
                const double x = a.positions[i] + b.positions[j];
                const double w = a.masses[i] * b.masses[j];
                (x > strike ? call : put) += Wide(w) * Wide(std::fabs(x - strike));
                for (std::size_t k = 0; k < a.masses.size(); ++k)
                    for (std::size_t l = 0; l < b.masses.size(); ++l) {
                        const double y = x * (a.positions[k] + b.positions[l]);
                        if (y > strike)
                            square_call += Wide(w * a.masses[k] * b.masses[l] * (y - strike));
                    }
            }
        CAPTURE(strike);
        const Wide slack = Wide(1e-11);
        CHECK(Wide(below.call(low, strike)) <= call + slack);
        CHECK(Wide(above.call(high, strike)) >= call - slack);
        CHECK(Wide(below.put(low, strike)) <= put + slack);
        CHECK(Wide(above.put(high, strike)) >= put - slack);
        CHECK(Wide(below.call(low_square, strike)) <= square_call + slack);
        CHECK(Wide(above.call(high_square, strike)) >= square_call - slack);
        CHECK(above.call(high_square, strike) - below.call(low_square, strike) < 2e-3);
    }
}

TEST_CASE("mass outside of the grid stays on the safe side", "[log_law]") {
    const SumPayoffs sum = example(true);
    const LogProducts below(ConvexSide::below, 0.05);
    const LogProducts above(ConvexSide::above, 0.05);
    // The grid ends below the largest positions and begins above the smallest.
    const LogLaw low = below.of_sum(sum, 1.0, {}, -0.5, 1.0);
    const LogLaw high = above.of_sum(sum, 1.0, {}, -0.5, 1.0);
    for (const double strike : {0.3, 0.9, 2.0}) {
        CAPTURE(strike);
        CHECK(below.call(low, strike) <= sum.call(strike) * (1.0 + 1e-12));
        CHECK(above.call(high, strike) >= sum.call(strike) * (1.0 - 1e-12));
        CHECK(below.put(low, strike) <= sum.put(strike) * (1.0 + 1e-12));
        CHECK(above.put(high, strike) >= sum.put(strike) * (1.0 - 1e-12));
    }
}

TEST_CASE("a logarithmic step outside its range is refused", "[log_law]") {
    for (const double step : {0.0, 0.3, std::nan("")})
        CHECK(refused([&] { return LogProducts(ConvexSide::above, step).call({}, 1.0); }) ==
              "log-step");
}
