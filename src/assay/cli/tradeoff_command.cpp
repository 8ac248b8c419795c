#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "assay/account/group_risk.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/picture.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/help/wrap.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace tradeoff_command {

constexpr const char* help =
    R"(Brackets what any attacker can do: the trade-off of error rates of a release.

Examples:
  assay tradeoff --sampling poisson --adjacency add-remove \
      --noise-multiplier 1.1 --sampling-probability 0.004 --steps 10000
  assay tradeoff --sampling balls-and-bins --adjacency zero-out --at-fpr 1e-3 \
      --noise-multiplier 0.4 --batches-per-epoch 36133 --both-directions --json
  assay tradeoff --sampling poisson --adjacency add-remove --mu \
      --noise-multiplier 9.4 --sampling-probability 0.328 --steps 2000
  assay tradeoff --sampling shuffle --adjacency zero-out --noise-multiplier 1 \
      --batches-per-epoch 100 --plot shuffle.svg --delta 1e-6

Prints, as CSV or JSON, the largest true positive rate of any test of a false
positive rate, and its least type two error, each as [lower, upper]: the worse
of both directions, or each of them. With --mu, the smallest mu of Gaussian
privacy and how much the Bayes risk falls where it is reported instead.
)";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> levels, group, smallest_error, plot, delta;
    bool both_directions = false;
    bool mu = false;
};

/// Levels in both corners and between.
std::vector<double> default_levels() {
    std::vector<double> levels;
    for (int i = -48; i <= -4; ++i) levels.push_back(std::pow(10.0, 0.25 * i));
    for (int i = 2; i <= 9; ++i) levels.push_back(0.1 * i);
    for (int i = 5; i <= 24; ++i) levels.push_back(1.0 - std::pow(10.0, -0.25 * i));
    return levels;
}

/// The same, close enough for a picture.
std::vector<double> drawn_levels() {
    std::vector<double> levels = default_levels();
    for (int i = 1; i <= 99; ++i) levels.push_back(0.01 * i);
    std::sort(levels.begin(), levels.end());
    return levels;
}

std::vector<double> read_levels(const Options& options) {
    if (!options.levels) return default_levels();
    return read_numbers(
        "at-fpr", options.levels, [](double x) { return x >= 0.0 && x <= 1.0; },
        "false positive rates from 0 to 1, separated by commas");
}

std::vector<TestDirection> directions_of(const Options& options) {
    if (options.both_directions) return {TestDirection::removal, TestDirection::addition};
    return {TestDirection::worst};
}

struct Row {
    TestDirection direction;
    double level;
    Bracket power;
    Bracket miss;
};

Json bracket_json(const Bracket& bracket) {
    return {{"lower", side_json(bracket.lower)}, {"upper", side_json(bracket.upper)}};
}

