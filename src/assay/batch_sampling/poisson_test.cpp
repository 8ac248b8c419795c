#include "assay/batch_sampling/poisson.hpp"

#include <algorithm>
#include <type_traits>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

static_assert(
    std::is_same_v<decltype(std::declval<const PoissonBatches&>().released(1.0)), SampledGaussian>);

TEST_CASE("Poisson batches are every subset with its probability", "[batch]") {
    const std::uint64_t seed = 1729;
    CAPTURE(seed);
    PoissonBatches batches(
        {.scheme = SamplingScheme::poisson, .dataset_size = 4, .batch_size = 1, .seed = seed});
    const int steps = 90'000 * test_support::effort();
    std::vector<double> counts(16, 0.0);
    std::vector<double> pairs(256, 0.0);  // a batch and the next: independence across steps
    std::size_t before = 0;
    Batch batch;
    for (int step = 0; step < steps; ++step) {
        batches.draw(step, batch);
        std::size_t subset = 0;
        for (const std::uint32_t index : batch.indices) subset |= std::size_t{1} << index;
        counts[subset] += 1.0;
        if (step % 2 == 1) pairs[16 * before + subset] += 1.0;
        before = subset;
    }
    std::vector<double> expected(16, 1.0);
    for (std::size_t subset = 0; subset < 16; ++subset)
        for (std::size_t i = 0; i < 4; ++i) expected[subset] *= subset >> i & 1U ? 0.25 : 0.75;
    CHECK(goodness_of_fit::p_value(counts, expected) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(16, steps) < 0.035);
    std::vector<double> products(256);
    for (std::size_t i = 0; i < 256; ++i) products[i] = expected[i / 16] * expected[i % 16];
    // The four-member subset next to itself is expected less than once: merged into its neighbour.
    const auto merge = [](std::vector<double>& cells) {
        std::vector<double> large(cells.begin(), cells.begin() + 240);
        for (std::size_t i = 240; i < 256; ++i) large[239] += cells[i];
        cells = large;
    };
    merge(pairs);
    merge(products);
    CHECK(goodness_of_fit::p_value(pairs, products) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(240, 0.5 * steps) < 0.08);
}

TEST_CASE("Poisson batches have a binomial size and members from everywhere", "[batch]") {
    const std::uint64_t seed = 87'539;
    CAPTURE(seed);
    constexpr std::int64_t n = 46'000'000;
    PoissonBatches batches(
        {.scheme = SamplingScheme::poisson, .dataset_size = n, .batch_size = 64, .seed = seed});
    const int steps = 5000 * test_support::effort();
    std::vector<double> places(64, 0.0);
    double sum = 0.0;
    double squares = 0.0;
    Batch batch;
    for (int step = 0; step < steps; ++step) {
        batches.draw(step, batch);
        for (const std::uint32_t i : batch.indices)
            places[std::uint64_t{i} * 64 / static_cast<std::uint64_t>(n)] += 1.0;
        const double excess = static_cast<double>(batch.indices.size()) - 64.0;
        sum += excess;
        squares += excess * excess;
    }
    // Mean 64, variance 64 (1-p), kurtosis 3 + 1/64: five standard deviations.
    CHECK(std::fabs(sum / steps) < 5.0 * std::sqrt(64.0 / steps));
    CHECK(std::fabs(squares / steps - 64.0) < 5.0 * 64.0 * std::sqrt(2.02 / steps));
    CHECK(goodness_of_fit::uniform_p_value(places) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(64, 64.0 * steps) < 0.02);
}

TEST_CASE("Poisson batches release the distribution that they draw", "[batch]") {
    const PoissonBatches batches(
        {.scheme = SamplingScheme::poisson, .dataset_size = 50'000, .batch_size = 120});
    const SampledGaussian mechanism = batches.released(6.0);
    CHECK(mechanism.noise_multiplier == 6.0);
    CHECK(mechanism.sampling_probability == 0.0024);
    CHECK(mechanism.sampling_probability == batches.sampling_probability());
    CHECK(batches.batches_per_epoch() == 417);
    CHECK(test_support::refused([&] { return batches.released(-1.0); }) != "");
    Batch batch;
    PoissonBatches drawing = batches;
    CHECK(test_support::refused([&] {
              drawing.draw(-1, batch);
              return 0;
          }) == "step");
}

TEST_CASE("a batch of the whole data is drawn but not accounted for", "[batch]") {
    PoissonBatches batches({.scheme = SamplingScheme::poisson, .dataset_size = 5, .batch_size = 5});
    Batch batch;
    batches.draw(3, batch);
    std::sort(batch.indices.begin(), batch.indices.end());
    CHECK(batch.indices == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(test_support::refused([&] { return batches.released(1.0); }) != "");
}
