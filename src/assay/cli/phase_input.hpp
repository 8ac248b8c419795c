#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "assay/cli/json_number.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay::cli {

/// The fields of one phase as they were written, by the names of the command line's options.
using PhaseFields = std::map<std::string, std::string, std::less<>>;

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
[[nodiscard]] PhaseInput read_phase(const PhaseFields& fields,
                                    std::optional<std::int64_t> default_steps);

/// "sampling=poisson,noise-multiplier=2,..." as fields.
[[nodiscard]] PhaseFields phase_fields(std::string_view text);

/// A finite number from an option's text, inside `admitted`: a decimal or a quotient of two,
/// 1/50000, rounded to the nearest double.
///   Throws     DomainError
[[nodiscard]] double read_option(std::string_view name, const std::string& text,
                                 bool (*is_admitted)(double), std::string_view admitted);
[[nodiscard]] std::int64_t read_integer_option(std::string_view name, const std::string& text,
                                               std::int64_t largest);
/// Of random numbers: any integer of 64 bits without a sign.
[[nodiscard]] std::uint64_t read_seed(const std::string& text);

}  // namespace assay::cli
