#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <thread>

#include "assay/files/atomic_file.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/file_lock.hpp"
#include "assay/files/guarded_main.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/help/help_text.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/case_file.hpp"
#include "verify/commands.hpp"
#include "verify/conformance/command.hpp"
#include "verify/hunt.hpp"
#include "verify/option_values.hpp"
#include "verify/report.hpp"
#include "verify/rows.hpp"

namespace {

using namespace assay;
using namespace assay::verify;

constexpr int success = 0;
constexpr int verification_failed = 1;
constexpr int bad_input = 2;

constexpr const char* help =
    R"(Checks every answer of the library against independent oracles.

Examples:
  assay-verify run --tier quick
  assay-verify run --tier full --only 'exact.*' --seed 7
  assay-verify hunt control.theorem_c_9_as_printed \
      --region 'sigma=5:40 q=0.05:0.5'

The oracles have high precision. The program also tries to refute every theorem,
and refutes known-wrong formulas to show that it can.
Exit codes: 0 success; 1 something does not hold; 2 bad input.
)";

constexpr const char* run_help =
    R"(Tries all rows, or those that are named, and writes a report.

Examples:
  assay-verify run --tier quick
  assay-verify run --tier full --only 'exact.*' --only 'pld.*' --seed 7
  assay-verify run --tier full --resume

Prints the rows that fail, a summary, and where the report is. The exit code is
1 when a row fails.
)";

constexpr const char* list_help =
    R"(Prints every row: id, kind, relation, points (quick, full), claim.

Examples:
  assay-verify list
  assay-verify list | grep control
)";

constexpr const char* hunt_help =
    R"(Searches one row for a violation, in a region of your own.

Examples:
  assay-verify hunt control.theorem_c_9_as_printed \
      --region 'sigma=5:40 q=0.05:0.5'
  assay-verify hunt exact.poisson_add_remove.encloses_arb --budget 600 --seed 7

Prints the violation, shrunk, or the point that came closest to one. The exit
code is 0 when what was expected was found: a violation for a control, none for
any other row.
)";

constexpr const char* remember_help =
    R"(Appends the shrunk violations of a report to the hard cases.

Examples:
  assay-verify remember --reason 'small noise: terms cancel'
  assay-verify remember --report results/latest/verify/full/report.json \
      --reason 'small noise: terms cancel'

Every run tries the hard cases first. Where no report is named, that of
`make verify-quick` is read.
)";

constexpr const char* closest_help =
    R"(Prints the answer of every row that came closest to violating it.

Examples:
  assay-verify closest
  assay-verify closest platform \
      --report results/latest/verify/full/report.json

Where no report is named, that of `make verify-quick` is read.
)";

std::atomic<bool> stop_asked = false;
void ask_to_stop(int) {
    stop_asked = true;
}

