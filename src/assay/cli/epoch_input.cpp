#include "assay/cli/epoch_input.hpp"

#include <fmt/format.h>

#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

std::optional<std::string> field(const PhaseFields& fields, std::string_view key) {
    const auto found = fields.find(key);
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

}  // namespace

EpochInput read_epoch(const PhaseFields& fields, Adjacency adjacency) {
    const std::string sampling = *field(fields, "sampling");
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
    require_theorem(input.mechanism, adjacency);
    return input;
}

bool is_epoch_sampling(const PhaseFields& fields) {
    const auto sampling = field(fields, "sampling");
    return sampling && (*sampling == "balls-and-bins" || *sampling == "shuffle" ||
                        *sampling == "deterministic");
}

std::string EpochInput::description() const {
    return fmt::format("{}; {} epoch{}", describe(mechanism), epochs, epochs == 1 ? "" : "s");
}

Json EpochInput::to_json() const {
    return {{"sampling", sampling_name(mechanism)},
            {"noise_multiplier",
             std::visit([](const auto& m) { return m.noise_multiplier; }, mechanism)},
            {"steps", std::visit([](const auto& m) { return m.steps; }, mechanism)},
            {"epochs", epochs}};
}

}  // namespace assay::cli
