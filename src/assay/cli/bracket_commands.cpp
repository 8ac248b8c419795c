#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/order_list.hpp"
#include "assay/cli/picture.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace bracket_commands {

constexpr const char* epsilon_help =
    R"(Brackets the epsilon of a release at a given delta.

Examples:
  assay epsilon --sampling poisson --adjacency add-remove --delta 1e-6 \
      --noise-multiplier 1.1 --sampling-probability 0.004 --steps 10000
  assay epsilon --sampling balls-and-bins --adjacency zero-out --delta 1e-6 \
      --noise-multiplier 0.4 --batches-per-epoch 36133 --epochs 2 --json
  assay epsilon --adjacency zero-out --delta 1e-6 \
      --phase sampling=shuffle,noise-multiplier=2,batches-per-epoch=1000 \
      --phase sampling=none,noise-multiplier=20,steps=5

Prints [lower, upper] around the true epsilon, on each side the best that any
accountant certifies, with the theorem behind it, the best published bound, and
the assumptions.
)";

constexpr const char* delta_help =
    R"(Brackets the delta of a release at a given epsilon.

Examples:
  assay delta --sampling poisson --adjacency add-remove --noise-multiplier 1.1 \
      --sampling-probability 0.004 --steps 10000 --epsilon 2
  assay delta --sampling none --adjacency replace-one --noise-multiplier 20 \
      --steps 1 --epsilon 0.5 --json
  assay delta --sampling shuffle --adjacency zero-out --noise-multiplier 0.4 \
      --batches-per-epoch 36133 --epsilon 4

Prints [lower, upper] around the true delta, on each side the best that any
accountant certifies, with the theorem behind it, the best published bound, and
the assumptions.
)";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> given;
    std::optional<std::string> orders;
    std::optional<std::string> tolerance;
    std::optional<std::string> plot;
    std::string accountant = "best";
};

void check_accountant(const Options& options) {
    if (options.accountant != "best" && options.accountant != "rdp" && options.accountant != "pld")
        throw DomainError("accountant", options.accountant, "best, rdp or pld");
    if (options.orders && options.accountant != "rdp")
        throw DomainError("orders", *options.orders, "given with --accountant rdp alone");
    if (options.tolerance && options.accountant == "rdp")
        throw DomainError("tolerance", *options.tolerance, "left out with --accountant rdp");
}

Goal read_goal(const Options& options, const ReleaseInput& input) {
    Goal goal = goal_of(effort_from_string(options.privacy.effort));
    goal.standing = input.standing;
    if (options.tolerance) {
        const double gap = read_option(
            "tolerance", *options.tolerance, [](double x) { return x > 0.0 && x < 1.0; },
            "0 < tolerance < 1");
        goal = with_gap(goal, gap);
    }
    return goal;
}

/// A tolerance that was asked for is kept, or refused.
void require_gap(const Options& options, const Bracket& found) {
    if (!options.tolerance || found.note.empty()) return;
    const double gap = found.gap();
    throw DomainError("tolerance", *options.tolerance,
                      gap > 0.0 && gap < 0.9 ? fmt::format("at least {:.2g}: {}", gap, found.note)
                                             : fmt::format("left out: {}", found.note));
}

/// One report as it is; of several, JSON gives a list.
void print(const std::vector<BracketReport>& reports, const ReleaseInput& input, bool json,
           Streams& streams) {
    if (!json) {
        for (const BracketReport& report : reports)
            streams.out << (&report == &reports.front() ? "" : "\n") << report_text(report, input);
        return;
    }
    Json list = Json::array();
    for (const BracketReport& report : reports) list.push_back(report_json(report, input));
    streams.out << (list.size() == 1 ? list.front() : list).dump(2) << '\n';
}

/// delta over epsilon from 0 to well beyond the answer, with the answer.
void draw(const Picture& picture, const BracketReport& report, const ReleaseInput& input,
          const Goal& goal) {
    if (!picture.is_wanted()) return;
    const bool of_epsilon = report.wanted == "epsilon";
    const double middle = of_epsilon ? report.bracket.upper.value : report.given_value;
    if (!std::isfinite(middle))
        throw Error("--plot: the answer is infinite, there is no curve around it");
    const TradeOff curve(input.release, goal);
    const double reach = 1.6 * std::max(middle, 0.1);
    constexpr int points = 200;
    Json json = report_json(report, input);
    json["points"] = Json::array();
    for (int i = 0; i <= points; ++i) {
        const double epsilon = reach * i / points;
        const Bracket delta = curve.delta(epsilon);
        json["points"].push_back(
            {{"epsilon", epsilon}, {"lower", delta.lower.value}, {"upper", delta.upper.value}});
    }
    const double lower = report.bracket.lower.value;
    const double upper = report.bracket.upper.value;
    const double given = report.given_value;
    json["answer"] = of_epsilon ? Json{{"epsilon", {lower, upper}}, {"delta", {given, given}}}
                                : Json{{"epsilon", {given, given}}, {"delta", {lower, upper}}};
    picture.draw(json);
}

/// What one accountant says by itself.
Bracket by_one_accountant(const Options& options, const ReleaseInput& input, double delta,
                          const Goal& goal) {
    if (options.orders)
        return from_renyi(epsilon_bracket_on_grid(steps_of(input.release), input.release.adjacency,
                                                  delta, read_orders(*options.orders),
                                                  goal.standing));
    return epsilon_by(
        options.accountant == "rdp" ? Accountant::renyi : Accountant::loss_distributions,
        input.release, delta, goal);
}

