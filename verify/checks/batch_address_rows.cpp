#include <algorithm>
#include <cmath>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/batch_sampling/random_groups.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// What a step of a sampler is decided by, and what the accountant is told of the sampler.

namespace assay::verify {

namespace {

constexpr int schemes = 6;

BatchSampling sampling_at(const Point& p) {
    return {.scheme = static_cast<SamplingScheme>(p.integer("scheme")),
            .dataset_size = p.integer("n"),
            .batch_size = p.integer("b"),
            .seed = static_cast<std::uint64_t>(p.integer("seed"))};
}

Space samplers_space(double most) {
    return {{{"scheme", Scale::linear, 0, schemes - 1, true, {0, 1, 2, 3, 4, 5}},
             count_dimension("n", 2, most, {2, 3, 100}),
             count_dimension("b", 1, most, {1, 2, 7}),
             seed_dimension()},
            [](const Point& p) { return p["b"] < p["n"]; }};
}

/// Steps of few epochs in any order, drawn into one batch by one sampler, that differ from those of
/// a new sampler.
double changed_steps(const Point& p) {
    BatchSampler kept(sampling_at(p));
    Batch batch;
    Draws draws = draws_at(p, "steps");
    const auto range = static_cast<std::size_t>(4 * kept.batches_per_epoch());
    double changed = 0.0;
    for (int trial = 0; trial < 30; ++trial) {
        const auto step = static_cast<std::int64_t>(draws.below(range));
        kept.draw(step, batch);
        Batch alone;
        BatchSampler(sampling_at(p)).draw(step, alone);
        changed += batch.indices != alone.indices || batch.padding != alone.padding ? 1.0 : 0.0;
    }
    return changed;
}

// ---- streams of an epoch -------------------------------------------------------------------

/// Addresses of neighbouring epochs, all phases and pieces at their ends, that two of them share.
double shared_addresses(const Point& p) {
    std::vector<std::uint64_t> blocks;
    for (const std::int64_t later : {0, 1, 2, 3, 4, 5, 6, 7, 8, 256})
        for (const EpochPhase phase :
             {EpochPhase::grouping, EpochPhase::within_groups, EpochPhase::sizes})
            for (const std::int64_t piece :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{63}, std::int64_t{4095},
                  std::int64_t{65'535}, static_cast<std::int64_t>(p.integer("piece"))})
                blocks.push_back(epoch_block(p.integer("epoch") + later, phase,
                                             static_cast<std::uint64_t>(piece)));
    std::ranges::sort(blocks);
    const auto distinct = std::ranges::unique(blocks);
    return static_cast<double>(distinct.size());
}

// ---- what the accountant is told -----------------------------------------------------------

/// Parameters of the mechanism that are not those of the sampler.
struct Differences {
    const BatchSampling& sampling;
    double noise;

    [[nodiscard]] double probability() const {
        return static_cast<double>(sampling.batch_size) /
               static_cast<double>(sampling.dataset_size);
    }
    [[nodiscard]] bool is(SamplingScheme scheme) const { return sampling.scheme == scheme; }
    static double count(std::initializer_list<bool> right) {
        return static_cast<double>(std::ranges::count(right, false));
    }

    double operator()(const auto&) const { return 1.0; }  // no sampler of these rows
    double operator()(const SampledGaussian& m) const {
        return count({is(SamplingScheme::poisson), m.noise_multiplier == noise,
                      m.sampling_probability == probability(),
                      m.sampling_probability == PoissonBatches(sampling).sampling_probability()});
    }
    double operator()(const FixedSizeGaussian& m) const {
        return count({is(SamplingScheme::fixed_size_without_replacement),
                      m.noise_multiplier == noise, m.sampling_probability == probability()});
    }
    double operator()(const FixedSizeWithReplacementGaussian& m) const {
        return count({is(SamplingScheme::fixed_size_with_replacement), m.noise_multiplier == noise,
                      m.batch_size == sampling.batch_size,
                      m.dataset_size == sampling.dataset_size});
    }
    double operator()(const BallsAndBins& m) const {
        return of_epoch(m, SamplingScheme::balls_and_bins);
    }
    double operator()(const Shuffled& m) const { return of_epoch(m, SamplingScheme::shuffle); }
    double operator()(const DeterministicBatches& m) const {
        return of_epoch(m, SamplingScheme::deterministic);
    }
    [[nodiscard]] double of_epoch(const auto& m, SamplingScheme scheme) const {
        const double batches = std::ceil(static_cast<double>(sampling.dataset_size) /
                                         static_cast<double>(sampling.batch_size));
        return count({is(scheme), m.noise_multiplier == noise,
                      static_cast<double>(m.batches_per_epoch) == batches});
    }
};

double released_differences(const Point& p) {
    const BatchSampling sampling = sampling_at(p);
    return std::visit(Differences{sampling, p["sigma"]},
                      BatchSampler(sampling).released(p["sigma"]));
}

}  // namespace

std::vector<Check> batch_address_rows() {
    Space released = samplers_space(1e6);
    released.dimensions.push_back(noise_dimension("sigma", 0.1, 100.0));
    return {limit_row("batches.step_by_itself",
                      "seed and step decide a batch, whatever was drawn before", "a new sampler",
                      samplers_space(100.0), 24, 240, 0.0, changed_steps),
            limit_row("batches.epoch_streams.distinct",
                      "no two epochs, phases and pieces have one stream of random numbers",
                      "0 shared addresses",
                      {{{"epoch", Scale::logarithmic, 1, 1.7e13, true, {1, 2, 3}},
                        count_dimension("piece", 2, 62, {2})},
                       {}},
                      10, 100, 0.0, shared_addresses),
            limit_row("batches.released.meets_sampling",
                      "the mechanism that the accountant is given has the very parameters of the "
                      "sampler: b/n to the last bit, the sizes, ceil(n/b) steps, the noise",
                      "0 different parameters", std::move(released), 24, 240, 0.0,
                      released_differences)};
}

}  // namespace assay::verify
