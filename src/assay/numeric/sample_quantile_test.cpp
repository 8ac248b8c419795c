#include "assay/numeric/sample_quantile.hpp"

#include <array>

#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("quantiles are linear between the numbers of a sample", "[numeric]") {
    constexpr std::array sample{1.0, 2.0, 4.0, 8.0, 16.0};
    CHECK(sample_quantile(sample, 0.0) == 1.0);
    CHECK(sample_quantile(sample, 0.5) == 4.0);
    CHECK(sample_quantile(sample, 1.0) == 16.0);
    CHECK(sample_quantile(sample, 0.375) == 3.0);
    CHECK(sample_quantile(std::array{7.0}, 0.9) == 7.0);
    CHECK(test_support::refused([] { return sample_quantile({}, 0.5); }) == "sample");
    CHECK(test_support::refused([&] { return sample_quantile(sample, 1.5); }) == "p");
}
