#include "assay/batch_sampling/fixed_size.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

static_assert(std::is_same_v<decltype(std::declval<const FixedSizeBatches&>().released(1.0)),
                             FixedSizeGaussian>);
static_assert(std::is_same_v<decltype(std::declval<const WithReplacementBatches&>().released(1.0)),
                             FixedSizeWithReplacementGaussian>);

namespace {

/// Counts by a batch, sorted, and the one of the next step.
template <class Batches>
std::map<std::vector<std::uint32_t>, double> count_pairs(Batches batches, int pairs) {
    std::map<std::vector<std::uint32_t>, double> counts;
    Batch first;
    Batch second;
    for (int i = 0; i < pairs; ++i) {
        batches.draw(2 * i, first);
        batches.draw(2 * i + 1, second);
        std::sort(first.indices.begin(), first.indices.end());
        std::sort(second.indices.begin(), second.indices.end());
        first.indices.insert(first.indices.end(), second.indices.begin(), second.indices.end());
        counts[first.indices] += 1.0;
    }
    return counts;
}

}  // namespace

TEST_CASE("fixed-size batches are every subset, independently from step to step", "[batch]") {
    const std::uint64_t seed = 6174;
    CAPTURE(seed);
    const int pairs = 70'000 * test_support::effort();
    const auto counts =
        count_pairs(FixedSizeBatches({.scheme = SamplingScheme::fixed_size_without_replacement,
                                      .dataset_size = 5,
                                      .batch_size = 2,
                                      .seed = seed}),
                    pairs);
    REQUIRE(counts.size() == 100);
    std::vector<double> cells;
    for (const auto& [both, count] : counts) cells.push_back(count);
    CHECK(goodness_of_fit::uniform_p_value(cells) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(100, pairs) < 0.05);
}

TEST_CASE("batches with replacement are independent uniform draws", "[batch]") {
    const std::uint64_t seed = 142'857;
    CAPTURE(seed);
    const int pairs = 80'000 * test_support::effort();
    const auto counts =
        count_pairs(WithReplacementBatches({.scheme = SamplingScheme::fixed_size_with_replacement,
                                            .dataset_size = 3,
                                            .batch_size = 2,
                                            .seed = seed}),
                    pairs);
    REQUIRE(counts.size() == 36);
    std::vector<double> cells;
    std::vector<double> expected;
    for (const auto& [both, count] : counts) {
        cells.push_back(count);
        // Two different examples come in two orders.
        expected.push_back((both[0] == both[1] ? 1.0 : 2.0) * (both[2] == both[3] ? 1.0 : 2.0) /
                           81.0);
    }
    CHECK(goodness_of_fit::p_value(cells, expected) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(36, pairs) < 0.04);
}

TEST_CASE("batches of fixed size release their own distributions", "[batch]") {
    const BatchSampling sampling{.scheme = SamplingScheme::fixed_size_without_replacement,
                                 .dataset_size = 50'000,
                                 .batch_size = 120,
                                 .maximum_batch_size = 128};
    FixedSizeBatches without(sampling);
    CHECK(without.released(6.0).sampling_probability == 0.0024);
    CHECK(without.released(6.0).noise_multiplier == 6.0);
    CHECK(without.batches_per_epoch() == 417);
    WithReplacementBatches with(sampling);
    CHECK(with.released(3.0).batch_size == 120);
    CHECK(with.released(3.0).dataset_size == 50'000);
    CHECK(with.released(3.0).noise_multiplier == 3.0);
    Batch batch;
    without.draw(0, batch);
    CHECK(batch.indices.size() == 120);
    CHECK(batch.padding == 8);
    with.draw(0, batch);
    CHECK(batch.indices.size() == 120);
    CHECK(batch.padding == 8);
    CHECK(test_support::refused([&] { return without.released(0.0); }) != "");
    CHECK(test_support::refused([&] {
              with.draw(-1, batch);
              return 0;
          }) == "step");
}
