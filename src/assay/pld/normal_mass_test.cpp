#include "assay/pld/normal_mass.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::normal_tail_wide;
using test_support::Wide;

// Catches boundaries that are shifted and rounded before their distance is taken, a series that is
// cut too early, and a tail that cancels.
TEST_CASE("normal masses keep their relative error at every width", "[normal_mass]") {
    for (const double mean : {0.0, 2.5, -7.0})
        for (const double from : {-40.0, -6.0, -0.3, 0.0, 1.7, 9.0, 38.0})
            for (const double width : {1e-12, 5e-8, 1e-3, 5.9e-3, 0.02, 0.5, 6.0}) {
                const real a = static_cast<real>(from) + static_cast<real>(mean);
                const real b = a + static_cast<real>(width);
                const Wide low = Wide(a) - mean;
                const Wide high = Wide(b) - mean;
                // The tail on the side where nothing cancels.
                const Wide truth = low > 0 ? normal_tail_wide(low) - normal_tail_wide(high)
                                           : normal_tail_wide(-high) - normal_tail_wide(-low);
                CAPTURE(mean, from, width);
                const Wide found = normal_mass(a, b, static_cast<real>(mean));
                CHECK(abs(found / truth - 1) < 4e-15);
            }
}

TEST_CASE("four nodes integrate a density over a short cell", "[normal_mass]") {
    for (const double from : {-5.0, 0.0, 3.0})
        for (const double width : {1e-9, 1e-4, 0.01}) {
            const real a = static_cast<real>(from);
            const real b = a + static_cast<real>(width);
            const double far = std::fabs(from) + width;
            REQUIRE(is_short(b - a, static_cast<real>(far)));
            const ShortRule rule(a, b);
            real sum = 0.0L;
            for (std::size_t i = 0; i < rule.node.size(); ++i)
                sum += rule.weight[i] * normal_density(rule.node[i]);
            CAPTURE(from, width);
            CHECK(std::fabs(sum / normal_mass(a, b) - 1.0L) < 4e-15L);
        }
}

}  // namespace
}  // namespace assay
