#pragma once

namespace assay::bench {

/// Runs the registered benchmarks that the options select; returns the exit code. Reports name the
/// commit, the compiler and the processor.
int run_benchmarks(int argc, char** argv);

}  // namespace assay::bench