Json header_json(const ReleaseInput& input, std::int64_t group, const TradeOff& curve) {
    return {{"adjacency", to_string(input.release.adjacency)},
            {"phases", input.phases_json()},
            {"release", release_json(input.release)},
            {"group", group},
            {"symmetric", curve.is_symmetric()},
            {"note", curve.note().empty() ? Json(nullptr) : Json(curve.note())},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
}

/// The curve at `rows` with what it is seen beside.
Json points_json(const std::vector<Row>& rows) {
    Json points = Json::array();
    for (const Row& row : rows)
        points.push_back({{"direction", to_string(row.direction)},
                          {"false_positive_rate", row.level},
                          {"true_positive_rate", bracket_json(row.power)},
                          {"type_two_error", bracket_json(row.miss)}});
    return points;
}

/// For reference: what (epsilon, delta) says by itself, and the Gaussian curve of visible errors.
Json reference_json(const Options& options, const ReleaseInput& input, const TradeOff& curve,
                    std::int64_t group, const Goal& goal) {
    const double delta = options.delta
                             ? read_option(
                                   "delta", *options.delta,
                                   [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1")
                             : 1e-5;
    constexpr double visible = 1e-3;
    return {
        {"delta", delta},
        {"epsilon", json_number(epsilon_of_group(input.release, delta, group, goal).upper.value)},
        {"smallest_error", visible},
        {"mu", json_number(curve.gaussian_mu(visible).mu.upper.value)}};
}

void print_mu(const Options& options, const ReleaseInput& input, const TradeOff& curve,
              std::int64_t group, Streams& streams) {
    const double smallest =
        options.smallest_error
            ? read_option(
                  "smallest-error", *options.smallest_error,
                  [](double x) { return x >= 0.0 && x < 0.5; }, "0 <= error < 0.5")
            : 0.0;
    const GaussianMu found = curve.gaussian_mu(smallest);
    if (options.privacy.json) {
        Json json = header_json(input, group, curve);
        json["smallest_error"] = smallest;
        json["note"] = found.mu.note.empty() ? Json(nullptr) : Json(found.mu.note);
        json["mu"] = bracket_json(found.mu);
        json["regret"] = bracket_json(found.regret);
        streams.out << json.dump(2) << '\n';
        return;
    }
    streams.out << fmt::format("mu in {}", describe(found.mu))
                << (smallest > 0.0
                        ? fmt::format(", where both errors are at least {}\n", smallest)
                        : std::string(", at all levels (--smallest-error leaves out the rarest)\n"))
                << fmt::format("regret in {}\n", describe(found.regret))
                << side_line("upper", found.mu.upper) << '\n';
    if (!found.mu.note.empty()) streams.out << wrapped("note: " + found.mu.note, "  ", 4);
}

void print_rows(const Options& options, const ReleaseInput& input, const TradeOff* curve,
                std::int64_t group, const Goal& goal, const Picture& picture, Streams& streams) {
    std::vector<Row> rows;
    std::optional<TradeOff> last;
    for (const double level : read_levels(options)) {
        if (curve == nullptr) last = trade_off_at(input.release, level, goal, group);
        const TradeOff& at = curve != nullptr ? *curve : *last;
        for (const TestDirection direction : directions_of(options))
            rows.push_back({direction, level, at.true_positive_rate(level, direction),
                            at.type_two_error(level, direction)});
    }
    const TradeOff& any = curve != nullptr ? *curve : *last;
    if (picture.is_wanted()) {
        Json json = header_json(input, group, any);
        std::vector<Row> drawn;
        for (const double level : drawn_levels())
            for (const TestDirection direction : directions_of(options))
                drawn.push_back({direction, level, any.true_positive_rate(level, direction),
                                 any.type_two_error(level, direction)});
        json["points"] = points_json(drawn);
        json["reference"] = reference_json(options, input, any, group, goal);
        picture.draw(json);
    }
    if (options.privacy.json) {
        Json json = header_json(input, group, any);
        json["gap"] = curve != nullptr ? Json(json_number(curve->gap())) : Json(nullptr);
        json["points"] = points_json(rows);
        streams.out << json.dump(2) << '\n';
        return;
    }
    std::string text =
        "direction,false_positive_rate,true_positive_rate_lower,"
        "true_positive_rate_upper,type_two_error_lower,type_two_error_upper\n";
    for (const Row& row : rows)
        text += fmt::format(
            "{},{},{},{},{},{}\n", to_string(row.direction), number_to_text(row.level),
            number_to_text(row.power.lower.value), number_to_text(row.power.upper.value),
            number_to_text(row.miss.lower.value), number_to_text(row.miss.upper.value));
    streams.out << text;
}

void run(const Options& options, Streams& streams) {
    const ReleaseInput input = read_release(options.privacy);
    Goal goal = goal_of(effort_from_string(options.privacy.effort));
    goal.standing = input.standing;
    const std::int64_t group =
        options.group ? read_integer_option("group", *options.group, 1'000'000) : 1;
    if (options.smallest_error && !options.mu)
        throw DomainError("smallest-error", *options.smallest_error, "given with --mu alone");
    if (options.mu && (options.levels || options.both_directions))
        throw Error("--mu is asked for by itself: without --at-fpr and --both-directions");
    if (options.plot && (options.levels || options.mu))
        throw Error("--plot draws the whole curve: without --at-fpr and --mu");
    if (options.delta && !options.plot)
        throw DomainError("delta", *options.delta, "given with --plot alone");
    const Picture picture(options.plot, "trade_off.py");
    const WorkingNotice notice(streams.err, "refining the trade-off curve");
    // A few levels are answered more closely one by one.
    if (options.levels && read_levels(options).size() <= 4) {
        print_rows(options, input, nullptr, group, goal, picture, streams);
        return;
    }
    const TradeOff curve(input.release, goal, group);
    if (options.mu)
        print_mu(options, input, curve, group, streams);
    else
        print_rows(options, input, &curve, group, goal, picture, streams);
}

}  // namespace tradeoff_command

void add_tradeoff_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace tradeoff_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("tradeoff", help);
    add_release_options(*command, options->privacy);
    command
        ->add_option("--at-fpr", options->levels,
                     "false positive rates, separated by commas (a grid down to 1e-12)")
        ->type_name("LIST");
    command->add_flag("--both-directions", options->both_directions,
                      "removal (the test claims that the record was there) and addition, each");
    command->add_option("--group", options->group, "records that differ (1)")->type_name("INTEGER");
    command->add_flag("--mu", options->mu, "the smallest mu of Gaussian privacy, and its regret");
    command
        ->add_option("--smallest-error", options->smallest_error,
                     "with --mu, of the levels that count: both errors are at least this (0)")
        ->type_name("NUMBER");
    add_plot_option(*command, options->plot);
    command
        ->add_option("--delta", options->delta,
                     "with --plot, of the (epsilon, delta) that is drawn beside it (1e-5)")
        ->type_name("NUMBER");
    add_standing_option(*command, options->privacy);
    add_effort_option(*command, options->privacy);
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
