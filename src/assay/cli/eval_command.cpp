#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <vector>

#include "assay/cli/commands.hpp"
#include "assay/cli/eval.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace eval_command {

constexpr const char* help =
    R"(Answers single formulas with certified enclosures: JSON Lines in and out.

Examples:
  assay eval < questions.jsonl > answers.jsonl
  echo '{"quantity": "exact.poisson_add_remove",
         "params": {"alpha": 16, "s": 2, "q": 0.01}}' | tr -d '\n' | assay eval
  assay eval --list

Each answer holds [lower, upper] around the exact value. A line that cannot be
answered gets an "error"; the exit code is 2 then. "id" comes back. Members
other than id, quantity and params are passed over: answers can be questions.
)";

struct Options {
    std::vector<std::string> files;
    std::string budget = "10";
    bool list = false;
    bool json = false;
};

int run(const Options& options, Streams& streams) {
    if (options.json && !options.list) throw Error("json is not admitted: only with --list");
    if (options.list && !options.files.empty())
        throw DomainError("list", options.files.front(), "no files");
    EvalOptions eval;
    eval.budget = read_option(
        "budget", options.budget, [](double x) { return x > 0.0 && x <= 1e9; },
        "seconds, more than 0, at most 1e9");
    if (options.list) {
        streams.out << (options.json ? quantity_list_json().dump(2) + '\n' : quantity_list_text());
        return 0;
    }
    std::vector<std::ifstream> inputs;
    inputs.reserve(options.files.size());
    for (const std::string& file : options.files) inputs.push_back(open_file(file));
    bool all_answered = true;
    if (inputs.empty()) all_answered = run_eval(streams.in, streams.out, streams.err, eval);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        eval.file = options.files[i];
        all_answered = run_eval(inputs[i], streams.out, streams.err, eval) && all_answered;
    }
    return all_answered ? 0 : 2;
}

}  // namespace eval_command

void add_eval_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace eval_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("eval", "certified answers, JSON Lines in and out");
    command->description(help);
    command->add_option("FILES", options->files, "files of JSON Lines; standard input without any");
    command
        ->add_option("--budget", options->budget,
                     "seconds of processor time a line; then the answer is as wide as "
                     "it has to be")
        ->type_name("SECONDS")
        ->capture_default_str();
    command
        ->add_flag("--list", options->list, "print every quantity: parameters, formula and source")
        ->disable_flag_override();
    command->add_flag("--json", options->json, "the list as JSON")->disable_flag_override();
    command->callback([options, &streams, &exit_code] { exit_code = run(*options, streams); });
}

}  // namespace assay::cli
