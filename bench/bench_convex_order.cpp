#include <benchmark/benchmark.h>

#include "assay/account/calibrate.hpp"
#include "assay/epochs/epoch_composition.hpp"

namespace assay::bench {

namespace {

/// The whole curve, both directions, both sides; the gap that it reached is a counter.
void certified_curve(benchmark::State& state, const BallsAndBins& mechanism, double tolerance) {
    double gap = 0.0;
    for ([[maybe_unused]] auto _ : state) {
        const EpochCurve curve(mechanism, Adjacency::zero_out, {tolerance, 1e-10, 2e9});
        benchmark::DoNotOptimize(&curve);
        benchmark::ClobberMemory();
        gap = curve.gap();
    }
    state.counters["gap"] = gap;
}
BENCHMARK_CAPTURE(certified_curve, steps_36133_noise_0 .4, BallsAndBins{0.4, 36133}, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(certified_curve, steps_1e5_noise_0 .32, BallsAndBins{0.32, 100000}, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(certified_curve, steps_1e6_noise_0 .25, BallsAndBins{0.25, 1000000}, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(certified_curve, steps_1e4_noise_1, BallsAndBins{1.0, 10000}, 1e-2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(certified_curve, steps_1e6_noise_1, BallsAndBins{1.0, 1000000}, 2e-2)
    ->Unit(benchmark::kMillisecond);

/// One epsilon of a curve that exists.
void delta_of_curve(benchmark::State& state) {
    const EpochCurve curve({0.4, 36133}, Adjacency::zero_out);
    double epsilon = 0.0;
    for ([[maybe_unused]] auto _ : state) {
        epsilon = epsilon < 4.0 ? epsilon + 0.01 : 0.0;
        benchmark::DoNotOptimize(curve.delta(epsilon));
    }
}
BENCHMARK(delta_of_curve)->Unit(benchmark::kMicrosecond);

void ten_epochs(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(
            EpochComposition({0.6, 500}, LossDirection::removal, 10, {SumGrid::geometric, 0.01})
                .delta(1.0));
}
BENCHMARK(ten_epochs)->Unit(benchmark::kMillisecond);

void calibration(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(
            calibrate({Adjacency::zero_out, {{BallsAndBins{0.0, 36133}, 1}}}, {1.0, 1e-6})
                .sufficient);
}
BENCHMARK(calibration)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace assay::bench
