#include <array>

#include "assay/numeric/fft.hpp"
#include "assay/pld/geometric_loss_distribution.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "measure.hpp"

// One thread. A `delta` is a certified bracket at the stated epsilons, both directions, upper and
// lower together, at a relative gap of 1e-3 above delta = 1e-12; `relative_gap` is what was
// reached.

namespace assay::bench {
namespace {

void measure_delta(benchmark::State& state, const std::vector<Phase>& phases, Adjacency adjacency,
                   const std::vector<double>& epsilons) {
    DeltaCurve curve;
    for ([[maybe_unused]] auto _ : state) {
        curve = pld_delta(phases, adjacency, epsilons);
        benchmark::DoNotOptimize(curve.points.data());
    }
    state.counters["relative_gap"] = curve.relative_gap;
    state.counters["epsilons"] = static_cast<double>(epsilons.size());
    state.counters["delta_upper"] = curve.points.back().upper.value;
}

std::vector<Phase> poisson(std::int64_t steps, double noise, double q) {
    return {{SampledGaussian{.noise_multiplier = noise, .sampling_probability = q}, steps}};
}

std::vector<Phase> fixed_size(std::int64_t steps, double noise, double q) {
    return {{FixedSizeGaussian{.noise_multiplier = noise, .sampling_probability = q}, steps}};
}

// --- chua2025: T = 1/q steps of one epoch ------------------------------------------------------

#define ASSAY_PLD_DELTA(name, phases, adjacency, ...)                      \
    void name(benchmark::State& state) {                                   \
        measure_delta(state, phases, Adjacency::adjacency, {__VA_ARGS__}); \
    }                                                                      \
    BENCHMARK(name)->Unit(benchmark::kMillisecond)

/// The setting that the speed to reach is stated for.
ASSAY_PLD_DELTA(poisson_36133_noise_04, poisson(36133, 0.4, 1.0 / 36133.0), zero_out, 1.0);
ASSAY_PLD_DELTA(poisson_36133_noise_04_curve, poisson(36133, 0.4, 1.0 / 36133.0), zero_out, 0.0,
                0.1, 0.25, 0.5, 1.0, 2.0);
ASSAY_PLD_DELTA(poisson_36133_noise_04_far_tail, poisson(36133, 0.4, 1.0 / 36133.0), zero_out, 8.0);
ASSAY_PLD_DELTA(poisson_1e5_noise_032, poisson(100'000, 0.32, 1e-5), zero_out, 0.1, 1.0);
ASSAY_PLD_DELTA(poisson_1e6_noise_025, poisson(1'000'000, 0.25, 1e-6), zero_out, 0.1, 1.0);
ASSAY_PLD_DELTA(poisson_1e4_noise_1, poisson(10'000, 1.0, 1e-4), zero_out, 0.1);
ASSAY_PLD_DELTA(poisson_1e6_noise_1, poisson(1'000'000, 1.0, 1e-6), zero_out, 0.004);

// --- training runs -----------------------------------------------------------------------------

ASSAY_PLD_DELTA(poisson_training, poisson(104'166, 6.0, 0.0024), add_remove, 0.1, 1.0);
ASSAY_PLD_DELTA(poisson_replace_one, poisson(1000, 1.0, 0.01), replace_one, 0.5, 1.0, 2.0);
ASSAY_PLD_DELTA(fixed_size_add_remove, fixed_size(1000, 2.0, 0.01), add_remove, 0.5, 1.0);
/// Here `relative_gap` is between the symmetric dominating pair and an explicit attack.
ASSAY_PLD_DELTA(fixed_size_replace_one, fixed_size(1000, 2.0, 0.01), replace_one, 0.5, 1.0);

const std::vector<Phase>& mixed() {
    static const std::vector<Phase> phases = {
        {SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.01}, 500},
        {SampledGaussian{.noise_multiplier = 0.8, .sampling_probability = 0.004}, 3000},
        {FixedSizeGaussian{.noise_multiplier = 4.0, .sampling_probability = 0.02}, 200},
        {Gaussian{.noise_multiplier = 20.0}, 10}};
    return phases;
}
ASSAY_PLD_DELTA(heterogeneous, mixed(), add_remove, 0.5, 1.0, 2.0);

void epsilon_at_delta(benchmark::State& state) {
    EpsilonBracket bracket;
    for ([[maybe_unused]] auto _ : state) {
        bracket = pld_epsilon(poisson(1000, 1.0, 0.01), Adjacency::add_remove, 1e-6);
        benchmark::DoNotOptimize(&bracket);
    }
    state.counters["relative_gap"] = bracket.relative_gap;
}
BENCHMARK(epsilon_at_delta)->Unit(benchmark::kMillisecond);

// --- kernels -----------------------------------------------------------------------------------

void transform(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    const Fft fft(size);
    std::vector<double> re(size, 0.0);
    std::vector<double> im(size, 0.0);
    re[1] = 1.0;
    for ([[maybe_unused]] auto _ : state) {
        fft.forward(re, im);
        fft.backward(re, im);
        for (double& x : re) x /= static_cast<double>(size);
        for (double& x : im) x /= static_cast<double>(size);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
}
BENCHMARK(transform)->RangeMultiplier(4)->Range(1 << 12, 1 << 18)->Unit(benchmark::kMicrosecond);

/// One doubling of the distribution of 32 steps; items are grid points of one side.
void geometric_doubling(benchmark::State& state) {
    DominatingPair pair;
    pair.q = 1.0L / 36133.0L;
    pair.c = 2.5L;
    const auto grid = geometric_grid(1e-6, 20.0, 1.0 / static_cast<double>(state.range(0)));
    GeometricLossDistribution distribution(pair, grid, Direction::upper);
    for (int level = 0; level < 5; ++level) distribution = distribution.doubled(0);
    for ([[maybe_unused]] auto _ : state) {
        const GeometricLossDistribution twice = distribution.doubled(0);
        benchmark::DoNotOptimize(&twice);
    }
    state.SetItemsProcessed(state.iterations() * grid->size);
}
BENCHMARK(geometric_doubling)->Arg(25)->Arg(50)->Arg(100)->Arg(200)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::bench
