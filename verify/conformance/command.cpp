#include "verify/conformance/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "assay/files/atomic_file.hpp"
#include "assay/files/progress_line.hpp"
#include "verify/conformance/conformance.hpp"
#include "verify/conformance/page.hpp"
#include "verify/option_values.hpp"

namespace assay::verify {

namespace {

constexpr int found_unsound = 1;
constexpr int nothing_judged = 1;
constexpr int interrupted = 130;

constexpr const char* conformance_help =
    R"(Asks an accountant every test vector and judges its answers.

Examples:
  assay-verify conformance --command 'python3 my_adapter.py'
  assay-verify conformance --resume --command \
      'python3 verify/conformance/adapters/assay.py build/release/assay'
  assay-verify conformance --command 'python3 my_adapter.py' \
      --out build/trial --baseline results/latest/conformance/verdicts.json

Exit codes: 1 when an answer is UNSOUND or none can be judged; 130 after an
interrupt. docs/conformance.md has the protocol of adapters.
)";

int run(const ConformanceOptions& options) {
    ProgressLine line(std::cerr);
    const ConformanceRun found =
        run_conformance(options, [&](std::size_t done, std::size_t planned) {
            line.show({static_cast<double>(done), static_cast<double>(planned)}, "vectors");
        });
    line.clear();
    write_file_atomically(options.out / "verdicts.json", verdicts_json(found, options));
    write_file_atomically(options.out / "report.html", conformance_page(found, options));
    fmt::print("{}report: {}\n", conformance_text(found), (options.out / "report.html").string());
    if (found.summary.interrupted) {
        fmt::print("interrupted: --resume goes on from here\n");
        return interrupted;
    }
    using enum ClaimVerdict;
    const auto judged = [&](ClaimVerdict verdict) { return found.count(verdict) > 0; };
    if (std::ranges::none_of(std::array{sound, undecided, loose, unsound, close, off}, judged)) {
        fmt::print("no answer could be judged\n");
        return nothing_judged;
    }
    return judged(unsound) ? found_unsound : 0;
}

}  // namespace

void add_conformance_command(CLI::App& app, const std::atomic<bool>& stop, int& result) {
    const auto options = std::make_shared<ConformanceOptions>();
    options->interview.stop = &stop;
    auto* command = app.add_subcommand("conformance", conformance_help);
    command
        ->add_option("--command", options->interview.command,
                     "the adapter, for a shell: questions and answers are JSON Lines")
        ->required();
    command->add_option("--vectors", options->vectors, "folder of the vectors")
        ->capture_default_str();
    command->add_option("--timeout", options->interview.timeout, "seconds for an answer")
        ->check(is_seconds)
        ->capture_default_str();
    command
        ->add_option("--start-allowance", options->interview.start_allowance,
                     "seconds more for the first answer of all")
        ->check(is_seconds)
        ->capture_default_str();
    command->add_option("--jobs", options->interview.jobs, "adapters at a time")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command
        ->add_option("--window", options->interview.window,
                     "questions that one adapter holds at a time")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command
        ->add_option("--memory", options->interview.memory,
                     "MiB of address space for an adapter; 0: no limit")
        ->check(CLI::Range(0, 1 << 30))
        ->capture_default_str();
    command->add_option("--out", options->out, "folder of verdicts.json and report.html")
        ->capture_default_str();
    command->add_flag("--resume", options->resume, "go on with a run that was interrupted");
    command->add_option("--baseline", options->baseline,
                        "verdicts.json of an earlier run: tell what changed");
    command->callback([options, &result] { result = run(*options); });
}

}  // namespace assay::verify
