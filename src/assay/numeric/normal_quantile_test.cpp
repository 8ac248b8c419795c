#include "assay/numeric/normal_quantile.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("normal distribution function on both sides", "[normal_quantile]") {
    for (const double z : {-60.0, -8.5, -1.0, -1e-9, 0.0, 0.3, 2.0, 9.0, 14.0, 40.0}) {
        CAPTURE(z);
        const Wide tail = normal_tail_wide(abs(Wide(z)));
        const Wide truth = z > 0.0 ? boost::math::log1p(Wide(-tail)) : Wide(log(tail));
        const Wide error = abs(Wide(log_normal_cdf(z)) - truth);
        CHECK(error <= abs(truth) * Wide((3.0 * z * z + 100.0) * 0x1p-64));
    }
}

TEST_CASE("the quantile inverts the tail", "[normal_quantile]") {
    for (const real tail : {1e-300L, 1e-40L, 1e-9L, 0.01L, 0.3999L, 0.4001L, 0.49999999L, 0.5L,
                            0.55L, 0.61L, 0.97L}) {
        CAPTURE(static_cast<double>(tail));
        const Wide z(normal_upper_quantile(tail));
        CHECK(abs(normal_tail_wide(z) / Wide(tail) - 1) < Wide(1e-15));
    }
    CHECK(normal_upper_quantile(0.5L) == 0.0L);
    CHECK(std::fabs(normal_upper_quantile(0.5L - 0x1p-40L) / 0x1p-40L -
                    std::sqrt(2.0L * std::numbers::pi_v<real>)) < 1e-15L);
    for (const double bad : {0.0, 1.0, -0.1, std::nan("")}) {
        CHECK(refused([&] { return normal_upper_quantile(bad); }) == "tail");
    }
}
