#include "assay/cli/epoch_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/cli/bracket_report.hpp"
#include "assay/cli/decimal.hpp"
#include "assay/cli/epoch_input.hpp"
#include "assay/dpsgd/epoch_bracket.hpp"
#include "assay/dpsgd/sequence_bracket.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/rdp/worst_pair.hpp"
#include "assay/record/build_info.hpp"

namespace assay::cli {

namespace {

/// All phases in their order, and what they are to the accountant.
struct Release {
    ReleaseSequence sequence;
    std::vector<std::string> descriptions;
    std::vector<Json> phases;

    [[nodiscard]] bool is_single() const {
        return sequence.epochs.size() == 1 && sequence.steps.empty();
    }
};

Release read_release(const PrivacyOptions& options) {
    if (!options.adjacency) throw Error("adjacency is missing: zero-out");
    const Adjacency adjacency = adjacency_from_string(*options.adjacency);
    Release release;
    const auto note = [&](const auto& input) {
        release.descriptions.push_back(input.description());
        release.phases.push_back(input.to_json());
    };
    for_each_phase(options, [&](const PhaseFields& fields) {
        if (is_epoch_sampling(fields)) {
            const EpochInput input = read_epoch(fields, adjacency);
            release.sequence.epochs.push_back({input.mechanism, input.epochs});
            note(input);
        } else {
            const PhaseInput input = read_phase(fields, std::nullopt);
            require_theorem(input.phase.mechanism, adjacency);
            release.sequence.steps.push_back(input.phase);
            note(input);
        }
    });
    return release;
}

std::string_view assumption(const EpochMechanism& mechanism) {
    if (std::holds_alternative<BallsAndBins>(mechanism))
        return "balls-and-bins: in every epoch each record goes to one of its batches, uniformly "
               "and independently of the others";
    if (std::holds_alternative<Shuffled>(mechanism))
        return "shuffle: in every epoch the records are permuted uniformly and cut into batches of "
               "equal size";
    return "deterministic: the records are cut into batches in a fixed order";
}

std::vector<std::string> assumptions(const Release& release) {
    std::vector<std::string> lines{
        "adjacency zero-out: equal public size, one record is replaced by a null one whose query "
        "is 0; sensitivity one clip norm"};
    for (const auto& [mechanism, count] : release.sequence.epochs) {
        const std::string_view line = assumption(mechanism);
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.emplace_back(line);
    }
    if (!release.sequence.steps.empty())
        lines.emplace_back("the other samplers draw every batch anew, each as it is described");
    lines.emplace_back("every step's output is released; later steps may depend on earlier ones");
    lines.emplace_back(
        "worst case over all data sets and gradients; real arithmetic and exact "
        "randomness in the mechanism itself");
    return lines;
}

EpochBracket answer(const Release& release, bool wants_delta, double given, const GapGoal& goal,
                    StandingFilter filter) {
    if (!release.is_single()) {
        const auto& epochs = release.sequence.epochs;
        const bool any_bins = std::any_of(epochs.begin(), epochs.end(), [](const auto& part) {
            return std::holds_alternative<BallsAndBins>(part.mechanism);
        });
        if (filter == StandingFilter::published && any_bins)
            throw DomainError("standing", "published",
                              "any, where balls-and-bins is composed with others");
        return wants_delta ? sequence_delta(release.sequence, given, goal)
                           : sequence_epsilon(release.sequence, given, goal);
    }
    const auto& [mechanism, count] = release.sequence.epochs.front();
    return wants_delta ? epoch_delta(mechanism, count, given, goal, filter)
                       : epoch_epsilon(mechanism, count, given, goal, filter);
}

GapGoal read_goal(const Release& release, bool wants_delta, double given,
                  const std::optional<std::string>& tolerance) {
    GapGoal goal;
    goal.negligible_delta = wants_delta ? 1e-300 : given / 2.0;
    if (!tolerance) return goal;
    for (const auto& [mechanism, count] : release.sequence.epochs)
        if (std::holds_alternative<Shuffled>(mechanism))
            throw DomainError("tolerance", *tolerance,
                              "left out with sampling = shuffle: only a lower bound is known");
    goal.tolerance = read_option(
        "tolerance", *tolerance, [](double x) { return x > 0.0 && x < 1.0; }, "0 < tolerance < 1");
    return goal;
}

}  // namespace

bool has_epoch_sampling(const PrivacyOptions& options) {
    bool any = false;
    for_each_phase(options, [&](const PhaseFields& fields) { any |= is_epoch_sampling(fields); });
    return any;
}

void report_epoch(std::string_view wanted, double given, const PrivacyOptions& options,
                  const std::optional<std::string>& tolerance, Streams& streams) {
    const Release release = read_release(options);
    const bool wants_delta = wanted == "delta";
    const GapGoal goal = read_goal(release, wants_delta, given, tolerance);
    const EpochBracket found = answer(release, wants_delta, given, goal, read_standing(options));
    if (tolerance && found.gap > goal.tolerance)
        throw DomainError("tolerance", *tolerance,
                          found.gap < 0.9
                              ? fmt::format("at least {:.2g}: no finer grid is within the memory "
                                            "and time of one answer",
                                            1.1 * found.gap)
                              : "left out: no gap can be had within the memory and time of one "
                                "answer");
    const std::string_view given_name = wants_delta ? "epsilon" : "delta";
    if (options.json) {
        Json json{
            {"quantity", wanted}, {std::string(given_name), given}, {"adjacency", "zero-out"}};
        if (release.is_single())
            json.update(release.phases.front());
        else
            json["phases"] = release.phases;
        json.update(Json{{"lower", side_json(found.lower)},
                         {"upper", side_json(found.upper)},
                         {"gap", found.gap},
                         {"note", found.note},
                         {"assumptions", assumptions(release)},
                         {"version", build_info().version}});
        streams.out << json.dump(2) << '\n';
        return;
    }
    std::string text = fmt::format("{} in [{}, {}] at {} = {}\n\n", wanted, side_text(found.lower),
                                   side_text(found.upper), given_name, given);
    text += side_line("upper", found.upper) + side_line("lower", found.lower);
    if (found.gap > 0.0)
        text += wrapped(fmt::format("relative gap between the sides: {:.2g}", found.gap));
    if (!found.note.empty()) text += wrapped(found.note);
    text += release.is_single() ? "\nmechanism\n" : "\nphases\n";
    for (const std::string& line : release.descriptions) text += wrapped(line);
    text += "\nassumptions\n";
    for (const std::string& line : assumptions(release)) text += wrapped(line);
    streams.out << text;
}

}  // namespace assay::cli
