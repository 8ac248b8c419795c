#include "assay/datasets/category_hash.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("a category's bucket is within range and the same everywhere", "[dpsgd][data]") {
    CHECK(category_bucket("", 1000) == 0);
    CHECK(category_bucket("a", 2) == 1);
    // FNV-1a, SplitMix64's finaliser and the product, computed by hand in another language.
    CHECK(category_bucket("a", 65536) == 705);
    CHECK(category_bucket("68fd1e64", 65536) == 37990);
    CHECK(category_bucket("\xff", 1 << 30) == 332098884);
    for (int i = 0; i < 1000; ++i) {
        const std::int32_t bucket = category_bucket(std::to_string(i), 7);
        CHECK((1 <= bucket && bucket <= 6));
    }
}

TEST_CASE("texts that are alike are spread evenly over the buckets", "[dpsgd][data]") {
    const int buckets = 1001;
    const int texts = 100'000;
    std::vector<int> counts(buckets, 0);
    for (int i = 0; i < texts; ++i)
        ++counts[static_cast<std::size_t>(category_bucket(std::to_string(i), buckets))];
    CHECK(counts[0] == 0);
    const double expected = static_cast<double>(texts) / (buckets - 1);
    double statistic = 0.0;
    for (int b = 1; b < buckets; ++b) {
        const double excess = counts[static_cast<std::size_t>(b)] - expected;
        statistic += excess * excess / expected;
    }
    // A plain modulus of the numbers themselves would give 0, a hash of the last digits far more.
    const boost::math::chi_squared distribution(buckets - 2);
    CHECK(statistic > quantile(distribution, 1e-6));
    CHECK(statistic < quantile(complement(distribution, 1e-6)));
}
