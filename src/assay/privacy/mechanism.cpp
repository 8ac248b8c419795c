#include "assay/privacy/mechanism.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_batches = 1'000'000'000'000;

void require_noise(double noise_multiplier) {
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "noise-multiplier",
            noise_multiplier, "a positive finite number");
}

void require_probability(double q) {
    require(q >= 0.0 && q < 1.0, "sampling-probability", q, "0 <= q < 1");
}

struct Name {
    std::string_view operator()(const Gaussian&) const { return "none"; }
    std::string_view operator()(const SampledGaussian&) const { return "poisson"; }
    std::string_view operator()(const TruncatedPoissonGaussian&) const {
        return "poisson-truncated";
    }
    std::string_view operator()(const FixedSizeGaussian&) const {
        return "fixed-size-without-replacement";
    }
    std::string_view operator()(const FixedSizeWithReplacementGaussian&) const {
        return "fixed-size-with-replacement";
    }
    std::string_view operator()(const BallsAndBins&) const { return "balls-and-bins"; }
    std::string_view operator()(const RandomAllocation&) const { return "random-allocation"; }
    std::string_view operator()(const Shuffled&) const { return "shuffle"; }
    std::string_view operator()(const DeterministicBatches&) const { return "deterministic"; }
};

struct Description {
    std::string operator()(const Gaussian& m) const { return "Gaussian mechanism" + noise(m); }
    std::string operator()(const SampledGaussian& m) const {
        return fmt::format("Poisson sampling{}, sampling probability {}", noise(m),
                           m.sampling_probability);
    }
    std::string operator()(const TruncatedPoissonGaussian& m) const {
        return fmt::format(
            "Poisson sampling cut at {} records{}, expected batch size {}, data set size {}",
            m.maximum_batch_size, noise(m), m.batch_size, m.dataset_size);
    }
    std::string operator()(const FixedSizeGaussian& m) const {
        return fmt::format("fixed-size sampling without replacement{}, sampling probability {}",
                           noise(m), m.sampling_probability);
    }
    std::string operator()(const FixedSizeWithReplacementGaussian& m) const {
        return fmt::format(
            "fixed-size sampling with replacement{}, batch size {}, data set size {}", noise(m),
            m.batch_size, m.dataset_size);
    }
    std::string operator()(const RandomAllocation& m) const {
        return fmt::format(
            "random-allocation batches{}, {} batches in an epoch, each record in {} of them",
            noise(m), m.batches_per_epoch, m.allocations);
    }
    std::string operator()(const EpochSampler auto& m) const {
        return fmt::format("{} batches{}, {} batches in an epoch", Name{}(m), noise(m),
                           m.batches_per_epoch);
    }

    /// 0 is one that is looked for.
    static std::string noise(const auto& m) {
        return m.noise_multiplier == 0.0 ? ", noise multiplier open"
                                         : fmt::format(", noise multiplier {}", m.noise_multiplier);
    }
};

void require_sizes(const auto& m) {
    require_noise(m.noise_multiplier);
    if (m.batch_size < 1)
        throw DomainError("batch-size", fmt::format("{}", m.batch_size), "at least 1");
    if (m.dataset_size <= m.batch_size)
        throw DomainError("dataset-size", fmt::format("{}", m.dataset_size),
                          fmt::format("more than the batch size {}", m.batch_size));
}

struct Validation {
    void operator()(const Gaussian& m) const { require_noise(m.noise_multiplier); }
    void operator()(const SampledGaussian& m) const {
        require_noise(m.noise_multiplier);
        require_probability(m.sampling_probability);
    }
    void operator()(const FixedSizeGaussian& m) const {
        require_noise(m.noise_multiplier);
        require_probability(m.sampling_probability);
    }
    void operator()(const FixedSizeWithReplacementGaussian& m) const { require_sizes(m); }
    void operator()(const TruncatedPoissonGaussian& m) const {
        require_sizes(m);
        if (m.maximum_batch_size < m.batch_size)
            throw DomainError("maximum-batch-size", fmt::format("{}", m.maximum_batch_size),
                              fmt::format("at least the batch size {}", m.batch_size));
    }
    void operator()(const EpochSampler auto& m) const {
        require_noise(m.noise_multiplier);
        if (m.batches_per_epoch < 1 || m.batches_per_epoch > most_batches)
            throw DomainError("batches-per-epoch", fmt::format("{}", m.batches_per_epoch),
                              "1 .. 10^12");
        if constexpr (requires { m.allocations; })
            if (m.allocations < 1 || m.allocations > m.batches_per_epoch)
                throw DomainError("allocations", fmt::format("{}", m.allocations),
                                  fmt::format("1 .. {}, the batches", m.batches_per_epoch));
    }
};

bool is_covered(const Mechanism& mechanism, Adjacency adjacency) {
    return !is_epoch_sampler(mechanism) || adjacency == Adjacency::zero_out;
}

}  // namespace

bool is_epoch_sampler(const Mechanism& mechanism) {
    return std::visit([]<class Sampler>(const Sampler&) { return EpochSampler<Sampler>; },
                      mechanism);
}

double noise_multiplier(const Mechanism& mechanism) {
    return std::visit([](const auto& sampler) { return sampler.noise_multiplier; }, mechanism);
}

void set_noise_multiplier(Mechanism& mechanism, double noise_multiplier) {
    std::visit([=](auto& sampler) { sampler.noise_multiplier = noise_multiplier; }, mechanism);
}

std::string_view sampling_name(const Mechanism& mechanism) {
    return std::visit(Name{}, mechanism);
}

std::string describe(const Mechanism& mechanism) {
    return std::visit(Description{}, mechanism);
}

std::string describe(std::span<const Phase> phases, Adjacency adjacency) {
    std::string text;
    for (const Phase& phase : phases)
        text += fmt::format("{} x {}; ", phase.repetitions, describe(phase.mechanism));
    return text + std::string(to_string(adjacency));
}

void validate(const Mechanism& mechanism) {
    std::visit(Validation{}, mechanism);
}

void require_theorem(const Mechanism& mechanism, Adjacency adjacency) {
    if (!is_covered(mechanism, adjacency))
        throw UnsupportedMechanism(fmt::format(
            "adjacency = {} is not admitted: no theorem covers sampling = {} under it, zero-out "
            "alone",
            to_string(adjacency), sampling_name(mechanism)));
}

}  // namespace assay
