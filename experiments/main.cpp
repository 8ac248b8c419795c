#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "assay/files/atomic_file.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/guarded_main.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/help/help_text.hpp"
#include "assay/numeric/errors.hpp"
#include "experiments/figures.hpp"
#include "experiments/golden.hpp"
#include "experiments/provenance.hpp"
#include "experiments/result_files.hpp"
#include "experiments/runner.hpp"

namespace {

using namespace assay;
using namespace assay::experiments;

constexpr int success = 0;
constexpr int comparison_failed = 1;
constexpr int bad_input = 2;

constexpr const char* help =
    R"(Runs the experiments behind the papers' figures and compares their results.

Examples:
  assay-experiments run
  assay-experiments run --figure mironov2019/fig01_right_rdp
  assay-experiments check

A figure is named by its stem, as mironov2019/fig01_right_rdp.
Exit codes: 0 success; 1 results differ; 2 bad input, or a figure failed.
)";

constexpr const char* run_help =
    R"(Runs figures and writes their results.

Examples:
  assay-experiments run --stale-only
  assay-experiments run --figure mironov2019/fig01_right_rdp \
      --figure mironov2019/table01_bounds
  assay-experiments run --preset paper --out results/paper
)";

constexpr const char* list_help =
    R"(Prints every stem.

Examples:
  assay-experiments list
  assay-experiments list | grep chua2025
)";

constexpr const char* summary_help =
    R"(Prints the table of verdicts.

Examples:
  assay-experiments summary
  assay-experiments summary --out results/paper
)";

constexpr const char* check_help =
    R"(Compares the results with the golden ones.

Examples:
  assay-experiments check
  assay-experiments check --out results/latest --reference results/reference
)";

constexpr const char* accept_help =
    R"(Makes latest results the golden ones.

Examples:
  assay-experiments accept --figure mironov2019/table01_bounds
  assay-experiments accept --figure aydin2024/fig05_subset_size_share_0_8 \
      --larger-run --out results/paper
)";

struct Options {
    std::vector<std::string> stems;
    RunOptions run;
    std::string reference = "results/reference";
    bool no_table = false;
    bool is_larger_run = false;
};

void complain(const char* line) {
    std::fprintf(stderr, "assay-experiments: %s\n", line);
}

int run(const Options& options) {
    RunOptions run = options.run;
    const auto chosen = choose_figures(all_figures(), options.stems);
    std::mutex telling;
    std::string told = fmt::format("0 of {} figures", chosen.size());
    run.progress = [&](const std::string& stem, std::size_t done, std::size_t all) {
        const std::lock_guard lock(telling);
        told = fmt::format("{} of {} figures, the last {}", done, all, stem);
    };
    std::optional<WorkingNotice> notice(std::in_place, std::cerr, [&] {
        const std::lock_guard lock(telling);
        return told;
    });
    const auto failures = run_figures(all_figures(), chosen, run);
    notice.reset();
    for (const std::string& failure : failures) complain(failure.c_str());
    if (!options.no_table) fmt::print("{}", summary_table(run.out, chosen));
    return failures.empty() ? success : bad_input;
}

int check(const Options& options) {
    const auto differences = compare_with_golden(all_figures(), options.run.out, options.reference);
    for (const std::string& line : differences) fmt::print("{}\n", line);
    if (const std::size_t elsewhere = count_simulated_elsewhere(all_figures(), options.reference))
        fmt::print(
            "{} simulated figures of the reference were made elsewhere (another make of processor "
            "than {}, compiler than {}, Eigen or C library): of these, verdicts are compared\n",
            elsewhere, processor_make(), build_info().compiler);
    if (differences.empty())
        fmt::print("all {} figures agree with {}\n", all_figures().size(), options.reference);
    return differences.empty() ? success : comparison_failed;
}

int accept(const Options& options) {
    for (const Figure& figure : choose_figures(all_figures(), options.stems)) {
        accept_golden(all_figures(), figure, options.run.out, options.reference,
                      options.is_larger_run);
        fmt::print("accepted {}\n", figure.stem);
    }
    return success;
}

int list() {
    for (const Figure& figure : all_figures()) fmt::print("{}\n", figure.stem);
    return success;
}

int summary(const Options& options) {
    if (!std::filesystem::is_directory(options.run.out))
        throw FileError(options.run.out.string(), 0, "is no folder of results");
    fmt::print("{}", summary_table(options.run.out, all_figures()));
    return success;
}

int parse_and_run(int argc, char** argv) {
    Options options;
    options.run.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    int result = success;

    CLI::App app(help, "assay-experiments");
    print_help_text(app);
    app.set_version_flag("--version", version_line());
    app.require_subcommand(1);
    const auto add_folder = [&](CLI::App* command) {
        command->add_option("--out", options.run.out, "folder of the results")
            ->capture_default_str();
    };
    const auto add_reference = [&](CLI::App* command) {
        command->add_option("--reference", options.reference, "folder of the golden results")
            ->capture_default_str();
    };

    auto* run_command = app.add_subcommand("run", run_help);
    run_command->add_option("--figure", options.stems, "a stem; repeat for more (all)");
    run_command
        ->add_option("--parameters", options.run.parameters, "folder of the <stem>.toml files")
        ->capture_default_str();
    run_command
        ->add_option("--threads", options.run.threads, "threads, results do not depend on it")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    run_command->add_option("--preset", options.run.preset,
                            "use [preset.<name>] of the parameters, where a figure has it");
    run_command->add_option(
        "--data-folder", options.run.data_folder,
        "folder of real data (CIFAR, Criteo), for the figures that use them; "
        "sets that it lacks are replaced by stand-ins; one that is there in part is refused");
    run_command->add_flag("--skip-bad", options.run.skip_bad,
                          "leave bad records of these out, and count them");
    run_command->add_flag(
        "--stale-only", options.run.stale_only,
        "leave results that are whole, and newer than this program and their parameters");
    run_command->add_flag("--no-table", options.no_table, "do not print the table of verdicts");
    add_folder(run_command);
    run_command->callback([&] { result = run(options); });

    auto* list_command = app.add_subcommand("list", list_help);
    list_command->callback([&] { result = list(); });

    auto* summary_command = app.add_subcommand("summary", summary_help);
    add_folder(summary_command);
    summary_command->callback([&] { result = summary(options); });

    auto* check_command = app.add_subcommand("check", check_help);
    add_folder(check_command);
    add_reference(check_command);
    check_command->callback([&] { result = check(options); });

    auto* accept_command = app.add_subcommand("accept", accept_help);
    accept_command->add_option("--figure", options.stems, "a stem")->required();
    accept_command->add_flag("--larger-run", options.is_larger_run,
                             "as results of a larger run, beside the golden ones");
    add_folder(accept_command);
    add_reference(accept_command);
    accept_command->callback([&] { result = accept(options); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        return app.exit(request);
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    return guarded_main("assay-experiments", parse_and_run, argc, argv);
}
