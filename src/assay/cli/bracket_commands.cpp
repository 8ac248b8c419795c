#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/epoch_report.hpp"
#include "assay/cli/order_list.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"

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
    "  assay epsilon --sampling balls-and-bins --adjacency zero-out --noise-multiplier 0.4 \\\n"
    "      --steps 36133 --delta 1e-6\n"
    "  assay epsilon --sampling poisson --adjacency add-remove --noise-multiplier 1.1 \\\n"
    "      --sampling-probability 0.004 --steps 10000 --delta 1e-6 --accountant pld\n"
    "  assay epsilon --adjacency zero-out --delta 1e-6 \\\n"
    "      --phase sampling=balls-and-bins,noise-multiplier=0.6,steps=1000,epochs=2 \\\n"
    "      --phase sampling=poisson,noise-multiplier=1,sampling-probability=0.01,steps=100\n\n"
    "Prints [lower, upper] around the true epsilon, the theorem behind each side, the best\n"
    "published bound, and the assumptions.\n";

constexpr const char* delta_help =
    "Examples:\n"
    "  assay delta --sampling poisson --adjacency add-remove --noise-multiplier 1.1 \\\n"
    "      --sampling-probability 0.004 --steps 10000 --epsilon 2\n"
    "  assay delta --sampling none --adjacency replace-one --noise-multiplier 20 --steps 1 \\\n"
    "      --epsilon 0.5 --json\n\n"
    "  assay delta --sampling balls-and-bins --adjacency zero-out --noise-multiplier 0.4 \\\n"
    "      --steps 36133 --epochs 2 --epsilon 4\n"
    "  assay delta --sampling shuffle --adjacency zero-out --noise-multiplier 0.4 \\\n"
    "      --steps 36133 --epsilon 4\n\n"
    "Prints [lower, upper] around the true delta, the theorem behind each side, the best\n"
    "published bound, and the assumptions.\n";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> given;
    std::optional<std::string> orders;
    std::optional<std::string> tolerance;
    std::string accountant = "rdp";
};

void require_epoch_options(const Options& options) {
    if (options.accountant != "rdp")
        throw DomainError("accountant", options.accountant, "left out with epoch samplers");
    if (options.orders)
        throw DomainError("orders", *options.orders, "left out with epoch samplers");
}

bool uses_pld(const Options& options) {
    if (options.accountant != "rdp" && options.accountant != "pld")
        throw DomainError("accountant", options.accountant, "rdp or pld");
    if (options.accountant == "pld" && options.orders)
        throw DomainError("orders", *options.orders, "left out with --accountant pld");
    if (options.accountant == "rdp" && options.tolerance)
        throw DomainError("tolerance", *options.tolerance, "left out with --accountant rdp");
    return options.accountant == "pld";
}

PldOptions pld_options(const Options& options) {
    PldOptions chosen;
    if (options.tolerance)
        chosen.relative_gap = read_option(
            "tolerance", *options.tolerance, [](double x) { return x > 0.0 && x < 1.0; },
            "0 < tolerance < 1");
    return chosen;
}

/// On each side the better one of privacy loss distributions and Renyi divergences, as far as the
/// standing of its theorem is admitted.
template <class Found>
PrivacyBracket better_of(const Found& found, PrivacyBracket from_rdp, const PrivacyInput& input) {
    const auto is_admitted = [&](const Bound& bound, StandingFilter filter) {
        return filter == StandingFilter::any || bound.theorem.standing == Standing::published;
    };
    if (is_admitted(found.lower, input.filter) && found.lower.value >= from_rdp.lower.value)
        from_rdp.lower = found.lower;
    if (is_admitted(found.upper, input.filter) && found.upper.value <= from_rdp.upper.value) {
        from_rdp.upper = found.upper;
        from_rdp.upper_order = 0.0;
    }
    if (is_admitted(found.upper, StandingFilter::published) &&
        found.upper.value <= from_rdp.published_upper.value) {
        from_rdp.published_upper = found.upper;
        from_rdp.published_order = 0.0;
    }
    for (const Bound* upper : {&from_rdp.upper, &from_rdp.published_upper})
        require_ordered(from_rdp.lower.value, upper->value, [&] {
            return "both accountants together, " + describe(input.plain_phases(), input.adjacency);
        });
    return from_rdp;
}

void require_gap(const Options& options, double reached, const std::string& note) {
    if (options.tolerance && !note.empty())
        throw DomainError("tolerance", *options.tolerance,
                          fmt::format("at least {:.2g}: {}", reached, note));
}

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
    if (has_epoch_sampling(options.privacy)) {
        require_epoch_options(options);
        return report_epoch("epsilon", delta, options.privacy, options.tolerance, streams);
    }
    const bool pld = uses_pld(options);
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
    if (pld) {
        const EpsilonBracket found =
            pld_epsilon(input.plain_phases(), input.adjacency, delta, pld_options(options));
        require_gap(options, found.relative_gap, found.note);
        report.bracket = better_of(found, report.bracket, input);
        report.accountant = "pld";
    }
    print(report, input, options.privacy.json, streams);
}

void run_delta(const Options& options, Streams& streams) {
    const double epsilon = required_number(
        "epsilon", options.given, [](double x) { return x >= 0.0; }, "a number >= 0");
    if (has_epoch_sampling(options.privacy)) {
        require_epoch_options(options);
        return report_epoch("delta", epsilon, options.privacy, options.tolerance, streams);
    }
    const bool pld = uses_pld(options);
    const PrivacyInput input = read_privacy(options.privacy, std::nullopt);
    BracketReport report{
        "delta", "epsilon", epsilon,
        delta_bracket(input.plain_phases(), input.adjacency, epsilon, input.filter), "continuous"};
    if (pld) {
        const DeltaCurve found =
            pld_delta(input.plain_phases(), input.adjacency, {&epsilon, 1}, pld_options(options));
        require_gap(options, found.relative_gap, found.note);
        report.bracket = better_of(found.points.front(), report.bracket, input);
        report.accountant = "pld";
    }
    print(report, input, options.privacy.json, streams);
}

void add_accountant_options(CLI::App& command, Options& options) {
    command
        .add_option(
            "--accountant", options.accountant,
            "rdp: Renyi divergences; pld: privacy loss distributions too, each side the better "
            "of both, slower")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--tolerance", options.tolerance,
                    "relative gap between the sides, for pld and epoch samplers; refused where it "
                    "cannot be reached")
        ->type_name("NUMBER");
}

}  // namespace

void add_epsilon_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("epsilon", epsilon_help);
    command->add_option("--delta", options->given, "0 < delta < 1 (required)")->type_name("NUMBER");
    add_privacy_options(*command, options->privacy);
    add_accountant_options(*command, *options);
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
    add_accountant_options(*command, *options);
    command->callback([options, &streams, &exit_code] {
        run_delta(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
