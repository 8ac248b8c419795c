#include "assay/cli/monte_carlo_command.hpp"

#include <fmt/format.h>
#include <tbb/info.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "assay/cli/launched_copies.hpp"
#include "assay/cli/monte_carlo_input.hpp"
#include "assay/cli/monte_carlo_interruption.hpp"
#include "assay/cli/monte_carlo_report.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/output_file.hpp"
#include "assay/files/file_lock.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/monte_carlo/run_trials.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace monte_carlo_command {

constexpr const char* help =
    R"(Estimates delta of balls-and-bins sampling under zero-out by simulation.

Examples:
  assay monte-carlo --noise-multiplier 0.4 --batches-per-epoch 36133 \
      --epsilons 0.5,1,2 --method order-statistics \
      --orders 1-500,510-1500:10,1600-19900:100 --samples 1e6
  assay monte-carlo --noise-multiplier 0.4 --batches-per-epoch 5000 \
      --epsilons 8 --method importance --samples 1e6 \
      --checkpoint run.checkpoint --resume --json
  assay monte-carlo --noise-multiplier 0.4 --batches-per-epoch 5000 \
      --epsilons 8 --samples 1e8 --shard 1/60 --out shard-1

Prints the mean, and bounds that hold with the stated confidence: they are
statistical, not certified. The same options give the same bits on any number of
threads, ranks, shards and interruptions; `assay merge` joins shards.
)";

struct Options {
    Fields fields;
    std::optional<std::string> threads;
    std::optional<std::string> checkpoint;
    std::optional<std::string> shard;
    std::optional<std::string> out;
    bool resume = false;
    bool json = false;
};

/// Of each rank: all that this process may use, or one where every rank has its own.
int threads_of(const Options& options, const Ranks& ranks) {
    constexpr std::int64_t most_threads = 4096;
    if (options.threads)
        return static_cast<int>(read_integer_option("threads", *options.threads, most_threads));
    return ranks.count() > 1 ? 1 : tbb::info::default_concurrency();
}

void require_consistent(const Options& options) {
    if (options.shard && !options.out)
        throw Error("out is missing: the file for the sums of the shard, which assay merge reads");
    if (options.out && !options.shard) throw DomainError("out", *options.out, "only with --shard");
    if (options.resume && !options.checkpoint)
        throw Error("checkpoint is missing: the file to resume");
    if (options.out && options.out == options.checkpoint)
        throw DomainError("out", *options.out, "another file than the checkpoint");
}

[[noreturn]] void report_stop(const Options& options, const Checkpoint& run) {
    const std::size_t groups = rank_range(run.shape.groups(), run.part).size();
    if (!options.checkpoint) throw Error("stopped: nothing is kept without --checkpoint FILE");
    throw Error(fmt::format("stopped: {} of {} groups are in {}; go on with --resume",
                            run.groups.size(), groups, *options.checkpoint));
}

/// Refuses to write the shard over anything but the same shard.
void require_own_or_new(const std::string& file, const Checkpoint& run) {
    if (!std::filesystem::exists(file)) return;
    const Checkpoint there = read_checkpoint(file);
    require_same_run(file, there, run);
    require_same_part(file, there, run);
}

/// Copies that know nothing of each other would all draw the same samples: the first of them says
/// so, the others (false) leave quietly. Shards of an array are none of this.
bool is_one_run(const Ranks& ranks) {
    const LaunchedCopies copies = launched_copies();
    if (copies.count <= 1 || ranks.count() > 1) return true;
    if (copies.index == 0)
        throw Error(
            fmt::format("{} copies of this program were started, and each would run everything: "
                        "start assay-mpi, or give each a --shard",
                        copies.count));
    return false;
}

void run(const Options& options, Streams& streams, Ranks& ranks) {
    require_consistent(options);
    const MonteCarloInput input = read_monte_carlo(options.fields);
    Checkpoint run = input.empty_run();
    if (options.shard) run.part = read_part(*options.shard);
    if (options.out) {  // better now than after hours
        require_output_file(*options.out);
        require_own_or_new(*options.out, run);
    }
    if (options.checkpoint) require_output_file(*options.checkpoint);
    std::vector<std::unique_ptr<FileLock>> locks;  // one run at a time writes these
    if (ranks.index() == 0)
        for (const std::optional<std::string>& file : {options.out, options.checkpoint})
            if (file) locks.push_back(std::make_unique<FileLock>(*file));
    RunOptions how{.threads = threads_of(options, ranks), .resume = options.resume};
    if (options.checkpoint) how.checkpoint = *options.checkpoint;

    bool finished = false;
    {
        const Interruption interruption;
        ProgressLine line(streams.err);
        const double samples = input.samples_per_block();
        how.keep_going = [&] { return !interruption.requested(); };
        std::optional<WorkingNotice> notice(std::in_place, streams.err, "sampling the first block");
        how.progress = [&](const Progress& blocks) {
            notice.reset();
            line.show({samples * blocks.done, samples * blocks.total, samples * blocks.before},
                      "samples");
        };
        finished = run_trials(run, input.trials(how.threads), ranks, how);
    }
    if (ranks.index() != 0) return;
    if (!finished) report_stop(options, run);
    if (options.out)
        write_checkpoint(*options.out, run);
    else
        streams.out << monte_carlo_report(input, add_groups(run.shape, run.groups), options.json);
}

}  // namespace monte_carlo_command

void add_monte_carlo_command(CLI::App& program, Streams& streams, Ranks& ranks, int& exit_code) {
    using namespace monte_carlo_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("monte-carlo", help);
    add_monte_carlo_fields(*command, options->fields);
    const auto add = [&](const char* name, std::optional<std::string>& value, const char* type,
                         const char* text) {
        command->add_option(name, value, text)->type_name(type);
    };
    add("--threads", options->threads, "INTEGER", "threads (all; 1 for each of several MPI ranks)");
    add("--checkpoint", options->checkpoint, "FILE",
        "keep every finished group of blocks in FILE; groups shorter than a second are written "
        "together");
    command
        ->add_flag("--resume", options->resume,
                   "go on with the checkpoint; begin where there is none")
        ->disable_flag_override();
    add("--shard", options->shard, "i/n", "run the i-th of n parts alone, into --out");
    add("--out", options->out, "FILE", "file for the sums of the shard");
    command->add_flag("--json", options->json, "JSON instead of a table")->disable_flag_override();
    command->callback([options, &streams, &ranks, &exit_code] {
        exit_code = 2;
        if (!options->shard && !is_one_run(ranks)) return;
        run(*options, streams, ranks);
        exit_code = 0;
    });
}

}  // namespace assay::cli
