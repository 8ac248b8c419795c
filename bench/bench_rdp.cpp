#include "assay/rdp/fixed_size_with_replacement.hpp"

#include <algorithm>

#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "assay/rdp/profile_bound.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/taylor_moments.hpp"
#include "assay/rdp/taylor_replace_one.hpp"
#include "measure.hpp"

// A `curve` is one call for all orders of Opacus' grid, 1.1, 1.2, .., 10.9, 12, .., 63; a `loop`
// calls the function of one order for each of them, and `single` for each of 1.5, 2, 4, 16.5, 63
// (or their integer parts).

namespace assay::bench {
namespace {

const std::vector<double>& grid() {
    static const std::vector<double> orders = opacus_orders();
    return orders;
}

constexpr double single_orders[] = {1.5, 2.0, 4.0, 16.5, 63.0};

// --- fixed-size sampling without replacement ---------------------------------------------------

void without_replacement_exact_curve(benchmark::State& state) {
    measure_curve(state, [] {
        return fixed_size_without_replacement_rdp(grid(), noise_multiplier, sampling_probability);
    });
}
BENCHMARK(without_replacement_exact_curve)->Unit(benchmark::kMicrosecond);

void without_replacement_exact_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return fixed_size_without_replacement_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(without_replacement_exact_single)->Unit(benchmark::kMicrosecond);

void without_replacement_reverse_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return fixed_size_without_replacement_addition_rdp(order, noise_multiplier,
                                                           sampling_probability);
    });
}
BENCHMARK(without_replacement_reverse_single)->Unit(benchmark::kMicrosecond);

void without_replacement_profile_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return profile_bound_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(without_replacement_profile_single)->Unit(benchmark::kMicrosecond);

void theorem_3_4_curve(benchmark::State& state) {
    measure_curve(state, [] {
        return theorem_3_4_rdp(grid(), noise_multiplier, taylor_terms, sampling_probability);
    });
}
BENCHMARK(theorem_3_4_curve)->Unit(benchmark::kMicrosecond);

void theorem_3_4_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return theorem_3_4_rdp(order, noise_multiplier, taylor_terms, sampling_probability);
    });
}
BENCHMARK(theorem_3_4_single)->Unit(benchmark::kMicrosecond);

void wang_upper_loop(benchmark::State& state) {
    measure_orders(state, grid(), [](double order) {
        return wang_upper_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(wang_upper_loop)->Unit(benchmark::kMicrosecond);

void taylor_moments_to_70(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        const TaylorMoments moments(noise_multiplier, 70);
        benchmark::DoNotOptimize(&moments.moment(70));
    }
}
BENCHMARK(taylor_moments_to_70)->Unit(benchmark::kMicrosecond);

// --- fixed-size sampling with replacement ------------------------------------------------------

void with_replacement_exact_curve(benchmark::State& state) {
    measure_curve(state, [] {
        return fixed_size_with_replacement_rdp(grid(), noise_multiplier, batch_size, dataset_size);
    });
}
BENCHMARK(with_replacement_exact_curve)->Unit(benchmark::kMicrosecond);

void with_replacement_exact_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return fixed_size_with_replacement_rdp(order, noise_multiplier, batch_size, dataset_size);
    });
}
BENCHMARK(with_replacement_exact_single)->Unit(benchmark::kMicrosecond);

/// |B| grows, |B|/|D| stays.
void with_replacement_by_batch_size(benchmark::State& state) {
    const std::int64_t batch = state.range(0);
    const std::int64_t dataset = batch * dataset_size / batch_size;
    measure_curve(state, [&] {
        return fixed_size_with_replacement_rdp(grid(), noise_multiplier, batch, dataset);
    });
    state.SetComplexityN(batch);
}
BENCHMARK(with_replacement_by_batch_size)
    ->Arg(30)
    ->Arg(60)
    ->Arg(120)
    ->Arg(240)
    ->Arg(480)
    ->Arg(960)
    ->Arg(1920)
    ->Complexity()
    ->Unit(benchmark::kMicrosecond);

// --- Poisson sampling --------------------------------------------------------------------------

void poisson_add_remove_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return poisson_add_remove_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(poisson_add_remove_single)->Unit(benchmark::kMicrosecond);

void poisson_replace_one_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return poisson_replace_one_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(poisson_replace_one_single)->Unit(benchmark::kMicrosecond);

void poisson_integer_sum_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return poisson_integer_order_rdp(std::max(2, static_cast<int>(order)), noise_multiplier,
                                         sampling_probability);
    });
}
BENCHMARK(poisson_integer_sum_single)->Unit(benchmark::kMicrosecond);

void poisson_fractional_series_single(benchmark::State& state) {
    measure_orders(state, single_orders, [](double order) {
        return poisson_fractional_series_rdp(order, noise_multiplier, sampling_probability);
    });
}
BENCHMARK(poisson_fractional_series_single)->Unit(benchmark::kMicrosecond);

// --- conversions -------------------------------------------------------------------------------

void conversion_loop(benchmark::State& state,
                     Enclosure (*convert)(double, const Enclosure&, double)) {
    std::vector<Enclosure> curve =
        fixed_size_without_replacement_rdp(grid(), noise_multiplier, sampling_probability);
    for (Enclosure& rdp : curve)
        rdp = {rdp.lower * static_cast<double>(steps), rdp.upper * static_cast<double>(steps)};
    measure_curve(state, [&] {
        std::vector<Enclosure> results;
        results.reserve(curve.size());
        for (std::size_t i = 0; i < curve.size(); ++i)
            results.push_back(convert(grid()[i], curve[i], delta));
        return results;
    });
}
BENCHMARK_CAPTURE(conversion_loop, balle2020, balle2020_epsilon)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(conversion_loop, canonne2020, canonne2020_epsilon)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(conversion_loop, mironov2017, mironov2017_epsilon)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::bench
