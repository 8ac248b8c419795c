#include "assay/cli/epoch_report.hpp"

#include <fmt/format.h>

#include <limits>

#include "assay/balls_and_bins/deterministic_batches.hpp"
#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/balls_and_bins/lower_bounds.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/decimal.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/record/build_info.hpp"

namespace assay::cli {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct EpochInput {
    EpochMechanism mechanism;
    std::int64_t epochs = 1;
};

/// What one side of an answer is and why.
struct Finding {
    Bound lower;
    Bound upper;
    double gap = 0.0;  // (upper - lower) / upper of delta
    std::string note;
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

Finding sides(const Enclosure& x, Theorem theorem, double trivial_upper) {
    Finding finding;
    finding.lower = x.lower > 0.0 ? Bound{x.lower, Direction::lower, theorem}
                                  : vacuous(Direction::lower, theorem);
    finding.upper = Bound{x.upper, Direction::upper, theorem,
                          x.upper < trivial_upper ? Status::certified : Status::vacuous};
    return finding;
}

Finding answer(const Shuffled& m, std::int64_t epochs, bool wants_delta, double given,
               const GapGoal&) {
    if (epochs != 1)
        throw DomainError("epochs", fmt::format("{}", epochs), "1 with sampling = shuffle");
    const auto delta = [&](double epsilon) { return largest_coordinate_delta(m, epsilon).lower; };
    double lower = 0.0;
    if (wants_delta) {
        lower = delta(given);
    } else if (delta(0.0) > given) {
        double high = 1.0;
        while (high < 1e6 && delta(high) > given) high *= 2.0;
        while (high - lower > 1e-10 * high) {
            const double middle = 0.5 * (lower + high);
            (delta(middle) > given ? lower : high) = middle;
        }
    }
    Finding finding = sides({lower, wants_delta ? 1.0 : infinity}, cite::chua2024_shuffle,
                            wants_delta ? 1.0 : infinity);
    finding.note = "a lower bound only: no upper bound of shuffling's own is known";
    if (wants_delta)
        finding.note += fmt::format(
            " (deterministic batches, {}, are no better)",
            text_not_below(deterministic_delta({m.noise_multiplier, m.steps}, given).upper));
    return finding;
}

Finding answer(const DeterministicBatches& m, std::int64_t epochs, bool wants_delta, double given,
               const GapGoal&) {
    const Phase phase{Gaussian{m.noise_multiplier}, epochs};
    const PrivacyBracket bracket = wants_delta
                                       ? delta_bracket({&phase, 1}, Adjacency::zero_out, given)
                                       : epsilon_bracket({&phase, 1}, Adjacency::zero_out, given);
    Finding finding;
    finding.lower = bracket.lower;
    finding.upper = bracket.upper;
    finding.note = "a record is in one batch of the epoch: one Gaussian step an epoch";
    return finding;
}

Finding answer(const BallsAndBins& m, std::int64_t epochs, bool wants_delta, double given,
               const GapGoal& goal) {
    Enclosure found;
    if (wants_delta)
        found = epochs > 1 ? composed_delta(m, epochs, given, goal) : delta_within(m, given, goal);
    else
        found = epochs > 1 ? composed_epsilon(m, epochs, given, goal)
                           : EpochCurve(m, Adjacency::zero_out, goal).epsilon(given);
    Finding finding = sides(found, cite::convex_order, wants_delta ? 1.0 : infinity);
    // The pair is a mixture of those of deterministic batches, and the divergence is convex: theirs
    // bounds it. That is all there is where the rounding of the sums exceeds what is asked.
    const Finding plain =
        answer(DeterministicBatches{m.noise_multiplier, m.steps}, epochs, wants_delta, given, goal);
    if (plain.upper.value < finding.upper.value) {
        finding.upper = plain.upper;
        finding.note = "upper side: that of deterministic batches, which is no smaller (convexity)";
    }
    const double upper = finding.upper.value;
    finding.gap = upper < infinity && upper > 0.0 ? (upper - finding.lower.value) / upper : 0.0;
    return finding;
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
    const Finding found =
        std::visit([&](const auto& m) { return answer(m, input.epochs, wants_delta, given, goal); },
                   input.mechanism);
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
