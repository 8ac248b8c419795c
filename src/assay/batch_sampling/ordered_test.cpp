#include "assay/batch_sampling/ordered.hpp"

#include <algorithm>
#include <type_traits>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

static_assert(std::is_same_v<decltype(std::declval<const OrderedBatches&>().released(1.0)),
                             DeterministicBatches>);
static_assert(
    std::is_same_v<decltype(std::declval<const ShuffledBatches&>().released(1.0)), Shuffled>);

namespace {

BatchSampling sampling_of(std::int64_t n, std::int64_t b, std::uint64_t seed) {
    return {.scheme = SamplingScheme::shuffle, .dataset_size = n, .batch_size = b, .seed = seed};
}

}  // namespace

TEST_CASE("the batches of an epoch hold the data once, in equal parts", "[batch]") {
    const std::int64_t b = GENERATE(1, 3, 30, 50, 99, 100);
    CAPTURE(b);
    OrderedBatches ordered(sampling_of(100, b, 1));
    ShuffledBatches shuffled(sampling_of(100, b, 1));
    const std::int64_t steps = (100 + b - 1) / b;
    REQUIRE(ordered.batches_per_epoch() == steps);
    REQUIRE(shuffled.batches_per_epoch() == steps);
    std::vector<std::uint32_t> in_order;
    std::vector<std::uint32_t> in_any_order;
    Batch batch;
    for (std::int64_t step = steps; step < 2 * steps; ++step) {
        ordered.draw(step, batch);
        const auto size = static_cast<std::int64_t>(batch.indices.size());
        CHECK(size <= b);
        CHECK(size >= 100 / steps);
        CHECK(size <= 100 / steps + 1);
        in_order.insert(in_order.end(), batch.indices.begin(), batch.indices.end());
        shuffled.draw(step, batch);
        CHECK(static_cast<std::int64_t>(batch.indices.size()) == size);
        in_any_order.insert(in_any_order.end(), batch.indices.begin(), batch.indices.end());
    }
    std::sort(in_any_order.begin(), in_any_order.end());
    std::vector<std::uint32_t> all(100);
    for (std::uint32_t i = 0; i < 100; ++i) all[i] = i;
    CHECK(in_order == all);
    CHECK(in_any_order == all);
}

TEST_CASE("an example's batch is uniform, and independent of its batch of the epoch before",
          "[batch]") {
    const std::uint64_t seed = 12'345;
    CAPTURE(seed);
    ShuffledBatches batches(sampling_of(6, 2, seed));
    const int epochs = 40'000 * test_support::effort();
    std::vector<double> counts(9, 0.0);
    std::vector<double> pairs(9, 0.0);
    std::size_t before = 0;
    Batch batch;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        std::vector<std::size_t> batch_of(6);
        for (std::size_t t = 0; t < 3; ++t) {
            batches.draw(3 * epoch + static_cast<std::int64_t>(t), batch);
            for (const std::uint32_t i : batch.indices) batch_of[i] = t;
        }
        pairs[3 * batch_of[0] + batch_of[5]] += 1.0;
        if (epoch % 2 == 1) counts[3 * before + batch_of[2]] += 1.0;
        before = batch_of[2];
    }
    CHECK(goodness_of_fit::uniform_p_value(counts) > goodness_of_fit::level);
    // Two examples share a batch with probability (b-1)/(n-1) = 1/5.
    std::vector<double> distribution(9, 2.0 / 15.0);
    for (std::size_t t = 0; t < 3; ++t) distribution[4 * t] = 1.0 / 15.0;
    CHECK(goodness_of_fit::p_value(pairs, distribution) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(9, 0.5 * epochs) < 0.08);
}

TEST_CASE("ordered and shuffled batches release the steps of an epoch", "[batch]") {
    CHECK(OrderedBatches(sampling_of(100, 30, 1)).released(2.0).batches_per_epoch == 4);
    CHECK(ShuffledBatches(sampling_of(100, 30, 1)).released(2.0).batches_per_epoch == 4);
    CHECK(ShuffledBatches(sampling_of(100, 30, 1)).released(2.0).noise_multiplier == 2.0);
    CHECK(test_support::refused(
              [] { return OrderedBatches(sampling_of(10, 3, 1)).released(0.0); }) != "");
    ShuffledBatches batches(sampling_of(10, 3, 1));
    Batch batch;
    CHECK(test_support::refused([&] {
              batches.draw(-1, batch);
              return 0;
          }) == "step");
}

TEST_CASE("equal parts of the largest data set stay in range", "[batch]") {
    const BatchSampling sampling = sampling_of(4'294'967'295, 1, 0);
    CHECK(equal_batch_begin(sampling, 4'294'967'295) == 4'294'967'295);
    CHECK(equal_batch_begin(sampling, 4'294'967'294) == 4'294'967'294);
}
