#include <assay/assay.hpp>

#include "assay/rdp/epsilon_bracket.hpp"
#include "measure.hpp"

// What `assay epsilon` computes, without the start of a process.

namespace assay::bench {
namespace {

void epsilon(benchmark::State& state, const Mechanism& mechanism, Adjacency adjacency) {
    const std::vector<Phase> phases = {{.mechanism = mechanism, .repetitions = steps}};
    PrivacyBracket bracket;
    for ([[maybe_unused]] auto _ : state) {
        bracket = epsilon_bracket(phases, adjacency, delta);
        benchmark::DoNotOptimize(&bracket);
        benchmark::ClobberMemory();
    }
    state.counters["epsilon_upper"] = bracket.upper.value;
    state.counters["epsilon_lower"] = bracket.lower.value;
}

BENCHMARK_CAPTURE(epsilon, without_replacement_replace_one,
                  FixedSizeGaussian{.noise_multiplier = noise_multiplier,
                                    .sampling_probability = sampling_probability},
                  Adjacency::replace_one)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(epsilon, with_replacement_add_remove,
                  FixedSizeWithReplacementGaussian{.noise_multiplier = noise_multiplier,
                                                   .batch_size = batch_size,
                                                   .dataset_size = dataset_size},
                  Adjacency::add_remove)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(epsilon, poisson_add_remove,
                  SampledGaussian{.noise_multiplier = noise_multiplier,
                                  .sampling_probability = sampling_probability},
                  Adjacency::add_remove)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(epsilon, poisson_replace_one,
                  SampledGaussian{.noise_multiplier = noise_multiplier,
                                  .sampling_probability = sampling_probability},
                  Adjacency::replace_one)
    ->Unit(benchmark::kMicrosecond);

/// examples/five_lines.cpp, the best of all accountants: bench/python_speed.py compares Python with
/// it.
void first_example(benchmark::State& state) {
    const Release release{
        Adjacency::add_remove,
        {{SampledGaussian{.noise_multiplier = 1.1, .sampling_probability = 0.004}, 10'000}}};
    Bracket bracket;
    for ([[maybe_unused]] auto _ : state) {
        bracket = assay::epsilon(release, 1e-6);
        benchmark::DoNotOptimize(&bracket);
        benchmark::ClobberMemory();
    }
    state.counters["epsilon_upper"] = bracket.upper.value;
}
BENCHMARK(first_example)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::bench
