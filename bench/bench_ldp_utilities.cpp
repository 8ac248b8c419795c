#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/ldp/subset_choice.hpp"
#include "assay/ldp/utilities.hpp"
#include "assay/ldp/utilities_dense.hpp"
#include "measure.hpp"

// The utilities of aydin2024, all K sizes of S at once, in the closed forms and (dense) from their
// definitions: what Table 1 states growth rates for. `items_per_second` counts sizes.

namespace assay::bench {
namespace {

RestrictedResponse mechanism_of(std::int64_t categories) {
    return {.categories = static_cast<int>(categories),
            .epsilon = 1.0,
            .budget_share = 0.9,
            .variant = {}};
}

/// Falls by a factor of 20 in all, unevenly.
std::vector<double> falling(std::int64_t categories) {
    std::vector<double> theta;
    double sum = 0.0;
    for (std::int64_t x = 0; x < categories; ++x) {
        const auto place = static_cast<double>(x) / static_cast<double>(categories);
        theta.push_back(std::exp(-3.0 * place) *
                        (1.0 + 0.1 * std::sin(7.0 * static_cast<double>(x))));
        sum += theta.back();
    }
    for (double& p : theta) p /= sum;
    std::sort(theta.rbegin(), theta.rend());
    return theta;
}

void count_sizes(benchmark::State& state, std::int64_t sizes) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * sizes);
}

void ldp_utilities(benchmark::State& state, Utility utility) {
    SubsetUtilities utilities(mechanism_of(state.range(0)));
    const std::vector<double> theta = falling(state.range(0));
    std::vector<double> values(theta.size());
    for ([[maybe_unused]] auto _ : state) {
        utilities.by_size(utility, theta, values);
        benchmark::DoNotOptimize(values.data());
        benchmark::ClobberMemory();
    }
    count_sizes(state, state.range(0));
}

void ldp_utilities_dense(benchmark::State& state, Utility utility) {
    const RestrictedResponse mechanism = mechanism_of(state.range(0));
    const std::vector<double> theta = falling(state.range(0));
    CategorySubset subset(mechanism.categories);
    for ([[maybe_unused]] auto _ : state) {
        for (int size = 0; size < mechanism.categories; ++size) {
            subset.resize(size);
            benchmark::DoNotOptimize(dense_utility(utility, mechanism, subset, theta));
        }
    }
    count_sizes(state, state.range(0));
}

/// Enough sizes to fit an exponent to.
void sweep(benchmark::internal::Benchmark* row) {
    for (const int categories : {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10'000})
        row->Arg(categories);
    row->Unit(benchmark::kMicrosecond);
}
void dense_sweep(benchmark::internal::Benchmark* row) {
    for (const int categories : {10, 20, 40, 80}) row->Arg(categories);
    row->Unit(benchmark::kMicrosecond);
}

#define ASSAY_BENCH_UTILITY(utility)                                           \
    BENCHMARK_CAPTURE(ldp_utilities, utility, Utility::utility)->Apply(sweep); \
    BENCHMARK_CAPTURE(ldp_utilities_dense, utility, Utility::utility)->Apply(dense_sweep)

ASSAY_BENCH_UTILITY(fisher_information);
ASSAY_BENCH_UTILITY(entropy);
ASSAY_BENCH_UTILITY(posterior_total_variation);
ASSAY_BENCH_UTILITY(marginal_total_variation);
ASSAY_BENCH_UTILITY(mean_squared_error);
ASSAY_BENCH_UTILITY(honest_response);

#undef ASSAY_BENCH_UTILITY

/// A choice of S by a rule, the sorting of theta left out.
void ldp_choose_size(benchmark::State& state, const SubsetRule& rule) {
    SubsetUtilities utilities(mechanism_of(state.range(0)));
    const std::vector<double> theta = falling(state.range(0));
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(choose_size(rule, utilities, theta));
}
BENCHMARK_CAPTURE(ldp_choose_size, semi_adaptive, SubsetRule(SemiAdaptive{0.9}))
    ->Arg(20)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(ldp_choose_size, honest_response, SubsetRule(ByUtility{Utility::honest_response}))
    ->Arg(20)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

/// What the constructor precomputes.
void ldp_utilities_set_up(benchmark::State& state) {
    const RestrictedResponse mechanism = mechanism_of(state.range(0));
    for ([[maybe_unused]] auto _ : state) {
        const SubsetUtilities utilities(mechanism);
        benchmark::DoNotOptimize(&utilities);
    }
    count_sizes(state, state.range(0));
}
BENCHMARK(ldp_utilities_set_up)->Arg(20)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::bench