/// For commands that look whether they are to stop; signals end the others.
void hear_signals() {
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
    if (std::signal(SIGHUP, ask_to_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

struct Options {
    RunOptions run;
    std::string tier = "quick";
    std::vector<std::string> only;
    std::string out = "results/latest/verify";
    std::string hard_cases = "verify/hard_cases";
    std::string row;
    std::string region;
    double hunt_budget = 60.0;
    std::string report;
    std::string reason;
};

std::vector<HardCase> cases_for(const std::string& folder, const std::vector<Check>& rows) {
    std::vector<HardCase> chosen;
    for (HardCase& one : read_hard_cases(folder)) {
        const auto names = [&](const Check& check) { return check.id == one.check; };
        if (std::none_of(all_rows().begin(), all_rows().end(), names))
            throw Error(fmt::format("a hard case names no row: {}", one.check));
        if (std::any_of(rows.begin(), rows.end(), names)) chosen.push_back(std::move(one));
    }
    return chosen;
}

int run(Options options) {
    options.run.tier = options.tier == "full" ? Tier::full : Tier::quick;
    options.run.stop = &stop_asked;
    const std::filesystem::path out(options.out);
    require_writable_folder(out);
    options.run.journal = out / "journal.jsonl";
    const FileLock lock(options.run.journal);
    const std::vector<Check> rows = rows_matching(options.only);
    const std::vector<HardCase> cases = cases_for(options.hard_cases, rows);
    ProgressLine line(std::cerr);
    options.run.progress = [&](std::size_t done, std::size_t planned) {
        line.show({static_cast<double>(done), static_cast<double>(planned)}, "points");
    };
    const RunResult result = run_checks(rows, cases, options.run);
    line.clear();
    write_file_atomically(out / "report.json", report_json(result, options.run));
    fmt::print("{}report: {}\n", report_text(result), (out / "report.json").string());
    if (result.interrupted && options.run.budget <= 0.0)
        fmt::print("interrupted: --resume goes on from here\n");
    return result.passes() && !stop_asked ? success : verification_failed;
}

int list() {
    for (const Check& row : all_rows())
        fmt::print("{:<60} {:<8} {:<9} {:>5} {:>6}  {}\n", row.id, to_string(row.kind),
                   to_string(row.relation), row.quick_points, row.full_points, row.claim);
    return success;
}

int run_hunt(const Options& options) {
    const std::vector<Check> rows = rows_matching({options.row});
    if (rows.size() != 1)
        throw Error(fmt::format("'{}' matches {} rows: name one", options.row, rows.size()));
    Check check = rows.front();
    check.space = restricted(check.space, options.region);
    ProgressLine line(std::cerr);
    const Hunt found = hunt(check, {options.run.seed, options.run.threads, options.hunt_budget,
                                    &stop_asked, [&](std::size_t points, double closest) {
                                        line.show([&] {
                                            return fmt::format("{} points, smallest margin {:.3g}",
                                                               points, closest);
                                        });
                                    }});
    line.clear();
    fmt::print("{} ({}): {} points in {:.1f} s\n", check.id, check.claim, found.points,
               found.seconds);
    if (found.smallest)
        fmt::print("violated, shrunk to\n{}", describe(check, *found.smallest));
    else if (found.closest)
        fmt::print("no violation; the smallest margin is {:.6g}\n{}", found.closest->margin,
                   describe(check, *found.closest));
    if (stop_asked) fmt::print("interrupted\n");
    const bool expected = check.kind == Kind::control;
    return !stop_asked && found.smallest.has_value() == expected ? success : verification_failed;
}

int parse_and_run(int argc, char** argv) {
    Options options;
    options.run.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    int result = success;

    CLI::App app(help, "assay-verify");
    print_help_text(app);
    app.set_version_flag("--version", version_line());
    app.require_subcommand(1);
    const auto add_seed = [&](CLI::App* command) {
        command->add_option("--seed", options.run.seed, "of the random points")
            ->check(is_seed)
            ->capture_default_str();
        command->add_option("--threads", options.run.threads, "points do not depend on it")
            ->check(CLI::Range(1, 4096))
            ->capture_default_str();
    };

    auto* run_command = app.add_subcommand("run", run_help);
    run_command->add_option("--tier", options.tier, "quick or full")
        ->check(CLI::IsMember({"quick", "full"}))
        ->capture_default_str();
    run_command->add_option("--only", options.only, "rows by id, * for any text; repeat for more");
    run_command
        ->add_option("--budget", options.run.budget,
                     "seconds: stop after them, or use what is left for more points; 0: no limit")
        ->check(is_seconds)
        ->capture_default_str();
    run_command->add_flag("--resume", options.run.resume,
                          "go on with a run that was interrupted (same seed, tier and program)");
    run_command->add_option("--out", options.out, "folder of the report and the journal")
        ->capture_default_str();
    run_command->add_option("--hard-cases", options.hard_cases, "folder of the hard cases")
        ->capture_default_str();
    add_seed(run_command);
    run_command->callback([&] { result = run(options); });

    auto* list_command = app.add_subcommand("list", list_help);
    list_command->callback([&] { result = list(); });

    auto* hunt_command = app.add_subcommand("hunt", hunt_help);
    hunt_command->add_option("row", options.row, "a row's id")->required();
    hunt_command->add_option("--region", options.region,
                             "as 'sigma=5:40 q=0.3' (the space of the row)");
    hunt_command->add_option("--budget", options.hunt_budget, "seconds")
        ->check(is_seconds)
        ->capture_default_str();
    add_seed(hunt_command);
    hunt_command->callback([&] { result = run_hunt(options); });

    auto* remember_command = app.add_subcommand("remember", remember_help);
    remember_command->add_option("--report", options.report, "report.json of a run")
        ->default_val("results/latest/verify/quick/report.json");
    remember_command->add_option("--reason", options.reason, "why they are hard")->required();
    remember_command->add_option("--hard-cases", options.hard_cases, "folder of the hard cases")
        ->capture_default_str();
    remember_command->callback([&] {
        const int added = remember(options.report, options.hard_cases, options.reason);
        fmt::print("{} new hard cases in {}\n", added, options.hard_cases);
    });

    auto* closest_command = app.add_subcommand("closest", closest_help);
    closest_command->add_option("words", options.row, "only rows with this in their ids");
    closest_command->add_option("--report", options.report, "report.json of a run")
        ->default_val("results/latest/verify/quick/report.json");
    closest_command->callback(
        [&] { fmt::print("{}", closest_lines(options.report, options.row)); });

    add_document_commands(app, result);
    add_conformance_command(app, stop_asked, result);
    for (const char* command : {"run", "hunt", "conformance"})
        app.get_subcommand(command)->parse_complete_callback(hear_signals);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? success : bad_input;
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    return guarded_main("assay-verify", parse_and_run, argc, argv);
}
