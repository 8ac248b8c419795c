#include <CLI/CLI.hpp>

#include "assay/cli/ask.hpp"
#include "assay/cli/commands.hpp"

namespace assay::cli {

namespace ask_command {

constexpr const char* help =
    R"(Answers whole questions about releases: JSON Lines in and out.

Examples:
  assay ask < questions.jsonl > answers.jsonl
  echo '{"id": 1, "ask": "epsilon", "delta": 1e-5, "release":
    {"adjacency": "add-remove", "phases": [{"sampling": "poisson",
    "steps": 1000, "noise_multiplier": 1, "sampling_probability": 0.01}]}}' |
    tr -d '\n' | assay ask
  echo '{"ask": "noise_multiplier", "epsilon": 2, "delta": 1e-6, "release":
    {"adjacency": "zero-out", "phases": [{"sampling": "none", "steps": 3,
    "noise_multiplier": null}]}}' | tr -d '\n' | assay ask

Questions about a release: epsilon (given delta), delta (given epsilon),
type_two_error (given type_one_error), true_positive_rate (given
false_positive_rate), advantage, gaussian_mu. For the one member that is null:
noise_multiplier, steps, epochs, sampling_probability or batch_size, given a
target: epsilon and delta, the two rates, mu, or advantage. A question that
cannot be answered gets an "error" with its kind; the exit code is 2 when a line
was no JSON, 3 when bounds contradict each other.

Members that may be left out, with what stands for them then:
  "effort"          "quick", "normal" or "thorough" ("normal")
  "relative_gap"    (upper - lower) / upper that is asked for (that of the
                    effort); "tolerance" is the same
  "standing"        "any" theorem, or "published" ones alone ("any")
  "group"           how many records differ, up to 1000000 (1); not for what is
                    looked for
  "accountant"      "rdp" or "pld" alone, for epsilon, delta and advantage of
                    one record (the best of all)
  "smallest_error"  of gaussian_mu, or of a target mu: both errors of the levels
                    that count are at least this (0)
  "id"              any value; it comes back
)";

}  // namespace ask_command

void add_ask_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace ask_command;
    CLI::App* command =
        program.add_subcommand("ask", "whole questions about releases, JSON Lines in and out");
    command->description(help);
    command->callback(
        [&streams, &exit_code] { exit_code = run_ask(streams.in, streams.out, streams.err); });
}

}  // namespace assay::cli
