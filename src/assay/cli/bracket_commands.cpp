#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/order_list.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

constexpr const char* epsilon_help =
    "Examples:\n"
    "  assay epsilon --sampling fixed-size-without-replacement --adjacency replace-one \\\n"
    "      --noise-multiplier 6 --batch-size 120 --dataset-size 50000 --epochs 250 --delta 1e-5\n"
    "  assay epsilon --sampling poisson --adjacency add-remove --noise-multiplier 1.1 \\\n"
    "      --sampling-probability 0.004 --steps 10000 --delta 1e-6 --json\n"
    "  assay epsilon --adjacency add-remove --delta 1e-5 \\\n"
    "      --phase sampling=poisson,noise-multiplier=2,sampling-probability=0.01,steps=500 \\\n"
    "      --phase sampling=poisson,noise-multiplier=1,sampling-probability=0.01,steps=100\n\n"
    "Prints [lower, upper] around the true epsilon, the theorem behind each side, the best\n"
    "published bound, and the assumptions.\n";

constexpr const char* delta_help =
    "Examples:\n"
    "  assay delta --sampling poisson --adjacency add-remove --noise-multiplier 1.1 \\\n"
    "      --sampling-probability 0.004 --steps 10000 --epsilon 2\n"
    "  assay delta --sampling none --adjacency replace-one --noise-multiplier 20 --steps 1 \\\n"
    "      --epsilon 0.5 --json\n\n"
    "Prints [lower, upper] around the true delta, the theorem behind each side, the best\n"
    "published bound, and the assumptions.\n";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> given;
    std::optional<std::string> orders;
};

double required_number(const char* name, const std::optional<std::string>& text,
                       bool (*is_admitted)(double), const char* admitted) {
    if (!text) throw Error(std::string(name) + " is missing: " + admitted);
    return read_option(name, *text, is_admitted, admitted);
}

void print(const BracketReport& report, const PrivacyInput& input, bool json, Streams& streams) {
    streams.out << (json ? report_json(report, input).dump(2) + '\n' : report_text(report, input));
}

void run_epsilon(const Options& options, Streams& streams) {
    const double delta = required_number(
        "delta", options.given, [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1");
    const PrivacyInput input = read_privacy(options.privacy, std::nullopt);
    const std::vector<Phase> phases = input.plain_phases();
    BracketReport report{"epsilon", "delta", delta, {}, "continuous"};
    if (options.orders) {
        const std::vector<double> orders = read_orders(*options.orders);
        report.orders = *options.orders;
        report.bracket =
            epsilon_bracket_on_grid(phases, input.adjacency, delta, orders, input.filter);
    } else {
        report.bracket = epsilon_bracket(phases, input.adjacency, delta, input.filter);
    }
    print(report, input, options.privacy.json, streams);
}

void run_delta(const Options& options, Streams& streams) {
    const double epsilon = required_number(
        "epsilon", options.given, [](double x) { return x >= 0.0; }, "a number >= 0");
    const PrivacyInput input = read_privacy(options.privacy, std::nullopt);
    const PrivacyBracket bracket =
        delta_bracket(input.plain_phases(), input.adjacency, epsilon, input.filter);
    print({"delta", "epsilon", epsilon, bracket, "continuous"}, input, options.privacy.json,
          streams);
}

}  // namespace

void add_epsilon_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("epsilon", epsilon_help);
    command->add_option("--delta", options->given, "0 < delta < 1 (required)")->type_name("NUMBER");
    add_privacy_options(*command, options->privacy);
    command
        ->add_option("--orders", options->orders,
                     "minimum over these orders alone: 2,4,8 or 1.1:10.9:0.1 or opacus")
        ->type_name("LIST");
    command->callback([options, &streams, &exit_code] {
        run_epsilon(*options, streams);
        exit_code = 0;
    });
}

void add_delta_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("delta", delta_help);
    command->add_option("--epsilon", options->given, "epsilon >= 0 (required)")
        ->type_name("NUMBER");
    add_privacy_options(*command, options->privacy);
    command->callback([options, &streams, &exit_code] {
        run_delta(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
