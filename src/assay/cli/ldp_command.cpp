#include <CLI/CLI.hpp>

#include "assay/cli/local_commands.hpp"

namespace assay::cli {

namespace ldp_command {

constexpr const char* help =
    R"(Estimates frequencies of categories under local differential privacy.

Examples:
  assay ldp audit --categories 20 --epsilon 1 --budget-share 0.9
  assay ldp simulate --categories 10 --epsilon 1 --budget-share 0.9 \
      --users 5000 --rule honest-response --concentration 0.1
  assay ldp estimate responses.csv --categories 10 --epsilon 1 \
      --budget-share 0.9

The mechanisms and rules are those of aydin2024.
`assay ldp COMMAND --help` explains a command.
)";

}  // namespace ldp_command

void add_ldp_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace ldp_command;
    CLI::App* command = program.add_subcommand("ldp", help);
    command->require_subcommand(1);
    add_ldp_audit_command(*command, streams, exit_code);
    add_ldp_simulate_command(*command, streams, exit_code);
    add_ldp_estimate_command(*command, streams, exit_code);
}

}  // namespace assay::cli
