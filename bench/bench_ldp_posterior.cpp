#include <benchmark/benchmark.h>

#include <vector>

#include "assay/ldp/adaptive_estimator.hpp"
#include "assay/ldp/maximum_likelihood.hpp"

namespace assay::bench {
namespace {

constexpr int users_a_category = 500;

AdaptiveSettings paper_settings(int categories, const SubsetRule& rule) {
    AdaptiveSettings settings;
    settings.mechanism = {.categories = categories, .epsilon = 1.0, .budget_share = 0.8};
    settings.rule = rule;
    settings.sampler =
        LangevinSettings{.step = paper_step(std::int64_t{users_a_category} * categories)};
    settings.seed = 1;
    return settings;
}

/// People of K categories whose shares fall by a factor of 2 over and over, as at rho = 0.1.
std::vector<int> people(int categories, int count) {
    RandomStream stream(1, Purpose::population, 0);
    std::vector<int> truths;
    for (int i = 0; i < count; ++i) {
        int truth = 0;
        while (truth + 1 < categories && (stream.bits() & 1U) != 0) ++truth;
        truths.push_back(truth);
    }
    return truths;
}

void collect(AdaptiveEstimator& estimator, const std::vector<int>& truths) {
    RandomStream answers(1, Purpose::local_response, 0);
    for (const int truth : truths)
        estimator.feed(respond(answers, estimator.distribution(), estimator.subset(), truth));
}

/// One run of the paper: T = 500 K users, 20 updates each on subsamples of 50, then 2000.
void paper_run(benchmark::State& state, const SubsetRule& rule) {
    const auto categories = static_cast<int>(state.range(0));
    const std::vector<int> truths = people(categories, users_a_category * categories);
    std::uint32_t sets = 0;
    for ([[maybe_unused]] auto _ : state) {
        AdaptiveEstimator estimator(paper_settings(categories, rule));
        collect(estimator, truths);
        benchmark::DoNotOptimize(estimator.estimate(2000, 1000));
        sets = estimator.history().sets();
    }
    state.counters["distinct_sets"] = sets;
}
BENCHMARK_CAPTURE(paper_run, honest_response, ByUtility{Utility::honest_response})
    ->Arg(10)
    ->Arg(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_run, non_adaptive, NonAdaptive{})
    ->Arg(10)
    ->Arg(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_run, semi_adaptive, SemiAdaptive{0.9})
    ->Arg(10)
    ->Arg(20)
    ->Unit(benchmark::kMillisecond);

AdaptiveEstimator after_a_run(int categories) {
    AdaptiveEstimator estimator(paper_settings(categories, ByUtility{}));
    collect(estimator, people(categories, users_a_category * categories));
    return estimator;
}

void langevin_update(benchmark::State& state) {
    const auto categories = static_cast<int>(state.range(0));
    const AdaptiveEstimator estimator = after_a_run(categories);
    const std::vector<double> prior(static_cast<std::size_t>(categories), 1.0);
    LangevinSampler sampler(std::get<LangevinSettings>(estimator.settings().sampler),
                            estimator.settings().mechanism, prior);
    RandomStream stream(2, Purpose::langevin, 0);
    constexpr int updates = 1000;
    for ([[maybe_unused]] auto _ : state) sampler.advance(estimator.history(), stream, updates);
    state.SetItemsProcessed(updates * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(langevin_update)->Arg(10)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

void gibbs_sweep(benchmark::State& state) {
    const auto categories = static_cast<int>(state.range(0));
    const AdaptiveEstimator estimator = after_a_run(categories);
    const std::vector<double> prior(static_cast<std::size_t>(categories), 1.0);
    GibbsSampler sampler({}, estimator.settings().mechanism, prior);
    RandomStream stream(2, Purpose::gibbs, 0);
    for ([[maybe_unused]] auto _ : state) sampler.advance(estimator.history(), stream, 1);
    state.counters["distinct_sets"] = estimator.history().sets();
}
BENCHMARK(gibbs_sweep)->Arg(10)->Arg(20)->Arg(100)->Unit(benchmark::kMicrosecond);

void maximum_likelihood_estimate(benchmark::State& state) {
    const AdaptiveEstimator estimator = after_a_run(static_cast<int>(state.range(0)));
    int steps = 0;
    for ([[maybe_unused]] auto _ : state) {
        const MaximumLikelihood found = maximum_likelihood(estimator.history(), 0.01);
        benchmark::DoNotOptimize(found.theta.data());
        steps = found.steps;
    }
    state.counters["steps"] = steps;
}
BENCHMARK(maximum_likelihood_estimate)->Arg(10)->Arg(20)->Unit(benchmark::kMicrosecond);

/// Answers collected elsewhere, at K = 100: to the same set, or to a different one each.
void feed_collected(benchmark::State& state, bool distinct) {
    constexpr int categories = 100;
    constexpr int count = 20'000;
    AdaptiveSettings settings = paper_settings(categories, ByUtility{});
    settings.sampler = GibbsSettings{.updates = 0};
    std::vector<CategorySubset> subsets;
    RandomStream stream(3, Purpose::test, 0);
    std::vector<double> keys(categories);
    for (int i = 0; i < (distinct ? count : 1); ++i) {
        for (double& key : keys) key = stream.uniform();
        subsets.emplace_back(categories);
        subsets.back().rank_by(keys);
        subsets.back().resize(5);
    }
    std::size_t bytes = 0;
    for ([[maybe_unused]] auto _ : state) {
        AdaptiveEstimator estimator(settings);
        for (std::size_t i = 0; i < count; ++i) {
            const CategorySubset& subset = subsets[distinct ? i : 0];
            estimator.feed(subset, subset.outsider(static_cast<int>(i % 95)));
        }
        bytes = estimator.history().bytes();
    }
    state.SetItemsProcessed(count * static_cast<std::int64_t>(state.iterations()));
    state.counters["bytes_an_answer"] = static_cast<double>(bytes) / count;
}
BENCHMARK_CAPTURE(feed_collected, one_set, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(feed_collected, distinct_sets, true)->Unit(benchmark::kMillisecond);

/// Answers to the estimator's own sets at K = 100, 20 updates each.
void feed_stream(benchmark::State& state) {
    constexpr int categories = 100;
    AdaptiveEstimator estimator = after_a_run(categories);
    RandomStream answers(4, Purpose::local_response, 0);
    const std::vector<int> truths = people(categories, 1000);
    for ([[maybe_unused]] auto _ : state)
        for (const int truth : truths)
            estimator.feed(respond(answers, estimator.distribution(), estimator.subset(), truth));
    state.SetItemsProcessed(1000 * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(feed_stream)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::bench
