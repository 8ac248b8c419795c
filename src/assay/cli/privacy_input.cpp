#include "assay/cli/privacy_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "assay/cli/option_text.hpp"
#include "assay/cli/schedule.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

/// --sampling and the other fields of one phase.
void add_phase_fields(CLI::App& command, Fields& fields, std::string_view noise_required) {
    const auto add = [&](const char* name, const char* type, const char* help) {
        add_field(command, fields, name, type, help);
    };
    add("sampling", "NAME",
        "poisson, poisson-truncated, fixed-size-without-replacement, fixed-size-with-replacement, "
        "none, balls-and-bins, random-allocation, shuffle or deterministic (required, in every "
        "phase)");
    add("noise-multiplier", "NUMBER",
        fmt::format("noise standard deviation on the sum of clipped gradients / clip norm ({})",
                    noise_required)
            .c_str());
    add("batch-size", "INTEGER", "|B|, records in a step (the expected number for poisson)");
    add("dataset-size", "INTEGER", "|D|, records in the data set");
    add("maximum-batch-size", "INTEGER", "records at which a batch of poisson-truncated is cut");
    add("sampling-probability", "NUMBER", "q = |B|/|D|, instead of the two sizes");
    add("steps", "INTEGER", "how often a batch is drawn; not for epoch samplers");
    add("batches-per-epoch", "INTEGER",
        "batches in an epoch of balls-and-bins, random-allocation, shuffle or deterministic, "
        "instead of the two sizes, which make floor(|D|/|B|) of them");
    add("allocations", "INTEGER", "of random-allocation: batches of an epoch that a record is in");
    add("epochs", "NUMBER",
        "instead of steps: ceil(epochs ceil(|D|/|B|)) of them; of epoch samplers, their number "
        "(1)");
}

}  // namespace

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

void add_release_options(CLI::App& command, PrivacyOptions& options,
                         std::string_view noise_required) {
    add_phase_fields(command, options.fields, noise_required);
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
    command.add_flag("--json", options.json, "print one JSON object")->disable_flag_override();
}

void add_standing_option(CLI::App& command, PrivacyOptions& options) {
    command
        .add_option("--standing", options.standing,
                    "any: the best theorem; published: peer-reviewed ones alone")
        ->type_name("NAME")
        ->capture_default_str();
}

void add_effort_option(CLI::App& command, PrivacyOptions& options) {
    command
        .add_option(
            "--effort", options.effort,
            "quick, normal or thorough: gaps of 1e-2, 1e-3 or 1e-4 where the work that goes "
            "with it reaches them; of steps also a tenth of the latter two where it is cheap")
        ->type_name("NAME")
        ->capture_default_str();
}

}  // namespace assay::cli
