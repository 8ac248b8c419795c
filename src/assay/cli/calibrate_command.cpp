#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/balls_and_bins/epoch_curve.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/decimal.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/record/build_info.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    "The smallest noise multiplier that is (epsilon, delta)-private, on the safe side.\n\n"
    "Examples:\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --steps 36133 \\\n"
    "      --epsilon 1 --delta 1e-6\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --steps 1000 \\\n"
    "      --epsilon 4 --delta 1e-8 --precision 1e-4 --json\n\n"
    "Prints a noise multiplier whose delta is at most the one given for certain, and one a little\n"
    "smaller whose delta exceeds it for certain.\n";

struct Options {
    std::optional<std::string> sampling, adjacency, steps, epsilon, delta;
    std::string precision = "1e-3";
    bool json = false;
};

const std::string& required(const char* name, const std::optional<std::string>& text) {
    if (!text) throw Error(fmt::format("{} is missing", name));
    return *text;
}

void run(const Options& options, Streams& streams) {
    const std::string& sampling = required("sampling", options.sampling);
    if (sampling != "balls-and-bins") throw DomainError("sampling", sampling, "balls-and-bins");
    const Adjacency adjacency = adjacency_from_string(required("adjacency", options.adjacency));
    const std::int64_t steps =
        read_integer_option("steps", required("steps", options.steps), 1'000'000'000'000);
    const double epsilon = read_option(
        "epsilon", required("epsilon", options.epsilon), [](double x) { return x >= 0.0; },
        "a number >= 0");
    const double delta = read_option(
        "delta", required("delta", options.delta), [](double x) { return x > 0.0 && x < 1.0; },
        "0 < delta < 1");
    const double precision = read_option(
        "precision", options.precision, [](double x) { return x >= 1e-9 && x < 1.0; },
        "1e-9 <= precision < 1");
    const NoiseCalibration found =
        smallest_noise_multiplier(steps, adjacency, epsilon, delta, precision);
    if (options.json) {
        streams.out << Json{{"quantity", "noise_multiplier"},
                            {"sampling", sampling},
                            {"adjacency", to_string(adjacency)},
                            {"steps", steps},
                            {"epsilon", epsilon},
                            {"delta", delta},
                            {"noise_multiplier", found.noise_multiplier},
                            {"insufficient", found.insufficient},
                            {"delta_lower", found.delta.lower},
                            {"delta_upper", found.delta.upper},
                            {"theorem", cite::convex_order.citation},
                            {"standing", to_string(cite::convex_order.standing)},
                            {"status", "certified"},
                            {"version", build_info().version}}
                           .dump(2)
                    << '\n';
        return;
    }
    streams.out << fmt::format(
        "noise multiplier {} is ({}, {})-private: delta in [{}, {}]\n", found.noise_multiplier,
        epsilon, delta, text_not_above(found.delta.lower), text_not_below(found.delta.upper));
    if (found.insufficient > 0.0)
        streams.out << fmt::format("noise multiplier {} is not\n", found.insufficient);
    streams.out << fmt::format(
        "  {} steps of balls-and-bins under zero-out; {} (ours: proved "
        "there, not peer-reviewed)\n",
        steps, cite::convex_order.citation);
}

}  // namespace

void add_calibrate_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("calibrate", help);
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* type,
                         const char* text) {
        command->add_option(name, target, text)->type_name(type);
    };
    add("--sampling", options->sampling, "NAME", "balls-and-bins (required)");
    add("--adjacency", options->adjacency, "NAME", "zero-out (required)");
    add("--steps", options->steps, "INTEGER", "batches in the epoch (required)");
    add("--epsilon", options->epsilon, "NUMBER", "epsilon >= 0 (required)");
    add("--delta", options->delta, "NUMBER", "0 < delta < 1 (required)");
    command->add_option("--precision", options->precision, "relative precision of the noise")
        ->type_name("NUMBER")
        ->capture_default_str();
    command->add_flag("--json", options->json, "print one JSON object")->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
