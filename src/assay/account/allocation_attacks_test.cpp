#include "assay/account/allocation_attacks.hpp"

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/account/account.hpp"

namespace assay {

TEST_CASE("the largest of two batches against a double sum", "[account]") {
    // One of two batches: P(max <= z) = F(z) F(z - r), Q(max <= z) = F(z)^2.
    const boost::math::normal_distribution<long double> normal;
    const long double r = 1.0L / 0.7L;
    for (const double epsilon : {0.5, 2.0, 4.0}) {
        long double best = 0.0L;
        for (long double z = -2.0L; z < 8.0L; z += 1e-4L) {
            const long double f = cdf(normal, z);
            const long double value = 1.0L - f * cdf(normal, z - r) -
                                      std::exp(static_cast<long double>(epsilon)) * (1.0L - f * f);
            best = std::max(best, value);
        }
        const double found = attacked_delta({0.7, 2, 1}, 1, epsilon);
        CAPTURE(epsilon);
        CHECK(found <= static_cast<double>(best) * (1.0 + 1e-6));
        CHECK(found >= static_cast<double>(best) * (1.0 - 1e-3));
    }
}

TEST_CASE("attacks lie below every upper side", "[account]") {
    for (const RandomAllocation& mechanism :
         {RandomAllocation{1.0, 100, 2}, RandomAllocation{2.0, 4, 2}, RandomAllocation{0.6, 30, 7},
          RandomAllocation{1.0, 5, 5}})
        for (const std::int64_t epochs : {1, 5}) {
            const Release release{Adjacency::zero_out, {{mechanism, epochs}}};
            const Bracket found = epsilon(release, 1e-5);
            const double attacked = attacked_epsilon(mechanism, epochs, 1e-5);
            CAPTURE(mechanism.allocations, epochs);
            CHECK(attacked > 0.0);
            CHECK(attacked <= found.upper.value);
            CHECK(attacked <= found.lower.value * (1.0 + 1e-9));
        }
}

TEST_CASE("epsilon and delta of the attacks are inverse", "[account]") {
    const RandomAllocation mechanism{1.0, 100, 2};
    const double epsilon = attacked_epsilon(mechanism, 1, 1e-5);
    CHECK(epsilon > 1.0);  // 0.73 by parts of the epoch
    CHECK(attacked_delta(mechanism, 1, epsilon) > 1e-5);
    CHECK(attacked_delta(mechanism, 1, epsilon * 1.0001) <= 1e-5);
    CHECK(attacked_epsilon(mechanism, 1, 0.9) == 0.0);
}

}  // namespace assay
