#include <tbb/task_arena.h>

#include <cstring>

#include "assay/batch_sampling/balls_and_bins.hpp"
#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/batch_sampling/binomial_distribution.hpp"
#include "assay/batch_sampling/random_groups.hpp"
#include "assay/batch_sampling/random_order.hpp"
#include "assay/batch_sampling/random_subset.hpp"
#include "assay/batch_sampling/truncation.hpp"
#include "assay/batch_sampling/uniform_index.hpp"
#include "measure.hpp"

// Batch samplers at n = 4.6e7 examples. `items_per_second` counts indices; `bytes_per_index` is
// what the kernel's arrays are read and written, and memory_copy beside it is the floor: what this
// machine moves at all. The kernel_* rows split the cost into generator, transform and memory.

namespace assay::bench {
namespace {

constexpr std::int64_t examples = 46'000'000;

void count_indices(benchmark::State& state, double indices, double bytes_per_index) {
    state.SetItemsProcessed(
        static_cast<std::int64_t>(indices * static_cast<double>(state.iterations())));
    state.counters["bytes_per_index"] = bytes_per_index;
    state.SetBytesProcessed(static_cast<std::int64_t>(indices * bytes_per_index *
                                                      static_cast<double>(state.iterations())));
}

// --- the floor ---------------------------------------------------------------------------------

/// Bytes read and written by memcpy of an array as long as an epoch's order, or as a batch's.
void memory_copy(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const std::vector<std::uint32_t> source(count, 1);
    std::vector<std::uint32_t> target(count, 0);
    for ([[maybe_unused]] auto _ : state) {
        std::memcpy(target.data(), source.data(), count * sizeof(std::uint32_t));
        benchmark::DoNotOptimize(target.data());
        benchmark::ClobberMemory();
    }
    count_indices(state, static_cast<double>(count), 8.0);
}
BENCHMARK(memory_copy)->Arg(examples)->Arg(8192)->Unit(benchmark::kMicrosecond);

// --- kernels -----------------------------------------------------------------------------------

/// Generator: 32-bit halves of Philox words, 8192 of them.
void kernel_words(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<std::uint64_t> words(4096);
    for ([[maybe_unused]] auto _ : state) {
        stream.fill_bits(words);
        benchmark::DoNotOptimize(words.data());
        benchmark::ClobberMemory();
    }
    count_indices(state, 8192.0, 4.0);
}
BENCHMARK(kernel_words)->Unit(benchmark::kMicrosecond);

/// Generator and transform: uniform indices, kept in a register.
void kernel_uniform_index(benchmark::State& state) {
    UniformIndices indices(RandomStream(1, Purpose::test, 0));
    for ([[maybe_unused]] auto _ : state) {
        std::uint32_t sum = 0;
        for (int i = 0; i < 8192; ++i) sum += indices.below(static_cast<std::uint64_t>(examples));
        benchmark::DoNotOptimize(sum);
    }
    count_indices(state, 8192.0, 4.0);
}
BENCHMARK(kernel_uniform_index)->Unit(benchmark::kMicrosecond);

/// Generator, transform and the table of members in the cache.
void kernel_subset(benchmark::State& state) {
    const std::int64_t size = state.range(0);
    RandomSubset subset;
    std::vector<std::uint32_t> members;
    std::uint64_t block = 0;
    for ([[maybe_unused]] auto _ : state) {
        subset.draw(RandomStream(1, Purpose::test, block++), size, examples, members);
        benchmark::DoNotOptimize(members.data());
    }
    // The half of a word; the place cleared, probed, written and read (2 to 4 a member); the
    // member.
    const double places = static_cast<double>(subset.live_bytes()) / static_cast<double>(size);
    count_indices(state, static_cast<double>(size), 8.0 + 2.0 * places + 8.0 + 4.0);
}
BENCHMARK(kernel_subset)->Arg(1024)->Arg(8192)->Unit(benchmark::kMicrosecond);

/// The size of a Poisson batch; an item is a draw.
void kernel_binomial(benchmark::State& state) {
    const BinomialDistribution distribution(examples, static_cast<double>(state.range(0)),
                                            double(examples));
    RandomStream stream(1, Purpose::test, 0);
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(distribution.draw(stream));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(kernel_binomial)->Arg(1024)->Arg(8192);

/// The labels of an epoch without their memory: what both passes of draw_groups generate.
void kernel_epoch_labels(benchmark::State& state) {
    UniformIndices indices(RandomStream(1, Purpose::test, 0));
    for ([[maybe_unused]] auto _ : state) {
        std::uint32_t sum = 0;
        for (std::int64_t i = 0; i < examples; ++i) sum += indices.below(1024);
        benchmark::DoNotOptimize(sum);
    }
    count_indices(state, static_cast<double>(examples), 4.0);
}
BENCHMARK(kernel_epoch_labels)->Unit(benchmark::kMillisecond);

/// The first half of an epoch: every example into its cache-sized group. What shuffle and
/// balls-and-bins take beyond this is the work within the groups.
void kernel_epoch_groups(benchmark::State& state) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(examples));
    std::int64_t epoch = 0;
    tbb::task_arena(1).execute([&] {
        for ([[maybe_unused]] auto _ : state)
            benchmark::DoNotOptimize(draw_groups(1, epoch++, GroupLabels{1024, 0}, order));
    });
    count_indices(state, static_cast<double>(examples), 4.0 + 8.0);  // two passes of halves, a line
}
BENCHMARK(kernel_epoch_groups)->Unit(benchmark::kMillisecond);

// --- samplers ----------------------------------------------------------------------------------

/// One batch a step: expected or fixed size range(0).
void batches(benchmark::State& state, SamplingScheme scheme) {
    BatchSampler sampler(
        {.scheme = scheme, .dataset_size = examples, .batch_size = state.range(0), .seed = 1});
    Batch batch;
    std::int64_t step = 0;
    double indices = 0.0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.draw(step++, batch);
        benchmark::DoNotOptimize(batch.indices.data());
        indices += static_cast<double>(batch.indices.size());
    }
    count_indices(state, indices / static_cast<double>(state.iterations()),
                  scheme == SamplingScheme::deterministic                 ? 4.0
                  : scheme == SamplingScheme::fixed_size_with_replacement ? 12.0
                                                                          : 36.0);
}
BENCHMARK_CAPTURE(batches, poisson, SamplingScheme::poisson)
    ->Arg(1024)
    ->Arg(8192)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(batches, without_replacement, SamplingScheme::fixed_size_without_replacement)
    ->Arg(1024)
    ->Arg(8192)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(batches, with_replacement, SamplingScheme::fixed_size_with_replacement)
    ->Arg(1024)
    ->Arg(8192)
    ->Unit(benchmark::kMicrosecond);

