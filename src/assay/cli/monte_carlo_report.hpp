#pragma once
#include <span>
#include <string>

#include "assay/cli/monte_carlo_input.hpp"

namespace assay::cli {

/// The result of a run from its sums, as a table for a reader or as JSON with every bit. It depends
/// on the run alone: not on threads, ranks, shards or time.
[[nodiscard]] std::string monte_carlo_report(const MonteCarloInput& input,
                                             std::span<const double> sums, bool json);

}  // namespace assay::cli
