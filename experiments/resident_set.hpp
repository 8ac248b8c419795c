#pragma once
#include <cstdint>
#include <optional>

namespace assay::experiments {

/// Forgets how large the resident set of this process has been (Linux, /proc/self/clear_refs).
void reset_peak_resident_set();

/// How large it has been since, in bytes: whatever else runs in the process is in it. Nothing where
/// the system does not tell.
[[nodiscard]] std::optional<std::int64_t> peak_resident_set();

}  // namespace assay::experiments
