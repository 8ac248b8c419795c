#include "assay/cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>

#include "assay/cli/local_commands.hpp"
#include "assay/cli/monte_carlo_command.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/files/arithmetic.hpp"
#include "assay/files/build_info.hpp"
#include "assay/help/help_text.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

constexpr int success = 0;
constexpr int bad_input = 2;
constexpr int internal_error = 3;

constexpr std::string_view overview_text =
    R"(assay: certified differential privacy of subsampled Gaussian mechanisms

Examples:
  assay epsilon --sampling poisson --adjacency add-remove --delta 1e-6 \
      --noise-multiplier 1.1 --sampling-probability 0.004 --steps 10000
  assay delta --sampling balls-and-bins --adjacency zero-out \
      --noise-multiplier 0.4 --batches-per-epoch 36133 --epsilon 1
  assay calibrate --sampling poisson --adjacency add-remove --epsilon 2 \
      --sampling-probability 0.004 --steps 10000 --delta 1e-6

Commands:
  epsilon      [lower, upper] of epsilon at a delta, theorems, assumptions
  delta        [lower, upper] of delta at an epsilon
  tradeoff     what any attacker can do: error rates of every test, mu
  rdp          Renyi divergence by order, as CSV or JSON
  calibrate    the smallest noise, or most steps or sampling, for a target
  compare      the samplers on one training run, in one table
  monte-carlo  delta of balls-and-bins by sampling, with confidence bounds
  merge        one result from the shards of a Monte Carlo run
  ldp          frequencies of categories under local differential privacy
  train        DP-SGD with the certified epsilon of what it released
  ask          the same questions about whole releases, JSON Lines in and out
  eval         certified values of single formulas, JSON Lines in and out
  help         this text, or that of a command: assay help epsilon

`assay COMMAND --help` explains a command. `assay --version` prints the version.
Exit codes: 0 success; 1 a comparison failed; 2 bad input; 3 bounds that
contradict each other, a defect of this program. 2 and 3 come with one line on
standard error.
)";

constexpr std::array<std::string_view, 13> commands{
    "epsilon", "delta", "tradeoff", "rdp", "calibrate", "compare", "monte-carlo",
    "merge",   "ldp",   "train",    "ask", "eval",      "help"};

void require_command(std::string_view name) {
    if (std::find(commands.begin(), commands.end(), name) == commands.end())
        throw DomainError("command", std::string(name),
                          fmt::format("{}", fmt::join(commands, ", ")));
}

/// Of a command that consists of others, CLI11 says no more than that one is missing.
void require_part(const CLI::App& program, const std::vector<std::string>& arguments) {
    if (arguments.size() < 2 || arguments[0].starts_with('-') || arguments[1].starts_with('-'))
        return;
    std::vector<std::string> parts;
    for (const CLI::App* part : program.get_subcommand(arguments[0])->get_subcommands({}))
        parts.push_back(part->get_name());
    if (!parts.empty() && std::find(parts.begin(), parts.end(), arguments[1]) == parts.end())
        throw DomainError("command", arguments[0] + ' ' + arguments[1],
                          fmt::format("{}", fmt::join(parts, ", ")));
}

/// "epsilon ", "ldp audit " or nothing: the words before the first option.
std::string named_command(const std::vector<std::string>& arguments) {
    std::string words;
    const std::size_t most = arguments.front() == "ldp" ? 2 : 1;
    for (std::size_t i = 0; i < std::min(most, arguments.size()); ++i) {
        if (arguments[i].starts_with('-')) break;
        words += arguments[i] + ' ';
    }
    return words;
}

/// CLI11's complaint in the words of the other messages.
std::string reworded(const CLI::ParseError& error, const CLI::App& program,
                     const std::string& command) {
    std::string text = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        text = fmt::format("unknown option {}", fmt::join(program.remaining(true), " "));
    return fmt::format("{}; see assay {}--help", text, command);
}

/// The help of the innermost command that was asked for.
std::string help_of(const CLI::App& program) {
    std::string path = "assay";
    auto chosen = program.get_subcommands();
    if (chosen.empty()) return std::string(overview_text);
    while (!chosen.front()->get_subcommands().empty()) {
        path += ' ' + chosen.front()->get_name();
        chosen = chosen.front()->get_subcommands();
    }
    return help_text(*chosen.front(), path + ' ' + chosen.front()->get_name());
}

int dispatch(std::vector<std::string> arguments, Streams& streams, Ranks& ranks) {
    if (arguments.empty() || arguments == std::vector<std::string>{"help"}) {
        streams.out << overview_text;
        return success;
    }
    if (arguments.front() == "help") {
        require_command(arguments[1]);
        arguments.erase(arguments.begin());
        if (arguments.size() > 2 || (arguments.size() == 2 && arguments[0] != "ldp"))
            throw DomainError("help", arguments[1], "one command at a time");
        arguments.emplace_back("--help");
        if (arguments.front() == "help") arguments = {"--help"};
    }
    if (!arguments.front().starts_with('-')) require_command(arguments.front());
    int exit_code = success;
    CLI::App program;
    add_commands(program, streams, ranks, exit_code);
    require_part(program, arguments);
    const std::string command = named_command(arguments);
    std::reverse(arguments.begin(), arguments.end());
    try {
        program.parse(arguments);
    } catch (const CLI::CallForHelp&) {
        streams.out << help_of(program);
    } catch (const CLI::CallForVersion& version) {
        streams.out << version.what() << '\n';
    } catch (const CLI::ParseError& error) {
        throw Error(reworded(error, program, command));
    }
    return exit_code;
}

}  // namespace

std::string_view overview() {
    return overview_text;
}

void add_commands(CLI::App& program, Streams& streams, Ranks& ranks, int& exit_code) {
    program.description("certified differential privacy of subsampled Gaussian mechanisms");
    program.name("assay");
    program.set_version_flag("--version",
                             "assay " + version_line() + "\narithmetic: " + arithmetic_line());
    program.require_subcommand(0, 1);
    add_epsilon_command(program, streams, exit_code);
    add_delta_command(program, streams, exit_code);
    add_rdp_command(program, streams, exit_code);
    add_tradeoff_command(program, streams, exit_code);
    add_calibrate_command(program, streams, exit_code);
    add_compare_command(program, streams, exit_code);
    add_train_command(program, streams, exit_code);
    add_monte_carlo_command(program, streams, ranks, exit_code);
    add_merge_command(program, streams, exit_code);
    add_ldp_command(program, streams, exit_code);
    add_eval_command(program, streams, exit_code);
    add_ask_command(program, streams, exit_code);
}

int run_program(int argc, const char* const* argv, Streams streams) {
    SingleRank alone;
    return run_program(argc, argv, streams, alone);
}

int run_program(int argc, const char* const* argv, Streams streams, Ranks& ranks) {
    try {
        const int exit_code = dispatch({argv + std::min(argc, 1), argv + argc}, streams, ranks);
        streams.out.flush();
        if (!streams.out) throw Error("standard output cannot be written");
        return exit_code;
    } catch (const std::bad_alloc&) {
        streams.err << "assay: the memory does not suffice for this" << std::endl;
        return bad_input;
    } catch (const std::exception& error) {
        streams.err << "assay: " << one_line(error.what()) << std::endl;
        return dynamic_cast<const InternalError*>(&error) ? internal_error : bad_input;
    }
}

}  // namespace assay::cli