/// How many times closer than effort quick an effort can be expected to come: the gap falls with
/// the square of the resolution, and the work of an effort is about ten times that of the one
/// before. Measured on random questions, effort normal comes at most 82 times closer.
double most_closing(Effort effort) {
    return effort == Effort::thorough ? 1e5 : 1e3;
}

/// What is being done, for a terminal. With a tolerance, effort quick is asked first: its gap,
/// known within seconds, is part of the text, and a tolerance far out of reach is refused here.
template <class Answer>
std::string work_on(const BracketReport& asked, double number, const Options& options, Goal goal,
                    const Answer& answer) {
    std::string text = fmt::format("refining the bracket of {}", asked.wanted);
    if (!options.tolerance || goal.effort == Effort::quick) return text;
    const double closing = most_closing(goal.effort);
    goal.effort = Effort::quick;
    const Bracket quick = answer(number, goal);
    const double gap = quick.gap();
    if (!quick.note.empty() && gap < 0.9 && gap > closing * goal.relative_gap)
        throw DomainError("tolerance", *options.tolerance,
                          fmt::format("out of reach (effort quick gives {:.2g}; this effort comes "
                                      "less than {:g} times closer): {}",
                                      gap, closing, quick.note));
    return text + fmt::format(" to a relative gap of {} (at effort quick: {:.1e})",
                              *options.tolerance, gap);
}

/// The answers to all numbers given, printed; a picture is of one.
template <class Answer>
void answer_each(const BracketReport& asked, const std::vector<double>& numbers,
                 const Options& options, const ReleaseInput& input, const Goal& goal,
                 Streams& streams, const Answer& answer) {
    if (options.plot && numbers.size() > 1)
        throw Error(fmt::format("--plot draws the answer to one {}", asked.given));
    const Picture picture(options.plot, "epsilon_delta.py");
    std::vector<BracketReport> reports;
    for (const double number : numbers) {
        const WorkingNotice notice(streams.err, work_on(asked, number, options, goal, answer));
        BracketReport& report = reports.emplace_back(asked);
        report.given_value = number;
        report.bracket = answer(number, goal);
        require_gap(options, report.bracket);
    }
    draw(picture, reports.front(), input, goal);
    print(reports, input, options.privacy.json, streams);
}

void run_epsilon(const Options& options, Streams& streams) {
    const std::vector<double> deltas = read_numbers(
        "delta", options.given, [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1");
    check_accountant(options);
    const ReleaseInput input = read_release(options.privacy);
    const Goal goal = read_goal(options, input);
    BracketReport asked{"epsilon", "delta", 0.0, {}};
    asked.accountant = options.accountant;
    if (options.orders) asked.orders = *options.orders;
    answer_each(asked, deltas, options, input, goal, streams, [&](double delta, const Goal& aim) {
        return options.accountant == "best" ? epsilon(input.release, delta, aim)
                                            : by_one_accountant(options, input, delta, aim);
    });
}

void run_delta(const Options& options, Streams& streams) {
    const std::vector<double> epsilons = read_numbers(
        "epsilon", options.given, [](double x) { return x >= 0.0; }, "a number >= 0");
    const ReleaseInput input = read_release(options.privacy);
    const Goal goal = read_goal(options, input);
    answer_each(
        {"delta", "epsilon", 0.0, {}}, epsilons, options, input, goal, streams,
        [&](double epsilon, const Goal& aim) { return delta(input.release, epsilon, aim); });
}

void add_tolerance_option(CLI::App& command, Options& options) {
    command
        .add_option("--tolerance", options.tolerance,
                    "relative gap between the sides (that of the effort); given, it is refused "
                    "where it cannot be reached")
        ->type_name("NUMBER");
}

}  // namespace bracket_commands

void add_epsilon_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace bracket_commands;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("epsilon", epsilon_help);
    command
        ->add_option("--delta", options->given,
                     "0 < delta < 1 (required): 1e-6, 1/60000, or several: 1e-6,1e-5")
        ->type_name("LIST");
    add_release_options(*command, options->privacy);
    add_standing_option(*command, options->privacy);
    add_effort_option(*command, options->privacy);
    add_tolerance_option(*command, *options);
    add_plot_option(*command, options->plot);
    command
        ->add_option("--accountant", options->accountant,
                     "best: on each side the best of all; for comparison with other libraries, "
                     "rdp: Renyi divergences alone, pld: privacy loss distributions alone")
        ->type_name("NAME")
        ->capture_default_str();
    command
        ->add_option("--orders", options->orders,
                     "with --accountant rdp, the minimum over these orders alone: 2,4,8 or "
                     "1.1:10.9:0.1 or opacus")
        ->type_name("LIST");
    command->callback([options, &streams, &exit_code] {
        run_epsilon(*options, streams);
        exit_code = 0;
    });
}

void add_delta_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace bracket_commands;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("delta", delta_help);
    command->add_option("--epsilon", options->given, "epsilon >= 0 (required), or several: 1,2,4")
        ->type_name("LIST");
    add_release_options(*command, options->privacy);
    add_standing_option(*command, options->privacy);
    add_effort_option(*command, options->privacy);
    add_tolerance_option(*command, *options);
    add_plot_option(*command, options->plot);
    command->callback([options, &streams, &exit_code] {
        run_delta(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
