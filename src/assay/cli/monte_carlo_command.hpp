#pragma once
#include "assay/cli/commands.hpp"
#include "assay/monte_carlo/ranks.hpp"

namespace assay::cli {

/// `assay monte-carlo`, on the ranks that share the run, and `assay merge` of its shards.
void add_monte_carlo_command(CLI::App& program, Streams& streams, Ranks& ranks, int& exit_code);
void add_merge_command(CLI::App& program, Streams& streams, int& exit_code);

}  // namespace assay::cli
