#pragma once
#include <CLI/CLI.hpp>

namespace assay::verify {

/// Adds `tables`: writes the certified tables, or with --check compares them with what the oracles
/// say; sets result to 1 when they differ.
void add_tables_command(CLI::App& app, int& result);

}  // namespace assay::verify
