#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "assay/account/calibrate.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/cli/working_notice.hpp"
#include "assay/cli/wrap.hpp"
#include "assay/files/build_info.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    R"(Finds the smallest noise multiplier that is (epsilon, delta)-private.

Examples:
  assay calibrate --sampling poisson --adjacency add-remove --epsilon 2 \
      --sampling-probability 0.004 --steps 10000 --delta 1e-6
  assay calibrate --sampling balls-and-bins --adjacency zero-out --epsilon 4 \
      --batches-per-epoch 1000 --epochs 10 --delta 1e-8 --precision 0.01 --json
  assay calibrate --adjacency zero-out --epsilon 2 --delta 1e-6 \
      --phase sampling=none,steps=3 \
      --phase sampling=shuffle,noise-multiplier=4,batches-per-epoch=100

Prints a noise multiplier whose delta is certainly at most the one given, and a
slightly smaller one whose delta certainly exceeds it. With --phase or
--schedule the phases without a noise multiplier get it, the same for all.
)";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> epsilon, delta, precision;
};

double read_required(const char* name, const std::optional<std::string>& text,
                     bool (*is_admitted)(double), std::string_view admitted) {
    if (!text) throw Error(fmt::format("{} is missing: {}", name, admitted));
    return read_option(name, *text, is_admitted, admitted);
}

Json report_json(const ReleaseInput& input, const PrivacyTarget& target, const Calibration& found) {
    return {{"quantity", "noise_multiplier"},
            {"epsilon", target.epsilon},
            {"delta", target.delta},
            {"adjacency", to_string(input.release.adjacency)},
            {"phases", input.phases_json()},
            {"lower", found.insufficient},
            {"upper", found.sufficient},
            {"precision", found.precision()},
            {"delta_at_upper",
             {{"lower", side_json(found.delta.lower)}, {"upper", side_json(found.delta.upper)}}},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
}

std::string report_text(const ReleaseInput& input, const PrivacyTarget& target,
                        const Calibration& found, double precision) {
    std::string text = fmt::format("noise multiplier {} is ({}, {})-private: delta in [{}, {}]\n",
                                   found.sufficient, target.epsilon, target.delta,
                                   text_not_above(found.delta.lower.value),
                                   text_not_below(found.delta.upper.value));
    if (found.insufficient > 0.0)
        text += fmt::format("noise multiplier {} is not\n", found.insufficient);
    if (found.precision() > precision)
        text += wrapped(
            fmt::format("relative precision {:.2g}: {}", found.precision(),
                        found.insufficient > 0.0 ? "the brackets of delta hide what is between"
                                                 : "no smaller noise was seen to be insufficient"),
            "  ", 4);
    text += "\n" + side_line("upper", found.delta.upper) + "\nphases\n";
    for (PhaseInput phase : input.phases) {
        if (noise_multiplier(phase.phase.mechanism) == 0.0)
            set_noise_multiplier(phase.phase.mechanism, found.sufficient);
        text += wrapped(phase.description(), "  ", 4);
    }
    text += "\nassumptions\n";
    for (const std::string& line : input.assumptions()) text += wrapped(line, "  ", 4);
    return text;
}

void run(const Options& options, Streams& streams) {
    const PrivacyTarget target{
        read_required(
            "epsilon", options.epsilon, [](double x) { return x >= 0.0; }, "a number >= 0"),
        read_required(
            "delta", options.delta, [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1")};
    const Goal goal = goal_of(effort_from_string(options.privacy.effort));
    double precision = goal.relative_gap;
    if (options.precision)
        precision = read_option(
            "precision", *options.precision, [](double x) { return x >= 1e-9 && x < 1.0; },
            "1e-9 <= precision < 1");
    const ReleaseInput input = read_release(options.privacy, std::nullopt, OpenNoise::allowed);
    const Calibration found = [&] {
        const WorkingNotice notice(streams.err, "looking for the noise");
        return calibrate(input.release, target, precision, goal);
    }();
    if (options.precision && found.precision() > precision)
        throw DomainError(
            "precision", *options.precision,
            fmt::format("about {:.2g} at best: the brackets of delta hide what is between "
                        "noise {} and {}",
                        found.precision(), found.insufficient, found.sufficient));
    streams.out << (options.privacy.json ? report_json(input, target, found).dump(2) + '\n'
                                         : report_text(input, target, found, precision));
}

}  // namespace

void add_calibrate_command(CLI::App& program, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("calibrate", help);
    add_release_options(*command, options->privacy, "noise-multiplier");
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* text) {
        command->add_option(name, target, text)->type_name("NUMBER");
    };
    add("--epsilon", options->epsilon, "epsilon >= 0 (required)");
    add("--delta", options->delta, "0 < delta < 1 (required)");
    add("--precision", options->precision,
        "relative precision of the noise (that of the effort); given, it is refused where it "
        "cannot be reached");
    add_effort_option(*command, options->privacy);
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
