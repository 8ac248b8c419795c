#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <set>

#include "assay/account/compare.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/picture.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/help/wrap.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/privacy/assumptions.hpp"

namespace assay::cli {

namespace compare_command {

constexpr const char* help =
    R"(Compares the samplers on one training run.

Examples:
  assay compare --dataset-size 50000 --batch-size 500 --epochs 10 \
      --epsilon 3 --delta 1e-5
  assay compare --dataset-size 50000 --batch-size 500 --epochs 10 \
      --noise-multiplier 1 --delta 1e-5 --json
  assay compare --dataset-size 50000 --batch-size 500 --epochs 1 \
      --epsilon 3 --delta 1e-5 --adjacency add-remove

Prints for each sampler the noise multiplier that is enough for (epsilon,
delta), to 1 %, and one that is not; or, at a noise multiplier, [lower, upper]
of epsilon. Adjacencies differ where no theorem covers a sampler under the one
asked for: numbers under different adjacencies do not compare.
)";

struct Options {
    std::optional<std::string> dataset_size, batch_size, epochs, epsilon, delta, noise, plot;
    std::string adjacency = "zero-out";
    std::string effort = "normal";
    bool json = false;
};

std::string name_of(const ComparedSampler& row) {
    return std::string(sampling_name(row.release.phases.front().mechanism));
}

Json row_json(const ComparedSampler& row) {
    Json json{{"sampling", name_of(row)},
              {"adjacency", to_string(row.release.adjacency)},
              {"description", describe(row.release)},
              {"release", release_json(row.release)}};
    if (row.noise)
        json["noise_multiplier"] = {{"lower", row.noise->insufficient},
                                    {"upper", row.noise->sufficient}};
    if (row.epsilon)
        json["epsilon"] = {{"lower", side_json(row.epsilon->lower)},
                           {"upper", side_json(row.epsilon->upper)}};
    if (!row.refused.empty()) json["refused"] = row.refused;
    json["assumptions"] = assumptions(row.release);
    return json;
}

std::string row_text(const ComparedSampler& row) {
    std::string numbers = row.refused;
    if (row.noise)
        numbers =
            fmt::format("{:>12} is enough, {} is not", text_not_below(row.noise->sufficient, 6),
                        text_not_above(row.noise->insufficient, 6));
    if (row.epsilon) {
        numbers = fmt::format("{:>24}", describe(*row.epsilon, 6));
    }
    return fmt::format(
        "{:<32} {:<12} {}\n", name_of(row),
        fmt::format("{}{}", to_string(row.release.adjacency), row.is_wanted_adjacency ? "" : " *"),
        numbers);
}

/// What all rows presume, once, and what single ones do besides.
std::string assumptions_text(const std::vector<ComparedSampler>& rows) {
    std::set<std::string> common;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<std::string> lines = assumptions(rows[i].release);
        std::set<std::string> own(lines.begin(), lines.end());
        if (i == 0) common = own;
        std::set<std::string> both;
        for (const std::string& line : common)
            if (own.contains(line)) both.insert(line);
        common = both;
    }
    std::string text = "\nall of them assume\n";
    for (const std::string& line : common) text += wrapped(line, "  ", 4);
    text += "\nwhat differs\n";
    for (const ComparedSampler& row : rows) {
        text += "  " + name_of(row) + "\n";
        for (const std::string& line : assumptions(row.release))
            if (!common.contains(line)) text += wrapped(line, "    ", 6);
    }
    return text;
}

void run(const Options& options, Streams& streams) {
    constexpr std::int64_t most_records = 1'000'000'000'000'000;
    const TrainingRun training{
        read_integer_option(
            "dataset-size",
            required("dataset-size", options.dataset_size, "records in the data set"),
            most_records),
        read_integer_option("batch-size",
                            required("batch-size", options.batch_size, "records in a batch"),
                            most_records),
        options.epochs ? read_integer_option("epochs", *options.epochs, 100'000) : 1};
    const Adjacency adjacency = adjacency_from_string(options.adjacency);
    const Goal goal = goal_of(effort_from_string(options.effort));
    const double delta = read_required(
        "delta", options.delta, [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1");
    if (options.epsilon.has_value() == options.noise.has_value())
        throw Error("either epsilon, for the noise that is needed, or noise-multiplier");
    const Picture picture(options.plot, "compare.py");
    const WorkingNotice notice(streams.err, "comparing the samplers");
    std::vector<ComparedSampler> rows;
    if (options.epsilon) {
        const double epsilon = read_option(
            "epsilon", *options.epsilon, [](double x) { return x >= 0.0; }, "a number >= 0");
        rows = compare_noise(training, adjacency, PrivacyTarget{epsilon, delta}, 1e-2, goal);
    } else {
        const double noise = read_option(
            "noise-multiplier", *options.noise, [](double x) { return x > 0.0; },
            "a positive finite number");
        rows = compare_epsilon(training, adjacency, noise, delta, goal);
    }
    Json json{{"dataset_size", training.dataset_size},
              {"batch_size", training.batch_size},
              {"epochs", training.epochs},
              {"delta", delta},
              {"samplers", Json::array()},
              {"version", build_info().version}};
    for (const ComparedSampler& row : rows) json["samplers"].push_back(row_json(row));
    if (picture.is_wanted()) {
        Json drawn = json;
        drawn["adjacency"] = to_string(adjacency);
        drawn["title"] = options.epsilon ? fmt::format("noise multiplier for ({}, {})",
                                                       *options.epsilon, *options.delta)
                                         : fmt::format("epsilon at delta = {}, noise multiplier {}",
                                                       *options.delta, *options.noise);
        picture.draw(drawn);
    }
    if (options.json) {
        streams.out << json.dump(2) << '\n';
        return;
    }
    std::string text = fmt::format(
        "{:<32} {:<12} {}\n", "sampling", "adjacency",
        options.epsilon
            ? fmt::format("noise multiplier for ({}, {})", *options.epsilon, *options.delta)
            : fmt::format("epsilon at delta = {}, noise multiplier {}", *options.delta,
                          *options.noise));
    bool differs = false;
    for (const ComparedSampler& row : rows) {
        text += row_text(row);
        differs = differs || !row.is_wanted_adjacency;
    }
    if (differs)
        text += "* no theorem covers this sampler under the adjacency asked for: do not compare\n";
    streams.out << text + assumptions_text(rows);
}

}  // namespace compare_command

void add_compare_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace compare_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("compare", help);
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* type,
                         const char* text) {
        command->add_option(name, target, text)->type_name(type);
    };
    add("--dataset-size", options->dataset_size, "INTEGER", "records (required)");
    add("--batch-size", options->batch_size, "INTEGER",
        "records in a batch, expected or exact (required)");
    add("--epochs", options->epochs, "INTEGER", "passes over the data (1)");
    add("--delta", options->delta, "NUMBER", "0 < delta < 1 (required)");
    add("--epsilon", options->epsilon, "NUMBER", "epsilon >= 0: the noise that is needed");
    add("--noise-multiplier", options->noise, "NUMBER",
        "noise / clip norm: the epsilon that it has");
    command->add_option("--adjacency", options->adjacency, "add-remove, replace-one or zero-out")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--effort", options->effort, "quick, normal or thorough")
        ->type_name("NAME")
        ->capture_default_str();
    add_plot_option(*command, options->plot);
    command->add_flag("--json", options->json, "as JSON");
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
