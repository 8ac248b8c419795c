#include "assay/batch_sampling/balls_and_bins.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <type_traits>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

static_assert(std::is_same_v<decltype(std::declval<const BallsAndBinsBatches&>().released(1.0)),
                             BallsAndBins>);

namespace {

std::vector<std::size_t> bins_of(std::uint64_t seed, std::int64_t epoch, std::int64_t bins,
                                 BinMethod method, std::size_t examples) {
    std::vector<std::uint32_t> order(examples);
    std::vector<std::uint32_t> begins;
    draw_bins(seed, epoch, bins, method, order, begins);
    std::vector<std::size_t> bin_of(examples, 0xFFFFFFFF);
    for (std::size_t bin = 0; bin + 1 < begins.size(); ++bin)
        for (std::uint32_t i = begins[bin]; i < begins[bin + 1]; ++i) bin_of[order[i]] = bin;
    return bin_of;
}

}  // namespace

TEST_CASE("every placement of few examples is equally likely", "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const std::uint64_t seed = 4181;
    CAPTURE(static_cast<int>(method), seed);
    const int draws = 60'000 * test_support::effort();
    std::vector<double> counts(81, 0.0);
    for (int epoch = 0; epoch < draws; ++epoch) {
        std::size_t cell = 0;
        for (const std::size_t bin : bins_of(seed, epoch, 3, method, 4)) cell = 3 * cell + bin;
        counts.at(cell) += 1.0;
    }
    CHECK(goodness_of_fit::uniform_p_value(counts) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(81, draws) < 0.065);
}

TEST_CASE("many examples are placed uniformly, independently in pairs and across epochs",
          "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const std::uint64_t seed = 6765;
    CAPTURE(static_cast<int>(method), seed);
    const std::size_t examples = 400'000 * static_cast<std::size_t>(test_support::effort());
    const auto bin_of = bins_of(seed, 0, 10, method, examples);  // groups of 4, 4 and 2 bins
    const auto bin_after = bins_of(seed, 1, 10, method, examples);
    std::vector<double> sizes(10, 0.0);
    std::vector<double> pairs(100, 0.0);
    std::vector<double> epochs(100, 0.0);
    for (std::size_t i = 0; i + 1 < examples; i += 2) {
        sizes.at(bin_of[i]) += 1.0;
        pairs.at(10 * bin_of[i] + bin_of[i + 1]) += 1.0;
        epochs.at(10 * bin_of[i] + bin_after[i]) += 1.0;
    }
    CHECK(goodness_of_fit::uniform_p_value(sizes) > goodness_of_fit::level);
    CHECK(goodness_of_fit::uniform_p_value(pairs) > goodness_of_fit::level);
    CHECK(goodness_of_fit::uniform_p_value(epochs) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(100, 0.5 * static_cast<double>(examples)) < 0.03);
}

TEST_CASE("the size of a bin is binomial", "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const std::int64_t bin = GENERATE(0, 3, 4);
    const std::uint64_t seed = 10'946;
    CAPTURE(static_cast<int>(method), bin, seed);
    const int draws = 15'000 * test_support::effort();
    std::vector<double> counts(9, 0.0);  // 8 and more together
    std::vector<std::uint32_t> order(20);
    std::vector<std::uint32_t> begins;
    for (int epoch = 0; epoch < draws; ++epoch) {
        draw_bins(seed, epoch, 5, method, order, begins);
        const auto t = static_cast<std::size_t>(bin);
        counts[std::min<std::size_t>(8, begins[t + 1] - begins[t])] += 1.0;
    }
    std::vector<double> distribution(9, 0.0);
    double mass = std::pow(0.8, 20);
    for (std::size_t k = 0; k <= 20; ++k) {
        distribution[std::min<std::size_t>(8, k)] += mass;
        mass *= 0.25 * static_cast<double>(20 - k) / static_cast<double>(k + 1);
    }
    CHECK(goodness_of_fit::p_value(counts, distribution) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(9, draws) < 0.07);
}

TEST_CASE("bins are the same bits on any number of threads", "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<std::uint32_t> alone(300'000);
    std::vector<std::uint32_t> together(alone.size());
    std::vector<std::uint32_t> begins_alone;
    std::vector<std::uint32_t> begins_together;
    tbb::task_arena(1).execute([&] { draw_bins(2, 5, 1000, method, alone, begins_alone); });
    tbb::task_arena(4).execute([&] { draw_bins(2, 5, 1000, method, together, begins_together); });
    CHECK(alone == together);
    CHECK(begins_alone == begins_together);
    REQUIRE(begins_alone.size() == 1001);
    CHECK(std::is_sorted(begins_alone.begin(), begins_alone.end()));
    std::sort(alone.begin(), alone.end());
    for (std::size_t i = 0; i < alone.size(); ++i) REQUIRE(alone[i] == i);
}

TEST_CASE("balls-and-bins batches are the bins of their epoch, in any order of steps", "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const BatchSampling sampling{.scheme = SamplingScheme::balls_and_bins,
                                 .dataset_size = 100,
                                 .batch_size = 30,
                                 .maximum_batch_size = 32,
                                 .seed = 8};
    BallsAndBinsBatches batches(sampling, method);
    REQUIRE(batches.batches_per_epoch() == 4);
    CHECK(batches.released(0.5).batches_per_epoch == 4);
    CHECK(batches.released(0.5).noise_multiplier == 0.5);
    const auto bin_of = bins_of(8, 2, 4, method, 100);
    Batch batch;
    for (const std::int64_t t : {3, 0, 2, 1}) {
        batches.draw((t + 1) % 4, batch);  // of another epoch
        batches.draw(8 + t, batch);
        for (const std::uint32_t i : batch.indices) CHECK(bin_of[i] == static_cast<std::size_t>(t));
        CHECK(batch.indices.size() <= 32);
        CHECK(static_cast<std::int64_t>(batch.indices.size()) + batch.padding == 32);
    }
    std::vector<std::uint32_t> order(3);
    std::vector<std::uint32_t> begins;
    CHECK(test_support::refused([&] {
              draw_bins(1, 0, 0, method, order, begins);
              return 0;
          }) == "bins");
}

TEST_CASE("more bins than examples leave bins empty", "[batch]") {
    const BinMethod method = GENERATE(BinMethod::each_example, BinMethod::conditional_sizes);
    const auto bin_of = bins_of(3, 0, 100'000, method, 5);
    for (const std::size_t bin : bin_of) CHECK(bin < 100'000);
}
