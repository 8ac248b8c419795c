#include "assay/cli/privacy_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "assay/cli/schedule.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay::cli {

namespace {

std::vector<PhaseInput> read_phases(const PrivacyOptions& options,
                                    std::optional<std::int64_t> default_steps) {
    std::vector<PhaseInput> phases;
    for_each_phase(options, [&](const PhaseFields& fields) {
        phases.push_back(read_phase(fields, default_steps));
    });
    return phases;
}

std::string_view meaning(Adjacency adjacency) {
    switch (adjacency) {
        case Adjacency::add_remove: return "one of the data sets has one record more";
        case Adjacency::replace_one: return "equal size, one record differs";
        default: return "equal public size, one record is replaced by a null one whose query is 0";
    }
}

std::string_view sampler_assumption(const Mechanism& mechanism) {
    if (std::holds_alternative<SampledGaussian>(mechanism))
        return "poisson: every record takes part in a step independently with probability q";
    if (std::holds_alternative<FixedSizeGaussian>(mechanism))
        return "fixed-size-without-replacement: a step takes a uniform subset of size |B| = q |D|";
    if (std::holds_alternative<FixedSizeWithReplacementGaussian>(mechanism))
        return "fixed-size-with-replacement: a step takes |B| independent uniform draws from the "
               "|D| records; |D| is the size of the larger data set";
    return "none: every record takes part in every step";
}

}  // namespace

std::vector<Phase> PrivacyInput::plain_phases() const {
    std::vector<Phase> plain;
    for (const PhaseInput& input : phases) plain.push_back(input.phase);
    return plain;
}

std::vector<std::string> PrivacyInput::assumptions() const {
    std::vector<std::string> lines{
        "sensitivity: each record's gradient is clipped to norm C; Gaussian noise of standard "
        "deviation noise-multiplier * C is added to the sum; what the adjacency makes of C is "
        "accounted "
        "for",
        fmt::format("adjacency {}: {}", to_string(adjacency), meaning(adjacency))};
    std::vector<std::string_view> samplers;
    for (const PhaseInput& input : phases) {
        const std::string_view sampler = sampler_assumption(input.phase.mechanism);
        if (std::find(samplers.begin(), samplers.end(), sampler) != samplers.end()) continue;
        samplers.push_back(sampler);
        lines.push_back(fmt::format("sampling {}", sampler));
    }
    for (const PhaseInput& input : phases)
        if (input.batch_size &&
            !std::holds_alternative<FixedSizeWithReplacementGaussian>(input.phase.mechanism)) {
            lines.emplace_back(
                "q is the double nearest to |B|/|D|, the same for both neighbours; the bounds hold "
                "for that q");
            break;
        }
    lines.emplace_back(
        "composition: batches are drawn afresh at every step; later steps may depend on earlier "
        "outputs; every step's output is released");
    lines.emplace_back(
        "worst case over all data sets and gradients; real arithmetic and exact randomness in the "
        "mechanism itself");
    return lines;
}

void add_phase_fields(CLI::App& command, PhaseFields& fields, std::string_view left_out) {
    const auto add = [&](const char* key, const char* type, const char* help) {
        if (key == left_out) return;
        command
            .add_option_function<std::string>(
                std::string("--") + key,
                [&fields, key](const std::string& text) { fields[key] = text; }, help)
            ->type_name(type);
    };
    add("sampling", "NAME",
        "poisson, fixed-size-without-replacement, fixed-size-with-replacement or none; but for rdp "
        "also balls-and-bins, shuffle or deterministic (required)");
    add("noise-multiplier", "NUMBER",
        "noise standard deviation on the sum of clipped gradients / clip norm (required)");
    add("batch-size", "INTEGER", "|B|, records in a step (expected records for poisson)");
    add("dataset-size", "INTEGER", "|D|, records in the data set");
    add("sampling-probability", "NUMBER", "q = |B|/|D|, instead of the two sizes");
    add("steps", "INTEGER", "how often a batch is drawn; batches in an epoch for epoch samplers");
    add("epochs", "NUMBER",
        "instead of steps: steps = round(epochs |D|/|B|); repetitions for epoch samplers");
}

void for_each_phase(const PrivacyOptions& options, const TakePhase& take) {
    if (options.phases.empty() && !options.schedule) return take(options.fields);
    const char* source = options.schedule ? "schedule" : "phase";
    if (options.schedule && !options.phases.empty())
        throw DomainError("phase", options.phases.front(),
                          "either --phase or --schedule, not both");
    for (const auto& [key, text] : options.fields)
        throw DomainError(key, text, fmt::format("inside --{}, when that is given", source));
    if (options.schedule) return read_schedule(*options.schedule, take);
    std::size_t number = 0;
    for (const std::string& text : options.phases) {
        ++number;
        try {
            take(phase_fields(text));
        } catch (const Error& error) {
            throw Error(fmt::format("phase {}: {}", number, error.what()));
        }
    }
}

StandingFilter read_standing(const PrivacyOptions& options) {
    if (options.standing != "any" && options.standing != "published")
        throw DomainError("standing", options.standing, "any or published");
    return options.standing == "any" ? StandingFilter::any : StandingFilter::published;
}

void add_privacy_options(CLI::App& command, PrivacyOptions& options) {
    add_phase_fields(command, options.fields);
    command
        .add_option("--adjacency", options.adjacency,
                    "add-remove, replace-one or zero-out (required)")
        ->type_name("NAME");
    command
        .add_option("--phase", options.phases,
                    "one phase of several: \"sampling=...,noise-multiplier=...,steps=...\", the "
                    "options above without --; repeat")
        ->type_name("FIELDS")
        ->expected(1)
        ->take_all();
    command
        .add_option("--schedule", options.schedule,
                    "phases from a TOML file: one table [[phase]] each, keys as in --phase")
        ->type_name("FILE");
    command
        .add_option("--standing", options.standing,
                    "any: the best theorem; published: peer-reviewed ones alone")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_flag("--json", options.json, "print one JSON object")->disable_flag_override();
}

PrivacyInput read_privacy(const PrivacyOptions& options,
                          std::optional<std::int64_t> default_steps) {
    PrivacyInput input;
    if (!options.adjacency)
        throw Error("adjacency is missing: add-remove, replace-one or zero-out");
    input.adjacency = adjacency_from_string(*options.adjacency);
    input.filter = read_standing(options);
    input.phases = read_phases(options, default_steps);
    for (const PhaseInput& phase : input.phases)
        require_theorem(phase.phase.mechanism, input.adjacency);
    return input;
}

}  // namespace assay::cli
