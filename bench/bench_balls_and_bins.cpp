#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/epochs/integer_order_rdp.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/monte_carlo/conditional_monte_carlo.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/monte_carlo/order_sum.hpp"
#include "assay/monte_carlo/sampling_tables.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "measure.hpp"

// Monte Carlo of chua2025 at Figure 4's T = 100,000, noise multiplier 0.32, with its 590 orders,
// and the kernels that it is made of, each for 512 numbers at a time. `items_per_second` counts
// numbers for a kernel and samples for a sampler; `numbers_per_sample` is how many of a kernel's
// numbers one sample takes (one sampler row has those of all of its kernels), so that a sampler's
// time can be added up from the kernels'.

namespace assay::bench {
namespace {

constexpr BallsAndBins figure_4{.noise_multiplier = 0.32, .batches_per_epoch = 100'000};
constexpr std::size_t chunk = 512;

const std::vector<std::int64_t>& orders() {
    return paper_order_list("fig4_100000").orders;
}

/// Orders that follow the one before by `gap`.
double gaps_of(std::int64_t gap) {
    double count = 0.0;
    std::int64_t previous = 0;
    for (const std::int64_t k : orders()) {
        count += k - previous == gap ? 1.0 : 0.0;
        previous = k;
    }
    return count;
}

void count_numbers(benchmark::State& state, std::size_t numbers, double per_plain_sample,
                   double per_order_sample) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(numbers));
    state.counters["numbers_per_plain_sample"] = per_plain_sample;
    state.counters["numbers_per_order_sample"] = per_order_sample;
}

// --- kernels -----------------------------------------------------------------------------------

void kernel_philox_words(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<std::uint64_t> words(chunk);
    for ([[maybe_unused]] auto _ : state) {
        stream.fill_bits(words);
        benchmark::DoNotOptimize(words.data());
        benchmark::ClobberMemory();
    }
    count_numbers(state, chunk, 50'000.0, 593.0);
}
BENCHMARK(kernel_philox_words);

void kernel_uniform(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> numbers(chunk);
    for ([[maybe_unused]] auto _ : state) {
        fill_signed_tails(stream, numbers);
        benchmark::DoNotOptimize(numbers.data());
        benchmark::ClobberMemory();
    }
    count_numbers(state, chunk, 1.0, 593.0);
}
BENCHMARK(kernel_uniform);

/// One table row a number: uniform tails in, quantiles out.
void measure_table(benchmark::State& state, const TailTable& table, double per_order_sample) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> tails(chunk);
    fill_signed_tails(stream, tails);
    std::vector<double> numbers(chunk);
    for ([[maybe_unused]] auto _ : state) {
        std::copy(tails.begin(), tails.end(), numbers.begin());
        table.evaluate(numbers);
        benchmark::DoNotOptimize(numbers.data());
        benchmark::ClobberMemory();
    }
    state.counters["relative_error"] = table.relative_error();
    state.counters["rows"] = static_cast<double>(table.size());
    count_numbers(state, chunk, 0.0, per_order_sample);
}

void kernel_exponential_spacing(benchmark::State& state) {
    measure_table(state, gamma_table(1.0, 22), gaps_of(1));
}
BENCHMARK(kernel_exponential_spacing);

void kernel_gamma_spacing(benchmark::State& state) {
    const std::int64_t shape = state.range(0);
    measure_table(state, gamma_table(static_cast<double>(shape), 12), gaps_of(shape));
}
BENCHMARK(kernel_gamma_spacing)->Arg(10)->Arg(100)->Arg(1000);

/// e^{quantile / s} in one, where the paper takes an inverse normal and an exponential.
void kernel_lognormal_of_tail(benchmark::State& state) {
    measure_table(state, lognormal_table(figure_4.noise_multiplier, 32),
                  static_cast<double>(orders().size()));
}
BENCHMARK(kernel_lognormal_of_tail);

void kernel_lognormal_of_tail_plain(benchmark::State& state) {
    const TailTable table = lognormal_table(figure_4.noise_multiplier, 32);
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> tails(chunk);
    fill_signed_tails(stream, tails);
    std::vector<double> numbers(chunk);
    for ([[maybe_unused]] auto _ : state) {
        std::copy(tails.begin(), tails.end(), numbers.begin());
        table.evaluate_plain(numbers);
        benchmark::DoNotOptimize(numbers.data());
        benchmark::ClobberMemory();
    }
    count_numbers(state, chunk, 0.0, static_cast<double>(orders().size()));
}
BENCHMARK(kernel_lognormal_of_tail_plain);

/// The inverse normal and the exponential by themselves, in extended and double precision.
void kernel_normal_quantile(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> numbers(chunk);
    stream.fill_uniform(numbers);
    for ([[maybe_unused]] auto _ : state)
        for (const double p : numbers) benchmark::DoNotOptimize(normal_upper_quantile(p));
    count_numbers(state, chunk, 0.0, 0.0);
}
BENCHMARK(kernel_normal_quantile);

void kernel_exp(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> numbers(chunk);
    stream.fill_uniform(numbers);
    for ([[maybe_unused]] auto _ : state)
        for (const double x : numbers) benchmark::DoNotOptimize(std::exp(10.0 * x));
    count_numbers(state, chunk, 0.0, 0.0);
}
BENCHMARK(kernel_exp);

/// Sum of lognormals from words, two a word: all of the plain sampler but the words themselves.
void kernel_lognormal_sum(benchmark::State& state) {
    const TailTable table = lognormal_table(figure_4.noise_multiplier, 32);
    RandomStream stream(1, Purpose::test, 0);
    std::vector<std::uint64_t> words(chunk);
    std::vector<std::uint32_t> rare(2 * chunk);
    stream.fill_bits(words);
    std::size_t count = 0;
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(table.sum(words, rare, count));
    count_numbers(state, 2 * chunk, static_cast<double>(figure_4.batches_per_epoch), 0.0);
}
BENCHMARK(kernel_lognormal_sum);

/// log (1/T) sum e^{x/s^2 - 1/(2s^2)} with the largest taken out, for reference.
void kernel_log_sum_exp(benchmark::State& state) {
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> x(chunk);
    for (double& coordinate : x) coordinate = 0.32 * stream.normal();
    const BallsAndBins mechanism{.noise_multiplier = 0.32,
                                 .batches_per_epoch = static_cast<std::int64_t>(chunk)};
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(privacy_loss(mechanism, LossDirection::removal, x));
    count_numbers(state, chunk, 0.0, 0.0);
}
BENCHMARK(kernel_log_sum_exp);

/// Gaps to weighted sum: four samples a call.
void kernel_order_sum(benchmark::State& state) {
    const OrderSum sum(orders(), figure_4.batches_per_epoch - 1, LossDirection::removal);
    const TailTable table = lognormal_table(figure_4.noise_multiplier, 32);
    RandomStream stream(1, Purpose::test, 0);
    std::vector<double> scratch;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(sum.draw(stream, table, {}, scratch));
    state.SetItemsProcessed(4 * static_cast<std::int64_t>(state.iterations()));
    state.counters["orders_per_sample"] = static_cast<double>(orders().size());
}
BENCHMARK(kernel_order_sum)->Unit(benchmark::kMicrosecond);

// --- samplers, one thread ----------------------------------------------------------------------

void measure_sampler(benchmark::State& state, const MonteCarloPlan& plan) {
    const MonteCarloSampler sampler(plan);
    std::vector<double> sums(number_of_sums(plan));
    std::uint64_t block = 0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.run_block(block++, sums);
        benchmark::DoNotOptimize(sums.data());
    }
    state.SetItemsProcessed(trials_per_block(plan) * static_cast<std::int64_t>(state.iterations()));
    state.counters["trials_per_block"] = static_cast<double>(trials_per_block(plan));
}

