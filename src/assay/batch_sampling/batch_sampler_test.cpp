#include "assay/batch_sampling/batch_sampler.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

BatchSampling sampling_of(SamplingScheme scheme) {
    return {.scheme = scheme,
            .dataset_size = 1000,
            .batch_size = 64,
            .maximum_batch_size = 70,
            .seed = 11};
}

Batch drawn_batch(BatchSampler& sampler, std::int64_t step) {
    Batch batch;
    sampler.draw(step, batch);
    return batch;
}

}  // namespace

TEST_CASE("a step's batch depends on the step alone", "[batch]") {
    using enum SamplingScheme;
    const SamplingScheme scheme =
        GENERATE(deterministic, shuffle, poisson, fixed_size_without_replacement,
                 fixed_size_with_replacement, balls_and_bins);
    CAPTURE(std::string(to_string(scheme)));
    BatchSampler straight(sampling_of(scheme));
    REQUIRE(straight.batches_per_epoch() == 16);
    std::vector<Batch> batches;
    for (std::int64_t step = 0; step < 40; ++step) batches.push_back(drawn_batch(straight, step));
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
    BatchSampler resumed(sampling_of(scheme));
    tbb::task_arena(4).execute([&] {
        for (const std::int64_t step : {37, 3, 16, 15, 39, 0}) {
            const Batch batch = drawn_batch(resumed, step);
            CHECK(batch.indices == batches[static_cast<std::size_t>(step)].indices);
            CHECK(batch.padding == batches[static_cast<std::size_t>(step)].padding);
        }
    });
    for (const Batch& batch : batches) {
        CHECK(static_cast<std::int64_t>(batch.indices.size()) + batch.padding == 70);
        for (const std::uint32_t i : batch.indices) CHECK(i < 1000);
    }
    if (scheme != deterministic) {
        BatchSampling other = sampling_of(scheme);
        other.seed = 12;
        BatchSampler sampler(other);
        CHECK(drawn_batch(sampler, 0).indices != batches[0].indices);
        CHECK(batches[0].indices != batches[16].indices);
    } else {
        CHECK(batches[0].indices == batches[16].indices);
    }
}

TEST_CASE("a sampler's distribution is the type that its accountant takes", "[batch]") {
    const auto released = [](SamplingScheme scheme) {
        return BatchSampler(sampling_of(scheme)).released(2.0);
    };
    using enum SamplingScheme;
    const auto cut = std::get<TruncatedPoissonGaussian>(released(poisson));
    CHECK(cut.sampling_probability() == 0.064);
    CHECK(cut.maximum_batch_size == 70);
    BatchSampling without_maximum = sampling_of(poisson);
    without_maximum.maximum_batch_size.reset();
    const Mechanism whole = BatchSampler(without_maximum).released(2.0);
    CHECK(std::get<SampledGaussian>(whole).sampling_probability == 0.064);
    const auto fixed = std::get<FixedSizeGaussian>(released(fixed_size_without_replacement));
    CHECK(fixed.sampling_probability == 0.064);
    const auto with =
        std::get<FixedSizeWithReplacementGaussian>(released(fixed_size_with_replacement));
    CHECK(with.batch_size == 64);
    CHECK(std::get<Shuffled>(released(shuffle)).batches_per_epoch == 16);
    CHECK(std::get<BallsAndBins>(released(balls_and_bins)).batches_per_epoch == 16);
    CHECK(std::get<DeterministicBatches>(released(deterministic)).batches_per_epoch == 16);
}

TEST_CASE("a sampler that cannot be is refused before it is built", "[batch]") {
    BatchSampling sampling = sampling_of(SamplingScheme::shuffle);
    sampling.batch_size = 1001;
    CHECK(test_support::refused([&] { return BatchSampler(sampling); }) == "batch-size");
    sampling = sampling_of(static_cast<SamplingScheme>(77));
    CHECK(test_support::refused([&] { return BatchSampler(sampling); }) == "sampling");
}
