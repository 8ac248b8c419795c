#pragma once
#include <string>

#include "verify/conformance/conformance.hpp"

namespace assay::verify {

/// One HTML page that needs no other file: what was asked, the matrix of verdicts, the worst
/// answers with a command that repeats each, error factors beside the certified gap, times,
/// changes.
[[nodiscard]] std::string conformance_page(const ConformanceRun& run,
                                           const ConformanceOptions& options);

}  // namespace assay::verify
