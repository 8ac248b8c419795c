#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/account/calibrate.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    "The smallest noise multiplier that is (epsilon, delta)-private, on the safe side.\n\n"
    "Examples:\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --batches-per-epoch 36133 "
    "\\\n"
    "      --epsilon 1 --delta 1e-6\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --batches-per-epoch 1000 "
    "--epochs 10 \\\n"
    "      --epsilon 4 --delta 1e-8 --precision 1e-4 --json\n"
    "  assay calibrate --sampling poisson --adjacency add-remove --sampling-probability 0.004 \\\n"
    "      --steps 10000 --epsilon 2 --delta 1e-6\n\n"
    "Prints a noise multiplier whose delta is at most the one given for certain, and one a little\n"
    "smaller whose delta exceeds it for certain. Epoch samplers are bounded by convex order, the\n"
    "others by privacy loss distributions and Renyi divergences.\n";

struct Options {
    PhaseFields fields;
    std::optional<std::string> adjacency, epsilon, delta, precision;
    bool json = false;
};

const std::string& required(const char* name, const std::optional<std::string>& text) {
    if (!text) throw Error(fmt::format("{} is missing", name));
    return *text;
}

void run(const Options& options, Streams& streams) {
    if (options.fields.count("sampling") == 0)
        throw Error(fmt::format("sampling is missing: {}", admitted_samplings));
    const Adjacency adjacency = adjacency_from_string(required("adjacency", options.adjacency));
    const PrivacyTarget target{read_option(
                                   "epsilon", required("epsilon", options.epsilon),
                                   [](double x) { return x >= 0.0; }, "a number >= 0"),
                               read_option(
                                   "delta", required("delta", options.delta),
                                   [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1")};
    const double precision = read_option(
        "precision", options.precision.value_or("1e-3"),
        [](double x) { return x >= 1e-9 && x < 1.0; }, "1e-9 <= precision < 1");
    PhaseFields fields = options.fields;
    fields["noise-multiplier"] = "1";  // what is looked for
    PhaseInput input = read_phase(fields, std::nullopt);
    require_theorem(input.phase.mechanism, adjacency);
    set_noise_multiplier(input.phase.mechanism, 0.0);
    const Calibration found = calibrate({adjacency, {input.phase}}, target, precision);
    set_noise_multiplier(input.phase.mechanism, found.sufficient);
    const Bound& upper = found.delta.upper;
    if (options.precision && found.precision() > precision)
        throw DomainError(
            "precision", *options.precision,
            fmt::format("about {:.2g} at best: the brackets of delta hide what is between "
                        "noise {} and {}",
                        found.precision(), found.insufficient, found.sufficient));
    if (options.json) {
        Json json{{"quantity", "noise_multiplier"}};
        Json parameters = input.to_json();
        parameters.erase("noise_multiplier");
        json.update(parameters);
        json.update(Json{{"adjacency", to_string(adjacency)},
                         {"epsilon", target.epsilon},
                         {"delta", target.delta},
                         {"noise_multiplier", found.sufficient},
                         {"insufficient", found.insufficient},
                         {"precision", found.precision()},
                         {"delta_lower", found.delta.lower.value},
                         {"delta_upper", upper.value},
                         {"theorem", upper.theorem.citation},
                         {"standing", to_string(upper.theorem.standing)},
                         {"status", "certified"},
                         {"version", build_info().version}});
        streams.out << json.dump(2) << '\n';
        return;
    }
    streams.out << fmt::format("noise multiplier {} is ({}, {})-private: delta in [{}, {}]\n",
                               found.sufficient, target.epsilon, target.delta,
                               text_not_above(found.delta.lower.value),
                               text_not_below(upper.value));
    if (found.insufficient > 0.0)
        streams.out << fmt::format("noise multiplier {} is not\n", found.insufficient);
    if (found.precision() > precision)
        streams.out << fmt::format("  relative precision {:.2g}: {}\n", found.precision(),
                                   found.insufficient > 0.0
                                       ? "the brackets of delta hide what is between"
                                       : "no smaller noise was seen to be insufficient");
    streams.out << fmt::format("  {}; adjacency {}\n  {} ({})\n", input.description(),
                               to_string(adjacency), upper.theorem.citation,
                               upper.theorem.standing == Standing::ours
                                   ? "ours: proved there, not peer-reviewed"
                                   : "published");
}

}  // namespace

void add_calibrate_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("calibrate", help);
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* type,
                         const char* text) {
        command->add_option(name, target, text)->type_name(type);
    };
    add_phase_fields(*command, options->fields, "noise-multiplier");
    add("--adjacency", options->adjacency, "NAME",
        "add-remove, replace-one or zero-out (required)");
    add("--epsilon", options->epsilon, "NUMBER", "epsilon >= 0 (required)");
    add("--delta", options->delta, "NUMBER", "0 < delta < 1 (required)");
    add("--precision", options->precision, "NUMBER",
        "relative precision of the noise; given, it is refused where it cannot be reached; else "
        "1e-3, or what can be had");
    command->add_flag("--json", options->json, "print one JSON object")->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
