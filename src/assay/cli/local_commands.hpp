#pragma once
#include "assay/cli/commands.hpp"

namespace assay::cli {

/// `assay ldp` with its commands: frequencies of categories under local differential privacy.
void add_ldp_command(CLI::App& program, Streams& streams, int& exit_code);

// Its commands, each added to `ldp`.
void add_ldp_audit_command(CLI::App& ldp, Streams& streams, int& exit_code);
void add_ldp_simulate_command(CLI::App& ldp, Streams& streams, int& exit_code);
void add_ldp_estimate_command(CLI::App& ldp, Streams& streams, int& exit_code);

}  // namespace assay::cli