void monte_carlo_samples(benchmark::State& state, LossDirection direction, SamplingMethod method,
                         std::vector<std::int64_t> list) {
    measure_sampler(state, {.mechanism = figure_4,
                            .direction = direction,
                            .epsilons = {2.0},
                            .method = method,
                            .orders = std::move(list)});
}
BENCHMARK_CAPTURE(monte_carlo_samples, plain_remove, LossDirection::removal, SamplingMethod::plain,
                  {})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, plain_add, LossDirection::addition, SamplingMethod::plain,
                  {})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, importance_remove, LossDirection::removal,
                  SamplingMethod::importance, {})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, conditional_remove, LossDirection::removal,
                  SamplingMethod::conditional, {})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, conditional_add, LossDirection::addition,
                  SamplingMethod::conditional, {})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, order_statistics_remove, LossDirection::removal,
                  SamplingMethod::order_statistics, orders())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, order_statistics_add, LossDirection::addition,
                  SamplingMethod::order_statistics, orders())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(monte_carlo_samples, both_remove, LossDirection::removal,
                  SamplingMethod::importance_and_order_statistics, orders())
    ->Unit(benchmark::kMillisecond);

/// A curve from shared samples.
void monte_carlo_curve_of_40(benchmark::State& state) {
    MonteCarloPlan plan;
    plan.mechanism = figure_4;
    plan.method = SamplingMethod::order_statistics;
    plan.orders = orders();
    for (int i = 0; i < 40; ++i) plan.epsilons.push_back(0.25 * i);
    measure_sampler(state, plan);
}
BENCHMARK(monte_carlo_curve_of_40)->Unit(benchmark::kMillisecond);

