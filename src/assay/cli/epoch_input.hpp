#pragma once
#include <cstdint>
#include <string_view>

#include "assay/cli/phase_input.hpp"
#include "assay/privacy/epoch_mechanism.hpp"

namespace assay::cli {

inline constexpr std::string_view epoch_samplings = "balls-and-bins, shuffle or deterministic";

/// Epochs of a sampler whose batches of one epoch depend on each other.
struct EpochInput {
    EpochMechanism mechanism;
    std::int64_t epochs = 1;

    /// One line: the mechanism and how often.
    [[nodiscard]] std::string description() const;
    [[nodiscard]] Json to_json() const;
};

/// True when the fields name such a sampler.
[[nodiscard]] bool is_epoch_sampling(const PhaseFields& fields);

/// Reads fields for which is_epoch_sampling holds.
///   Throws     Error, DomainError: one line each; UnsupportedMechanism unless zero-out
[[nodiscard]] EpochInput read_epoch(const PhaseFields& fields, Adjacency adjacency);

}  // namespace assay::cli
