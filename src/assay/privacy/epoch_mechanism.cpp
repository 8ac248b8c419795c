#include "assay/privacy/epoch_mechanism.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_steps = 1'000'000'000'000;

struct Name {
    std::string_view operator()(const BallsAndBins&) const { return "balls-and-bins"; }
    std::string_view operator()(const Shuffled&) const { return "shuffle"; }
    std::string_view operator()(const DeterministicBatches&) const { return "deterministic"; }
};

}  // namespace

std::string_view sampling_name(const EpochMechanism& mechanism) {
    return std::visit(Name{}, mechanism);
}

std::string describe(const EpochMechanism& mechanism) {
    return std::visit(
        [&](const auto& m) {
            return fmt::format("{} batches, noise multiplier {}, {} steps in an epoch",
                               sampling_name(mechanism), m.noise_multiplier, m.steps);
        },
        mechanism);
}

void validate(const EpochMechanism& mechanism) {
    std::visit(
        [](const auto& m) {
            require(m.noise_multiplier > 0.0 && std::isfinite(m.noise_multiplier),
                    "noise-multiplier", m.noise_multiplier, "a positive finite number");
            if (m.steps < 1 || m.steps > most_steps)
                throw DomainError("steps", fmt::format("{}", m.steps),
                                  fmt::format("1 .. {}", most_steps));
        },
        mechanism);
}

void require_theorem(const EpochMechanism& mechanism, Adjacency adjacency) {
    if (adjacency != Adjacency::zero_out)
        throw UnsupportedMechanism(fmt::format(
            "adjacency = {} is not admitted: sampling = {} has a theorem under zero-out only",
            to_string(adjacency), sampling_name(mechanism)));
}

}  // namespace assay
