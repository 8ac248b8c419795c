#pragma once
#include <string_view>

#include "assay/cli/commands.hpp"
#include "assay/monte_carlo/ranks.hpp"

namespace assay::cli {

/// The program `assay`: reads its arguments, runs one command, returns the exit code. Bad input of
/// any kind becomes one line on `streams.err` and code 2.
[[nodiscard]] int run_program(int argc, const char* const* argv, Streams streams);
/// The same with Monte Carlo runs shared by several processes.
[[nodiscard]] int run_program(int argc, const char* const* argv, Streams streams, Ranks& ranks);

/// Every command and option of the program. `program` keeps references to the others.
void add_commands(CLI::App& program, Streams& streams, Ranks& ranks, int& exit_code);
/// What `assay` and `assay help` print.
[[nodiscard]] std::string_view overview();

}  // namespace assay::cli