/// Examples in their order: no generator, the floor of all others.
BENCHMARK_CAPTURE(batches, deterministic, SamplingScheme::deterministic)
    ->Arg(1024)
    ->Arg(8192)
    ->Unit(benchmark::kMicrosecond);

/// Poisson batches cut at a maximum size: at range(0) itself, so that every other one is, or at a
/// half more, where they are only padded.
void truncated_batches(benchmark::State& state) {
    BatchSampler sampler({.scheme = SamplingScheme::poisson,
                          .dataset_size = examples,
                          .batch_size = state.range(0),
                          .maximum_batch_size = state.range(0) * state.range(1) / 100,
                          .seed = 1});
    Batch batch;
    std::int64_t step = 0;
    double indices = 0.0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.draw(step++, batch);
        benchmark::DoNotOptimize(batch.indices.data());
        indices += static_cast<double>(batch.indices.size());
    }
    count_indices(state, indices / static_cast<double>(state.iterations()), 36.0);
}
BENCHMARK(truncated_batches)->Args({8192, 100})->Args({8192, 150})->Unit(benchmark::kMicrosecond);

/// Cutting alone: half of a batch goes, an item is an index that does.
void kernel_cut(benchmark::State& state) {
    const std::int64_t size = state.range(0);
    const std::vector<std::uint32_t> drawn(static_cast<std::size_t>(2 * size), 1);
    Batch batch;
    std::int64_t step = 0;
    for ([[maybe_unused]] auto _ : state) {
        batch.indices = drawn;
        fit_to_maximum(batch, size, 1, step++);
        benchmark::DoNotOptimize(batch.indices.data());
    }
    // The half of a word, one place read and one written; two indices copied there.
    count_indices(state, static_cast<double>(size), 8.0 + 8.0 + 16.0);
}
BENCHMARK(kernel_cut)->Arg(8192)->Unit(benchmark::kMicrosecond);

/// An epoch of n examples at batch size range(0), on range(1) threads.
template <class Draw>
void measure_epoch(benchmark::State& state, double bytes_per_index, const Draw& draw) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(examples));
    std::vector<std::uint32_t> begins;
    const std::int64_t bins = (examples + state.range(0) - 1) / state.range(0);
    std::int64_t epoch = 0;
    tbb::task_arena(static_cast<int>(state.range(1))).execute([&] {
        for ([[maybe_unused]] auto _ : state) {
            draw(epoch++, bins, order, begins);
            benchmark::DoNotOptimize(order.data());
        }
    });
    count_indices(state, static_cast<double>(examples), bytes_per_index);
    state.counters["live_bytes_per_example"] =
        4.0 + 4.0 * static_cast<double>(begins.size()) / static_cast<double>(examples);
}

void epoch_shuffle(benchmark::State& state) {
    // Halves 3 x 4, the write of the grouping, a swap within the group.
    measure_epoch(state, 12.0 + 4.0 + 16.0,
                  [](std::int64_t epoch, std::int64_t, auto& order, auto&) {
                      draw_random_order(1, epoch, order);
                  });
}
BENCHMARK(epoch_shuffle)
    ->Args({1024, 1})
    ->Args({1024, 2})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

void epoch_balls_and_bins(benchmark::State& state, BinMethod method) {
    // Halves 3 x 4, the write of the grouping, and within the group a copy, a bin and a write, or
    // a swap.
    measure_epoch(state, 12.0 + 4.0 + (method == BinMethod::each_example ? 28.0 : 16.0),
                  [=](std::int64_t epoch, std::int64_t bins, auto& order, auto& begins) {
                      draw_bins(1, epoch, bins, method, order, begins);
                  });
}
BENCHMARK_CAPTURE(epoch_balls_and_bins, each_example, BinMethod::each_example)
    ->ArgsProduct({{1024, 8192}, {1, 2}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(epoch_balls_and_bins, conditional_sizes, BinMethod::conditional_sizes)
    ->ArgsProduct({{1024, 8192}, {1, 2}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

// --- truncation --------------------------------------------------------------------------------

void smallest_maximum(benchmark::State& state) {
    const std::int64_t b = state.range(0);
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(
            smallest_maximum_batch_size(examples, b, examples / b, 10.0, 1e-10));
}
BENCHMARK(smallest_maximum)->Arg(1024)->Arg(262'144)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::bench
