#include "assay/pld/largest_pair.hpp"

#include <algorithm>
#include <cmath>

#include "assay/epochs/lower_bounds.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

TEST_CASE("masses of the largest coordinate are differences of its distribution function",
          "[dominating_pair]") {
    for (const std::int64_t batches : {2L, 50L, 36133L}) {
        const real c = 2.5L;
        const LargestPair pair(c, batches);
        const auto below = [&](const Wide& a, const Wide& mean) {
            return Wide(test_support::normal_tail_wide(mean - a) *
                        pow(test_support::normal_tail_wide(-a), Wide(batches - 1)));
        };
        for (const double a : {-1.0, 0.7, 2.0, 4.0, 6.5})
            for (const double width : {1e-6, 1e-4, 4e-4, 1e-3, 2e-3, 0.3}) {
                CAPTURE(batches, a, width);
                const real b = static_cast<real>(a) + static_cast<real>(width);
                if (static_cast<real>(a) < pair.low(12.0L)) continue;
                const PairMass found = pair.mass(a, b);
                const Wide p = below(Wide(b), Wide(c)) - below(Wide(a), Wide(c));
                const Wide q = below(Wide(b), Wide(c) / 2) - below(Wide(a), Wide(c) / 2);
                CHECK(abs(Wide(found.under_p) - p) <= Wide(pair_mass_error) * p);
                CHECK(abs(Wide(found.under_q) - q) <= Wide(pair_mass_error) * q);
            }
        CHECK(pair.outside() < 1e-34L);
        for (const double loss : {-2.0, -0.01, 0.0, 0.5, 8.0})
            if (loss > pair.log_ratio(pair.low(12.0L)))
                CHECK(static_cast<double>(pair.log_ratio(pair.quantile(loss))) ==
                      Approx(loss).margin(1e-14).epsilon(1e-14));
    }
}

TEST_CASE("one epoch's largest sum has its supremum, two tell more and compose", "[pld]") {
    const Shuffled epoch{0.7, 30};
    const DominatingPair pair = largest_coordinate_pair(epoch);
    for (const double epsilon : {0.2, 1.0, 2.5}) {
        CAPTURE(epsilon);
        const PairDivergence one = pair_divergence(pair, epsilon);
        const double supremum = largest_coordinate_delta(epoch, epsilon).lower;
        CHECK(one.removal.lower == Approx(supremum).epsilon(1e-9));
        // Two epochs, by a sum over the plane of both largest sums.
        const LargestPair largest(pair.c, 30);
        constexpr int cells = 600;
        const real low = largest.low(8.0L);
        const real width = (largest.high(8.0L) - low) / cells;
        std::vector<PairMass> mass;
        for (int i = 0; i < cells; ++i) {
            const real at = low + width * static_cast<real>(i);
            mass.push_back(largest.mass(at, at + width));
        }
        real removal = 0.0L;
        real addition = 0.0L;
        const real k = std::exp(static_cast<real>(epsilon));
        for (const PairMass& x : mass)
            for (const PairMass& y : mass) {
                removal += std::max(0.0L, x.under_p * y.under_p - k * x.under_q * y.under_q);
                addition += std::max(0.0L, x.under_q * y.under_q - k * x.under_p * y.under_p);
            }
        const double truth = static_cast<double>(std::max(removal, addition));
        const Enclosure two = pld_delta({{pair, 2}}, Adjacency::zero_out, epsilon, {});
        CHECK(two.lower <= truth * 1.0005);
        CHECK(two.upper >= truth * 0.9995);
        CHECK(two.relative_width() < 2e-3);
        CHECK(two.lower > supremum);
    }
}

}  // namespace
}  // namespace assay
