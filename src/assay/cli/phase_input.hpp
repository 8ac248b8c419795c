#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/cli/json_number.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay::cli {

inline constexpr std::array<std::string_view, 10> phase_keys{
    "sampling", "noise-multiplier",  "batch-size",  "dataset-size",       "sampling-probability",
    "steps",    "batches-per-epoch", "allocations", "maximum-batch-size", "epochs"};

inline constexpr std::string_view admitted_samplings =
    "poisson, poisson-truncated, fixed-size-without-replacement, fixed-size-with-replacement, "
    "none, balls-and-bins, "
    "random-allocation, shuffle or deterministic";

/// A phase, checked, with what a reader is told about it.
struct PhaseInput {
    Phase phase;
    std::optional<std::int64_t> batch_size;
    std::optional<std::int64_t> dataset_size;
    std::optional<double> epochs;  // of a step sampler, where the steps follow from it

    /// One line: the mechanism, the repetitions, and how they follow from what was given.
    [[nodiscard]] std::string description() const;
    [[nodiscard]] Json to_json() const;

    /// q = |B|/|D|, rounded to a double.
    [[nodiscard]] bool has_rounded_probability() const;
};

/// Reads one phase. A step sampler without steps and epochs takes `default_steps`, or is refused;
/// an epoch sampler without epochs takes one.
///   Throws     Error, DomainError: one line each
[[nodiscard]] PhaseInput read_phase(const Fields& fields,
                                    std::optional<std::int64_t> default_steps);

/// "sampling=poisson,noise-multiplier=2,..." as fields.
[[nodiscard]] Fields phase_fields(std::string_view text);

}  // namespace assay::cli
