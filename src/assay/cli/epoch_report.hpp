#pragma once
#include <optional>
#include <string>

#include "assay/cli/commands.hpp"
#include "assay/cli/privacy_input.hpp"

namespace assay::cli {

/// True when any phase names a sampler whose batches of one epoch depend on each other.
[[nodiscard]] bool has_epoch_sampling(const PrivacyOptions& options);

/// Answers `assay epsilon` (given: delta) or `assay delta` (given: epsilon) then.
///   tolerance  of the gap between the sides of delta, relative; a number given that cannot be
///              reached is refused
///   Throws     Error, DomainError, UnsupportedMechanism: one line each
void report_epoch(std::string_view wanted, double given, const PrivacyOptions& options,
                  const std::optional<std::string>& tolerance, Streams& streams);

}  // namespace assay::cli
