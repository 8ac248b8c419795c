#include "assay/privacy/mechanism.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

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
    std::string_view operator()(const FixedSizeGaussian&) const {
        return "fixed-size-without-replacement";
    }
    std::string_view operator()(const FixedSizeWithReplacementGaussian&) const {
        return "fixed-size-with-replacement";
    }
};

struct Description {
    std::string operator()(const Gaussian& m) const {
        return fmt::format("Gaussian mechanism, noise multiplier {}", m.noise_multiplier);
    }
    std::string operator()(const SampledGaussian& m) const {
        return fmt::format("Poisson sampling, noise multiplier {}, sampling probability {}",
                           m.noise_multiplier, m.sampling_probability);
    }
    std::string operator()(const FixedSizeGaussian& m) const {
        return fmt::format(
            "fixed-size sampling without replacement, noise multiplier {}, sampling probability {}",
            m.noise_multiplier, m.sampling_probability);
    }
    std::string operator()(const FixedSizeWithReplacementGaussian& m) const {
        return fmt::format(
            "fixed-size sampling with replacement, noise multiplier {}, batch size {}, data set "
            "size {}",
            m.noise_multiplier, m.batch_size, m.dataset_size);
    }
};

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
    void operator()(const FixedSizeWithReplacementGaussian& m) const {
        require_noise(m.noise_multiplier);
        if (m.batch_size < 1)
            throw DomainError("batch-size", fmt::format("{}", m.batch_size), "at least 1");
        if (m.dataset_size <= m.batch_size)
            throw DomainError("dataset-size", fmt::format("{}", m.dataset_size),
                              fmt::format("more than the batch size {}", m.batch_size));
    }
};

}  // namespace

std::string_view sampling_name(const Mechanism& mechanism) {
    return std::visit(Name{}, mechanism);
}

std::string describe(const Mechanism& mechanism) {
    return std::visit(Description{}, mechanism);
}

std::string describe(std::span<const Phase> phases, Adjacency adjacency) {
    std::string text;
    for (const Phase& phase : phases)
        text += fmt::format("{} x {}; ", phase.steps, describe(phase.mechanism));
    return text + std::string(to_string(adjacency));
}

void validate(const Mechanism& mechanism) {
    std::visit(Validation{}, mechanism);
}

}  // namespace assay
