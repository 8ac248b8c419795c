#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/account/account.hpp"
#include "assay/account/smallest_noise.hpp"
#include "assay/balls_and_bins/noise_calibration.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/decimal.hpp"
#include "assay/cli/epoch_input.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/worst_pair.hpp"
#include "assay/record/build_info.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    "The smallest noise multiplier that is (epsilon, delta)-private, on the safe side.\n\n"
    "Examples:\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --steps 36133 \\\n"
    "      --epsilon 1 --delta 1e-6\n"
    "  assay calibrate --sampling balls-and-bins --adjacency zero-out --steps 1000 --epochs 10 \\\n"
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

/// What was found, with the words that go with it.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON does not throw
struct Calibration {
    Threshold found;
    std::string mechanism;
    Json parameters;
    Theorem theorem;
};

struct Target {
    double epsilon;
    double delta;
    double precision;
};

const std::string& required(const char* name, const std::optional<std::string>& text) {
    if (!text) throw Error(fmt::format("{} is missing", name));
    return *text;
}

Calibration of_epochs(const Options& options, Adjacency adjacency, const Target& target) {
    const EpochInput input = read_epoch(options.fields, adjacency);
    Calibration result;
    const std::int64_t steps = std::visit([](const auto& m) { return m.steps; }, input.mechanism);
    if (std::holds_alternative<Shuffled>(input.mechanism))
        throw DomainError("sampling", "shuffle",
                          "one with an upper bound of its own; deterministic bounds it");
    const bool is_plain = std::holds_alternative<DeterministicBatches>(input.mechanism);
    result.found =
        is_plain
            ? smallest_gaussian_noise(target.epsilon, target.delta, target.precision, input.epochs)
            : smallest_noise_multiplier(steps, adjacency, target.epsilon, target.delta,
                                        target.precision, input.epochs);
    if (is_plain) {
        result.theorem = cite::balle2018_gaussian;
    } else {
        const Threshold plain =
            smallest_gaussian_noise(target.epsilon, target.delta, target.precision, input.epochs);
        result.theorem = result.found.sufficient == plain.sufficient ? cite::chua2025_prop_3_2
                                                                     : cite::convex_order;
    }
    result.mechanism =
        fmt::format("{}, {} steps an epoch, {} epoch{}", sampling_name(input.mechanism), steps,
                    input.epochs, input.epochs == 1 ? "" : "s");
    result.parameters = Json{
        {"sampling", sampling_name(input.mechanism)}, {"steps", steps}, {"epochs", input.epochs}};
    return result;
}

Calibration of_steps(const Options& options, Adjacency adjacency, const Target& target) {
    const PhaseInput input = read_phase(options.fields, std::nullopt);
    require_theorem(input.phase.mechanism, adjacency);
    Calibration result;
    result.found = smallest_noise_multiplier(input.phase, adjacency, target.epsilon, target.delta,
                                             target.precision);
    result.parameters = input.to_json();
    result.parameters.erase("noise_multiplier");
    std::visit(
        [&](auto m) {
            m.noise_multiplier = result.found.sufficient;
            PhaseInput there = input;
            there.phase.mechanism = m;
            result.mechanism = there.description();
            const Release release{adjacency, {{there.phase.mechanism, there.phase.steps}}};
            result.theorem = delta(release, target.epsilon, {}, 0.5 * target.delta).upper.theorem;
        },
        input.phase.mechanism);
    return result;
}

void run(const Options& options, Streams& streams) {
    if (options.fields.count("sampling") == 0)
        throw Error(
            fmt::format("sampling is missing: {}, {}", admitted_samplings, epoch_samplings));
    const Adjacency adjacency = adjacency_from_string(required("adjacency", options.adjacency));
    const Target target{
        read_option(
            "epsilon", required("epsilon", options.epsilon), [](double x) { return x >= 0.0; },
            "a number >= 0"),
        read_option(
            "delta", required("delta", options.delta), [](double x) { return x > 0.0 && x < 1.0; },
            "0 < delta < 1"),
        read_option(
            "precision", options.precision.value_or("1e-3"),
            [](double x) { return x >= 1e-9 && x < 1.0; }, "1e-9 <= precision < 1")};
    Options known = options;
    known.fields["noise-multiplier"] = "1";  // what is looked for
    const Calibration result = is_epoch_sampling(known.fields) ? of_epochs(known, adjacency, target)
                                                               : of_steps(known, adjacency, target);
    const Threshold& found = result.found;
    if (options.precision && found.precision() > target.precision)
        throw DomainError(
            "precision", *options.precision,
            fmt::format("about {:.2g} at best: the brackets of delta hide what is between "
                        "noise {} and {}",
                        found.precision(), found.insufficient, found.sufficient));
    if (options.json) {
        Json json{{"quantity", "noise_multiplier"}};
        json.update(result.parameters);
        json.update(Json{{"adjacency", to_string(adjacency)},
                         {"epsilon", target.epsilon},
                         {"delta", target.delta},
                         {"noise_multiplier", found.sufficient},
                         {"insufficient", found.insufficient},
                         {"precision", found.precision()},
                         {"delta_lower", found.value.lower},
                         {"delta_upper", found.value.upper},
                         {"theorem", result.theorem.citation},
                         {"standing", to_string(result.theorem.standing)},
                         {"status", "certified"},
                         {"version", build_info().version}});
        streams.out << json.dump(2) << '\n';
        return;
    }
    streams.out << fmt::format("noise multiplier {} is ({}, {})-private: delta in [{}, {}]\n",
                               found.sufficient, target.epsilon, target.delta,
                               text_not_above(found.value.lower),
                               text_not_below(found.value.upper));
    if (found.insufficient > 0.0)
        streams.out << fmt::format("noise multiplier {} is not\n", found.insufficient);
    if (found.precision() > target.precision)
        streams.out << fmt::format("  relative precision {:.2g}: {}\n", found.precision(),
                                   found.insufficient > 0.0
                                       ? "the brackets of delta hide what is between"
                                       : "no smaller noise was seen to be insufficient");
    streams.out << fmt::format("  {}; adjacency {}\n  {} ({})\n", result.mechanism,
                               to_string(adjacency), result.theorem.citation,
                               result.theorem.standing == Standing::ours
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
