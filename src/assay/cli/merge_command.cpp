#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "assay/cli/monte_carlo_command.hpp"
#include "assay/cli/monte_carlo_input.hpp"
#include "assay/cli/monte_carlo_report.hpp"
#include "assay/monte_carlo/checkpoint.hpp"

namespace assay::cli {

namespace merge_command {

constexpr const char* help =
    R"(Joins the shards of a Monte Carlo run.

Examples:
  assay merge shard-1 shard-2 shard-3
  assay merge shard-*
  assay merge --json results/shard-* > result.json

Prints the result of the run from the files of its shards (assay monte-carlo
--shard i/n --out FILE), the same bits as one run. Shards that are missing,
overlap or are of another run are refused.
)";

struct Options {
    std::vector<std::filesystem::path> files;
    bool json = false;
};

void run(const Options& options, Streams& streams) {
    const Checkpoint merged = merge_checkpoints(options.files);
    const MonteCarloInput input = read_monte_carlo(merged.identity);
    require_same_run(options.files.front(), merged, input.empty_run());
    streams.out << monte_carlo_report(input, add_groups(merged.shape, merged.groups), options.json);
}

}  // namespace merge_command

void add_merge_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace merge_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("merge", help);
    command->add_option("SHARDS", options->files, "files of the shards of one run, in any order")
        ->type_name("FILE")
        ->required();
    command->add_flag("--json", options->json, "JSON instead of a table")->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
