#pragma once
#include <CLI/CLI.hpp>
#include <atomic>

namespace assay::verify {

/// Adds `conformance`: asks an accountant every test vector and judges its answers; result becomes
/// 1 where one is UNSOUND, 130 where `stop` ended it early.
void add_conformance_command(CLI::App& app, const std::atomic<bool>& stop, int& result);

}  // namespace assay::verify
