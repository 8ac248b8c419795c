#include "assay/rdp/binomial_weights.hpp"

#include "assay/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// C(batch,n) dataset^-n (1 - 1/dataset)^(batch-n), from the integers themselves.
Wide weight(int batch, std::int64_t dataset, int n) {
    Wide binomial = 1;
    for (int i = 0; i < n; ++i) binomial = binomial * (batch - i) / (i + 1);
    return binomial * pow(1 / Wide(dataset), n) * pow(1 - 1 / Wide(dataset), batch - n);
}

}  // namespace

TEST_CASE("weights in turn, in their own error bound", "[binomial_weights]") {
    for (const std::int64_t dataset :
         {std::int64_t{2}, std::int64_t{130}, std::int64_t{50000}, std::int64_t{1'000'000'000'000}})
        for (const int batch : {1, 2, 17, 120}) {
            if (dataset < batch) continue;
            BinomialWeights weights(batch, dataset);
            Wide sum = 0;
            for (int n = 0;; ++n) {
                REQUIRE(weights.n() == n);
                const Wide exact = weight(batch, dataset, n);
                const Wide computed(weights.weight().value());
                CAPTURE(batch, dataset, n);
                REQUIRE(abs(log(computed / exact)) <= Wide(weights.log_error()));
                REQUIRE(weights.log_error() < 1e-16L);
                sum += exact;
                if (n == batch) break;
                weights.advance();
            }
            CHECK(abs(sum - 1) < Wide(1e-45));
        }
}

TEST_CASE("q~ is the chance of a hit within the first terms", "[binomial_weights]") {
    for (const std::int64_t dataset :
         {std::int64_t{130}, std::int64_t{50000}, std::int64_t{1'000'000'000'000}})
        for (const int batch : {1, 17, 120})
            for (const int terms : {1, 2, 5, 17, 120}) {
                if (terms > batch) continue;
                Wide some = 0;
                for (int n = 1; n <= terms; ++n) some += weight(batch, dataset, n);
                const Wide exact = 1 / (1 + weight(batch, dataset, 0) / some);
                const PositiveNumber q = effective_sampling(batch, dataset, terms);
                CAPTURE(batch, dataset, terms);
                CHECK(abs(log(Wide(q.value.value()) / exact)) <= Wide(q.log_error) + Wide(0x1p-70));
                CHECK(q.log_error < 1e-15L);
            }
    // All terms: 1 - (1 - 1/D)^B, also where D is far beyond double's integers squared.
    const PositiveNumber all = effective_sampling(1'000'000, 1'000'000'000'000, 1'000'000);
    const Wide exact = -expm1(1000000 * log1p(-1 / Wide(1000000000000LL)));
    CHECK(abs(Wide(all.value.value()) / exact - 1) < Wide(1e-17));
}
