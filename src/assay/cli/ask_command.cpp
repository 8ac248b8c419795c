#include <CLI/CLI.hpp>

#include "assay/cli/ask.hpp"
#include "assay/cli/commands.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    "Answers whole questions about releases: JSON Lines in, JSON Lines out.\n\n"
    "Examples:\n"
    "  assay ask < questions.jsonl > answers.jsonl\n"
    "  echo '{\"id\": 1, \"ask\": \"epsilon\", \"delta\": 1e-5, \"release\":\n"
    "    {\"adjacency\": \"add-remove\", \"phases\": [{\"sampling\": \"poisson\",\n"
    "    \"noise_multiplier\": 1, \"sampling_probability\": 0.01, \"steps\": 1000}]}}' |\n"
    "    tr -d '\\n' | assay ask\n"
    "  ... \"ask\": \"noise_multiplier\", \"epsilon\": 2, \"delta\": 1e-6, and\n"
    "    \"noise_multiplier\": null in the phases that are to get it\n\n"
    "Questions: epsilon (given delta), delta (given epsilon), advantage,\n"
    "noise_multiplier (given epsilon and delta). A question that cannot be answered\n"
    "gets an \"error\" with its kind; the exit status is 2 when a line was no JSON.\n";

}  // namespace

void add_ask_command(CLI::App& program, Streams& streams, int& exit_code) {
    CLI::App* command =
        program.add_subcommand("ask", "whole questions about releases, JSON Lines in and out");
    command->description(help);
    command->callback(
        [&streams, &exit_code] { exit_code = run_ask(streams.in, streams.out) ? 0 : 2; });
}

}  // namespace assay::cli
