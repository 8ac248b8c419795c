#include "assay/cli/epoch_report.hpp"

#include <fmt/format.h>

#include "assay/cli/bracket_report.hpp"
#include "assay/cli/decimal.hpp"
#include "assay/dpsgd/epoch_bracket.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/record/build_info.hpp"

namespace assay::cli {

namespace {

struct EpochInput {
    EpochMechanism mechanism;
    std::int64_t epochs = 1;
};

std::optional<std::string> field(const PhaseFields& fields, std::string_view key) {
    const auto found = fields.find(key);
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

EpochInput read_epoch(const PrivacyOptions& options) {
    const PhaseFields& fields = options.fields;
    const std::string sampling = *field(fields, "sampling");
    if (!options.adjacency) throw Error("adjacency is missing: zero-out");
    if (const auto given = field(fields, "sampling-probability"))
        throw DomainError("sampling-probability", *given,
                          fmt::format("left out with sampling = {}: give --steps", sampling));
    const auto noise = field(fields, "noise-multiplier");
    if (!noise) throw Error("noise-multiplier is missing: a positive number");
    const double sigma = read_option(
        "noise-multiplier", *noise, [](double x) { return x > 0.0; }, "a positive number");
    std::int64_t steps = 0;
    const auto size = field(fields, "dataset-size");
    const auto batch = field(fields, "batch-size");
    if (const auto given = field(fields, "steps")) {
        if (size || batch)
            throw DomainError("steps", *given, "either --steps or the two sizes, not both");
        steps = read_integer_option("steps", *given, 1'000'000'000'000);
    } else if (size && batch) {
        const std::int64_t records = read_integer_option("dataset-size", *size, 1'000'000'000'000);
        const std::int64_t drawn = read_integer_option("batch-size", *batch, records);
        steps = (records + drawn / 2) / drawn;
    } else {
        throw Error(
            "steps is missing: the batches of one epoch, or --batch-size and "
            "--dataset-size");
    }
    EpochInput input;
    if (const auto given = field(fields, "epochs"))
        input.epochs = read_integer_option("epochs", *given, 100'000);
    if (sampling == "balls-and-bins")
        input.mechanism = BallsAndBins{sigma, steps};
    else if (sampling == "shuffle")
        input.mechanism = Shuffled{sigma, steps};
    else
        input.mechanism = DeterministicBatches{sigma, steps};
    validate(input.mechanism);
    require_theorem(input.mechanism, adjacency_from_string(*options.adjacency));
    return input;
}

std::vector<std::string> assumptions(const EpochInput& input) {
    std::vector<std::string> lines{
        "adjacency zero-out: equal public size, one record is replaced by a null one whose query "
        "is 0; sensitivity one clip norm"};
    if (std::holds_alternative<BallsAndBins>(input.mechanism))
        lines.emplace_back(
            "balls-and-bins: in every epoch each record goes to one of its batches, uniformly and "
            "independently of the others");
    else if (std::holds_alternative<Shuffled>(input.mechanism))
        lines.emplace_back(
            "shuffle: in every epoch the records are permuted uniformly and cut "
            "into batches of equal size");
    else
        lines.emplace_back("deterministic: the records are cut into batches in a fixed order");
    lines.emplace_back("every step's output is released; later steps may depend on earlier ones");
    lines.emplace_back(
        "worst case over all data sets and gradients; real arithmetic and exact "
        "randomness in the mechanism itself");
    return lines;
}

}  // namespace

bool is_epoch_sampling(const PhaseFields& fields) {
    const auto sampling = field(fields, "sampling");
    return sampling && (*sampling == "balls-and-bins" || *sampling == "shuffle" ||
                        *sampling == "deterministic");
}

void report_epoch(std::string_view wanted, double given, const PrivacyOptions& options,
                  const std::optional<std::string>& tolerance, Streams& streams) {
    if (!options.phases.empty() || options.schedule)
        throw Error("phases of several samplers are not composed with an epoch sampler: give one");
    const EpochInput input = read_epoch(options);
    const bool wants_delta = wanted == "delta";
    GapGoal goal;
    if (tolerance)
        goal.tolerance = read_option(
            "tolerance", *tolerance, [](double x) { return x > 0.0 && x < 1.0; },
            "0 < tolerance < 1");
    goal.negligible_delta = wants_delta ? 1e-300 : given / 2.0;
    const EpochBracket found = wants_delta
                                   ? epoch_delta(input.mechanism, input.epochs, given, goal)
                                   : epoch_epsilon(input.mechanism, input.epochs, given, goal);
    if (tolerance && found.gap > goal.tolerance)
        throw DomainError("tolerance", *tolerance,
                          fmt::format("at least {:.2g}: no finer grid is within the memory and "
                                      "time of one answer",
                                      found.gap));
    const std::string_view given_name = wants_delta ? "epsilon" : "delta";
    if (options.json) {
        Json json{{"quantity", wanted},
                  {std::string(given_name), given},
                  {"adjacency", "zero-out"},
                  {"sampling", sampling_name(input.mechanism)},
                  {"noise_multiplier",
                   std::visit([](const auto& m) { return m.noise_multiplier; }, input.mechanism)},
                  {"steps", std::visit([](const auto& m) { return m.steps; }, input.mechanism)},
                  {"epochs", input.epochs},
                  {"lower", side_json(found.lower)},
                  {"upper", side_json(found.upper)},
                  {"gap", found.gap},
                  {"note", found.note},
                  {"assumptions", assumptions(input)},
                  {"version", build_info().version}};
        streams.out << json.dump(2) << '\n';
        return;
    }
    std::string text = fmt::format("{} in [{}, {}] at {} = {}\n\n", wanted, side_text(found.lower),
                                   side_text(found.upper), given_name, given);
    text += side_line("upper", found.upper) + side_line("lower", found.lower);
    if (found.gap > 0.0)
        text += wrapped(fmt::format("relative gap between the sides: {:.2g}", found.gap));
    if (!found.note.empty()) text += wrapped(found.note);
    text += "\nmechanism\n" + wrapped(fmt::format("{}; {} epoch{}", describe(input.mechanism),
                                                  input.epochs, input.epochs == 1 ? "" : "s"));
    text += "\nassumptions\n";
    for (const std::string& line : assumptions(input)) text += wrapped(line);
    streams.out << text;
}

}  // namespace assay::cli
