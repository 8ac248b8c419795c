#pragma once
#include <benchmark/benchmark.h>
#include <cstdint>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay::bench {

/// The setting of birrell2024, Section 4: what the goals for the speed are stated for.
inline constexpr double noise_multiplier = 6.0;
inline constexpr std::int64_t batch_size = 120;
inline constexpr std::int64_t dataset_size = 50'000;
inline constexpr double sampling_probability = 0.0024;
inline constexpr int taylor_terms = 4;
inline constexpr std::int64_t steps = 104'166;
inline constexpr double delta = 1e-5;

/// Reports orders per second, and the largest certified relative width of what was computed.
inline void report(benchmark::State& state, std::span<const Enclosure> results) {
    double width = 0.0;
    for (const Enclosure& result : results) width = std::max(width, result.relative_width());
    state.counters["orders"] = benchmark::Counter(static_cast<double>(results.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
    state.counters["orders_per_call"] = static_cast<double>(results.size());
    state.counters["relative_width"] = width;
}

/// Measures `compute() -> std::vector<Enclosure>`, one entry an order.
template <class Compute>
void measure_curve(benchmark::State& state, const Compute& compute) {
    std::vector<Enclosure> results;
    for ([[maybe_unused]] auto _ : state) {
        results = compute();
        benchmark::DoNotOptimize(results.data());
        benchmark::ClobberMemory();
    }
    report(state, results);
}

/// Measures `compute(order) -> Enclosure` in a loop over `orders`.
template <class Compute>
void measure_orders(benchmark::State& state, std::span<const double> orders,
                    const Compute& compute) {
    measure_curve(state, [&] {
        std::vector<Enclosure> results;
        results.reserve(orders.size());
        for (const double order : orders) results.push_back(compute(order));
        return results;
    });
}

}  // namespace assay::bench