void monte_carlo_set_up(benchmark::State& state) {
    const MonteCarloPlan plan{.mechanism = figure_4,
                              .epsilons = {2.0},
                              .method = SamplingMethod::order_statistics,
                              .orders = orders()};
    for ([[maybe_unused]] auto _ : state) {
        const MonteCarloSampler sampler(plan);
        benchmark::DoNotOptimize(&sampler);
    }
}
BENCHMARK(monte_carlo_set_up)->Unit(benchmark::kMillisecond);

void conditional_samples(benchmark::State& state, LossDirection direction) {
    const ConditionalSampler sampler(
        {.mechanism = figure_4, .direction = direction, .epsilons = {0.25}, .seed = 1});
    std::vector<double> sums(sampler.number_of_sums());
    std::uint64_t block = 0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.run_block(block++, sums);
        benchmark::DoNotOptimize(sums.data());
    }
    state.SetItemsProcessed(sampler.trials_per_block() *
                            static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK_CAPTURE(conditional_samples, remove, LossDirection::removal)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(conditional_samples, add, LossDirection::addition)->Unit(benchmark::kMillisecond);

// --- closed forms ------------------------------------------------------------------------------

void largest_coordinate_lower_bound(benchmark::State& state) {
    measure_curve(state,
                  [] { return std::vector<Enclosure>{largest_coordinate_delta(figure_4, 2.0)}; });
}
BENCHMARK(largest_coordinate_lower_bound)->Unit(benchmark::kMicrosecond);

void integer_order(benchmark::State& state) {
    const auto order = static_cast<int>(state.range(0));
    measure_curve(state, [&] {
        return std::vector<Enclosure>{balls_and_bins_integer_order_rdp(figure_4, order)};
    });
}
BENCHMARK(integer_order)->Arg(2)->Arg(32)->Arg(256)->Unit(benchmark::kMicrosecond);

void kl_confidence(benchmark::State& state) {
    measure_curve(state,
                  [] { return std::vector<Enclosure>{kl_upper_confidence(1e-3, 100'000, 1e-3)}; });
}
BENCHMARK(kl_confidence)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace assay::bench
