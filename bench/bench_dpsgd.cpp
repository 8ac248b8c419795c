#include <optional>
#include <random>

#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/dpsgd/gradient_noise.hpp"
#include "assay/dpsgd/matrix_product.hpp"
#include "assay/dpsgd/reference_gradients.hpp"
#include "measure.hpp"

// The gradient sum of one training step: the plain sum, the clipped sum beside it, and the clipped
// sum with every example's gradient held, as common frameworks do it. `items_per_second` counts
// examples; `live_megabytes` is what the step holds. Clipping costs clipped / plain.

namespace assay::bench {
namespace {

constexpr double clip_norm = 1.0;

struct Step {
    const char* name;
    Architecture architecture;
    ExampleShape shape;
    std::int64_t batch;
};

const Step& step(std::int64_t which) {
    static const std::vector<Step> steps{{"perceptron 784-512-512-10, batch 256",
                                          MultilayerPerceptron{{512, 512}},
                                          {{1, 28, 28}, 784, {}, 10},
                                          256},
                                         {"perceptron 64-128-128-10, batch 120",
                                          MultilayerPerceptron{{128, 128}},
                                          {{1, 8, 8}, 64, {}, 10},
                                          120},
                                         {"convolutions 8 .. 64 on 1x8x8, batch 120",
                                          ConvolutionalNetwork{{8, 8, 16, 32, 32, 64}, 32, {}},
                                          {{1, 8, 8}, 64, {}, 10},
                                          120},
                                         {"birrell2024's convolutions on 1x8x8, batch 120",
                                          ConvolutionalNetwork{},
                                          {{1, 8, 8}, 64, {}, 10},
                                          120},
                                         {"birrell2024's convolutions on 3x32x32, batch 120",
                                          ConvolutionalNetwork{},
                                          {{3, 32, 32}, 3072, {}, 10},
                                          120},
                                         {"chua2025's click network, 26 fields of 1000, batch 1024",
                                          ClickNetwork{},
                                          {{}, 13, std::vector<std::int32_t>(26, 1000), 2},
                                          1024}};
    return steps[static_cast<std::size_t>(which)];
}

Dataset random_examples(const Step& of) {
    std::mt19937 draw(1);
    Dataset data{"random examples", of.shape, {}, {}, {}};
    for (std::int64_t i = 0; i < of.batch; ++i) {
        for (int k = 0; k < of.shape.values; ++k)
            data.values.push_back(static_cast<float>(draw() % 256U) / 255.0F);
        for (const std::int32_t rows : of.shape.categories)
            data.categories.push_back(static_cast<std::int32_t>(draw() % 1000U) % rows);
        data.labels.push_back(static_cast<std::int32_t>(draw() % 10U) % of.shape.classes);
    }
    return data;
}

template <class Sum>
void measure(benchmark::State& state, const Sum& sum) {
    const Step& of = step(state.range(0));
    const Dataset data = random_examples(of);
    const Model<float> model(of.architecture, of.shape, 1);
    std::vector<std::uint32_t> indices;
    for (std::int64_t i = 0; i < of.batch; ++i) indices.push_back(static_cast<std::uint32_t>(i));
    GradientSum<float> result;
    for ([[maybe_unused]] auto _ : state) {
        sum(model, data, indices, result);
        benchmark::DoNotOptimize(result.sum.data());
    }
    state.SetLabel(of.name);
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * of.batch);
    state.counters["parameters"] = static_cast<double>(model.parameter_count());
    state.counters["live_megabytes"] = static_cast<double>(result.live_bytes) / 1e6;
}

void measure_engine(benchmark::State& state, std::optional<double> norm) {
    GradientEngine<float> engine(static_cast<int>(state.range(1)));
    measure(state, [&](const auto& model, const auto& data, const auto& indices, auto& result) {
        engine.clipped_sum(model, data, indices, norm, result);
    });
}

void gradient_sum_plain(benchmark::State& state) {
    measure_engine(state, {});
}
void gradient_sum_clipped(benchmark::State& state) {
    measure_engine(state, clip_norm);
}
void gradient_sum_held(benchmark::State& state) {
    measure(state, [](const auto& model, const auto& data, const auto& indices, auto& result) {
        reference_clipped_sum<float>(model, data, indices, clip_norm, result);
    });
}

const std::vector<std::vector<std::int64_t>> all_steps{{0, 1, 2, 3, 4, 5}, {1, 2}};
BENCHMARK(gradient_sum_plain)
    ->ArgNames({"step", "threads"})
    ->ArgsProduct(all_steps)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gradient_sum_clipped)
    ->ArgNames({"step", "threads"})
    ->ArgsProduct(all_steps)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gradient_sum_held)
    ->ArgName("step")
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->Arg(3)
    ->Unit(benchmark::kMillisecond);

/// The noise of a step; an item is an element of the gradient, read and written.
void gradient_noise(benchmark::State& state) {
    std::vector<float> gradient(static_cast<std::size_t>(state.range(0)), 0.0F);
    std::int64_t step = 0;
    Workers workers(static_cast<int>(state.range(1)));
    for ([[maybe_unused]] auto _ : state) {
        add_gradient_noise(gradient, 1.0, 1, step++, workers);
        benchmark::DoNotOptimize(gradient.data());
        benchmark::ClobberMemory();
    }
    const std::int64_t elements = static_cast<std::int64_t>(state.iterations()) * state.range(0);
    state.SetItemsProcessed(elements);
    state.SetBytesProcessed(2 * static_cast<std::int64_t>(sizeof(float)) * elements);
}
BENCHMARK(gradient_noise)
    ->ArgNames({"elements", "threads"})
    ->ArgsProduct({{1 << 20U}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The floor: the products alone. `items_per_second` counts multiplications with an addition.
void kernel_matrix_product(benchmark::State& state) {
    const Eigen::Index rows = state.range(0);
    const Eigen::Index columns = state.range(1);
    const Eigen::Index depth = state.range(2);
    const std::vector<float> a(static_cast<std::size_t>(rows * depth), 0.5F);
    const std::vector<float> b(static_cast<std::size_t>(depth * columns), 0.25F);
    std::vector<float> c(static_cast<std::size_t>(rows * columns), 0.0F);
    for ([[maybe_unused]] auto _ : state) {
        add_product(dense_factor(a.data(), rows, depth), dense_factor(b.data(), depth, columns),
                    c.data(), rows);
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * rows * columns * depth);
}
BENCHMARK(kernel_matrix_product)
    ->ArgNames({"rows", "columns", "depth"})
    ->Args({512, 128, 512})
    ->Args({32, 1024, 288})
    ->Args({598, 128, 598});

}  // namespace
}  // namespace assay::bench
