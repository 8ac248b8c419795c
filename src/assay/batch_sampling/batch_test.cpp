#include "assay/batch_sampling/batch.hpp"

#include <algorithm>
#include <map>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("a batch above its maximum becomes a uniform subset of it", "[batch]") {
    const std::uint64_t seed = 1618;
    CAPTURE(seed);
    const int draws = 60'000 * test_support::effort();
    std::map<std::vector<std::uint32_t>, double> counts;
    for (int step = 0; step < draws; ++step) {
        Batch batch{.indices = {3, 8, 1, 40, 7}, .padding = 9};
        fit_to_maximum(batch, 3, seed, step);
        CHECK(batch.padding == 0);
        std::sort(batch.indices.begin(), batch.indices.end());
        counts[batch.indices] += 1.0;
    }
    REQUIRE(counts.size() == 10);
    std::vector<double> cells;
    for (const auto& [subset, count] : counts) cells.push_back(count);
    CHECK(goodness_of_fit::detected_deviation(10, draws) < 0.04);
    CHECK(goodness_of_fit::uniform_p_value(cells) > goodness_of_fit::level);
}

TEST_CASE("a batch below its maximum is padded, and without a maximum left alone", "[batch]") {
    Batch batch{.indices = {4, 2}, .padding = 7};
    fit_to_maximum(batch, std::nullopt, 1, 0);
    CHECK(batch.indices == std::vector<std::uint32_t>{4, 2});
    CHECK(batch.padding == 0);
    fit_to_maximum(batch, 5, 1, 0);
    CHECK(batch.indices == std::vector<std::uint32_t>{4, 2});
    CHECK(batch.padding == 3);
    fit_to_maximum(batch, 2, 1, 0);
    CHECK(batch.indices == std::vector<std::uint32_t>{4, 2});
    CHECK(batch.padding == 0);
}
