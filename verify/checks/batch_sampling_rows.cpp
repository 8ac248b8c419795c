#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/checks/batch_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/batch_distributions.hpp"
#include "verify/rows.hpp"

// The samplers against the exact distributions of their batches.

namespace assay::verify {

namespace {

BatchSampling sampling_at(const Point& p, SamplingScheme scheme) {
    BatchSampling sampling{.scheme = scheme,
                           .dataset_size = p.integer("n"),
                           .batch_size = p.integer("b"),
                           .seed = static_cast<std::uint64_t>(p.integer("seed"))};
    if (p.has("B")) sampling.maximum_batch_size = p.integer("B");
    return sampling;
}

/// Throws unless the batch is padded to its maximum.
void require_padding(const Batch& batch, const Point& p) {
    const long filled = static_cast<long>(batch.indices.size()) + batch.padding;
    if (p.has("B") ? filled != p.integer("B") : batch.padding != 0)
        throw Error(
            fmt::format("{} examples and {} of padding", batch.indices.size(), batch.padding));
}

long steps_at(const Point& p) {
    return (p.integer("n") + p.integer("b") - 1) / p.integer("b");
}

/// Draws the steps `first`, first + every, ..
auto drawer(auto sampler, const Point& p, std::int64_t first, std::int64_t every) {
    return [=](std::int64_t trial, Batch& batch) {
        sampler->draw(first + trial * every, batch);
        require_padding(batch, p);
    };
}

/// Every step by itself: trials are steps in a row.
auto each_step(SamplingScheme scheme) {
    return [scheme](const Point& p) -> std::function<void(std::int64_t, Batch&)> {
        return drawer(std::make_shared<BatchSampler>(sampling_at(p, scheme)), p, p.integer("t"), 1);
    };
}

/// One batch of an epoch: trials are epochs in a row.
template <class Batches, class... More>
auto each_epoch(SamplingScheme scheme, More... more) {
    return [=](const Point& p) -> std::function<void(std::int64_t, Batch&)> {
        return drawer(std::make_shared<Batches>(sampling_at(p, scheme), more...), p,
                      p.integer("t") % steps_at(p), steps_at(p));
    };
}

std::vector<Interval> cut_at(const Point& p, const std::vector<Interval>& sizes) {
    return p.has("B") ? cut_sizes(sizes, p.integer("B")) : sizes;
}

std::vector<Interval> poisson_members(const Point& p, long m) {
    return members_of_subset(
        cut_at(p, binomial_sizes({p.integer("n"), p["b"], p["n"]}, distribution_precision)), m);
}

std::vector<Interval> fixed_members(const Point& p, long m) {
    return members_of_subset(constant_size(p.integer("n"), p.integer("b"), distribution_precision),
                             m);
}

std::vector<Interval> drawn_members(const Point& p, long m) {
    return members_of_draws(p.integer("n"), p.integer("b"), m, distribution_precision);
}

/// Batch t of an epoch holds the places floor(t n / T) .. floor((t+1) n / T) - 1.
std::vector<Interval> shuffled_members(const Point& p, long m) {
    const long n = p.integer("n");
    const long T = steps_at(p);
    const long t = p.integer("t") % T;
    return members_of_subset(constant_size(n, (t + 1) * n / T - t * n / T, distribution_precision),
                             m);
}

std::vector<Interval> bin_members(const Point& p, long m) {
    const auto T = static_cast<double>(steps_at(p));
    return members_of_subset(
        cut_at(p, binomial_sizes({p.integer("n"), 1.0, T}, distribution_precision)), m);
}

/// All of 0 .. n-1, cut.
std::function<void(std::int64_t, Batch&)> whole_data(const Point& p) {
    return [p](std::int64_t trial, Batch& batch) {
        batch.indices.resize(static_cast<std::size_t>(p.integer("n")));
        std::iota(batch.indices.begin(), batch.indices.end(), 0U);
        fit_to_maximum(batch, p.integer("B"), static_cast<std::uint64_t>(p.integer("seed")), trial);
        require_padding(batch, p);
    };
}

std::vector<Interval> cut_members(const Point& p, long m) {
    return members_of_subset(constant_size(p.integer("n"), p.integer("B"), distribution_precision),
                             m);
}

std::vector<SamplerFixture> fixtures() {
    using enum SamplingScheme;
    return {{"poisson", each_step(poisson), poisson_members},
            {"fixed_size_without_replacement", each_step(fixed_size_without_replacement),
             fixed_members},
            {"fixed_size_with_replacement", each_step(fixed_size_with_replacement), drawn_members},
            {"shuffle", each_epoch<ShuffledBatches>(shuffle), shuffled_members},
            {"balls_and_bins", each_epoch<BallsAndBinsBatches>(balls_and_bins), bin_members},
            {"balls_and_bins_by_sizes",
             each_epoch<BallsAndBinsBatches>(balls_and_bins, BinMethod::conditional_sizes),
             bin_members}};
}

std::vector<SamplerFixture> cut_fixtures() {
    using enum SamplingScheme;
    return {{"cut_poisson", each_step(poisson), poisson_members},
            {"cut_balls_and_bins", each_epoch<BallsAndBinsBatches>(balls_and_bins), bin_members},
            {"cut_whole_data", whole_data, cut_members}};
}

void add_law_rows(const SamplerFixture& fixture, bool cut, std::vector<Check>& rows) {
    rows.push_back(events_row(
        fmt::format("batches.{}.law", fixture.name),
        "every example, every pair and the first m examples (m = n: the size) are in a batch as "
        "often as the distribution says",
        batches_space(12.0, cut), 8, 60,
        [=](const Point& p) { return member_events(fixture, p); }));
    rows.push_back(
        events_row(fmt::format("batches.{}.independent", fixture.name),
                   "an example in a batch and one in the next batch (of the next epoch, where "
                   "epochs have a distribution) are independent",
                   batches_space(12.0, cut), 3, 60,
                   [=](const Point& p) { return successive_events(fixture, p); }));
}

std::vector<Check> exact_distribution_rows() {
    std::vector<Check> rows;
    for (const SamplerFixture& fixture : fixtures()) add_law_rows(fixture, false, rows);
    for (const SamplerFixture& fixture : cut_fixtures()) add_law_rows(fixture, true, rows);
    return rows;
}

// ---- large data ----------------------------------------------------------------------------

Space large_space() {
    return {{count_dimension("n", 1, 300'000, {1, 2, 65'536, 65'537}),
             count_dimension("b", 1, 3000, {1, 2, 1024}),
             {"step", Scale::linear, 0, 1e6, true, {0}},
             {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
            [](const Point& p) { return p["b"] <= p["n"] && p["n"] <= 2000.0 * p["b"]; }};
}

/// Examples that are not in exactly one batch of an epoch.
double misplaced(const Point& p, auto sampler) {
    std::vector<int> copies(static_cast<std::size_t>(p.integer("n")), 0);
    const std::int64_t T = sampler.batches_per_epoch();
    const std::int64_t first = p.integer("step") / T * T;
    Batch batch;
    for (std::int64_t t = 0; t < T; ++t) {
        sampler.draw(first + t, batch);
        for (const std::uint32_t i : batch.indices) ++copies.at(i);
    }
    return static_cast<double>(
        std::count_if(copies.begin(), copies.end(), [](int count) { return count != 1; }));
}

/// Examples of a batch that are in it already.
double repeated(const Point& p, SamplingScheme scheme) {
    Batch batch;
    BatchSampler(sampling_at(p, scheme)).draw(p.integer("step"), batch);
    std::vector<bool> seen(static_cast<std::size_t>(p.integer("n")), false);
    double repeats = 0.0;
    for (const std::uint32_t i : batch.indices) {
        repeats += seen.at(i) ? 1.0 : 0.0;
        seen[i] = true;
    }
    if (scheme == SamplingScheme::fixed_size_without_replacement)
        repeats += std::abs(static_cast<double>(batch.indices.size()) - p["b"]);
    return repeats;
}

std::vector<Check> structure_rows() {
    using enum SamplingScheme;
    const auto row = [](const char* name, const char* claim, auto count) {
        return limit_row(fmt::format("batches.{}", name), claim, "0", large_space(), 20, 200, 0.0,
                         count);
    };
    const char* partition = "every example is in exactly one batch of an epoch";
    const char* distinct = "no example is twice in a batch, and none is beyond the data";
    return {
        row("deterministic.partition", partition,
            [](const Point& p) {
                return misplaced(p, OrderedBatches(sampling_at(p, deterministic)));
            }),
        row("shuffle.partition", partition,
            [](const Point& p) { return misplaced(p, ShuffledBatches(sampling_at(p, shuffle))); }),
        row("balls_and_bins.partition", partition,
            [](const Point& p) {
                return misplaced(p, BallsAndBinsBatches(sampling_at(p, balls_and_bins)));
            }),
        row("balls_and_bins_by_sizes.partition", partition,
            [](const Point& p) {
                return misplaced(p, BallsAndBinsBatches(sampling_at(p, balls_and_bins),
                                                        BinMethod::conditional_sizes));
            }),
        row("poisson.distinct", distinct, [](const Point& p) { return repeated(p, poisson); }),
        row("fixed_size_without_replacement.distinct", distinct,
            [](const Point& p) { return repeated(p, fixed_size_without_replacement); })};
}

/// Batches above a size near the mean, against the exact tail.
Check large_sizes_row() {
    Space space{{count_dimension("n", 1000, 1e9, {37'000'000, 46'000'000}),
                 count_dimension("b", 1, 300, {1, 30, 128}),
                 {"z", Scale::linear, -2.0, 4.0, false, {0.0, 2.0}},
                 {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                {}};
    return events_row(
        "batches.poisson.large_data", "poisson: |B| > b + z sqrt(b) as often as Bin(n, q) says",
        std::move(space), 6, 60, [](const Point& p) {
            constexpr std::int64_t trials = 5000;
            BatchSampler sampler(sampling_at(p, SamplingScheme::poisson));
            const auto threshold =
                static_cast<long>(std::max(0.0, p["b"] + p["z"] * std::sqrt(p["b"])));
            Batch batch;
            long above = 0;
            for (std::int64_t step = 0; step < trials; ++step) {
                sampler.draw(step, batch);
                above += static_cast<long>(batch.indices.size()) > threshold ? 1 : 0;
            }
            Events events;
            events.add(
                static_cast<double>(above), static_cast<double>(trials),
                binomial_tail({p.integer("n"), p["b"], p["n"]}, threshold, distribution_precision));
            return events;
        });
}

}  // namespace

std::vector<Check> batch_sampling_rows() {
    std::vector<Check> rows = joined({exact_distribution_rows, structure_rows});
    rows.push_back(large_sizes_row());
    return rows;
}

}  // namespace assay::verify
