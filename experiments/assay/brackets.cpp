#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/privacy/batches.hpp"
#include "assay/privacy/citations.hpp"
#include "experiments/assay/assay.hpp"

namespace assay::experiments::brackets {
namespace {

/// One training run, whatever its sampler.
struct Run {
    double noise = 0.0;
    std::int64_t batch = 0;
    std::int64_t records = 0;
    std::int64_t epochs = 0;
    double delta = 0.0;

    [[nodiscard]] std::int64_t steps() const {
        return static_cast<std::int64_t>(steps_of_epochs(
            static_cast<double>(epochs), static_cast<double>(all_batches(records, batch))));
    }
};

std::vector<Run> read_runs(const Params& params) {
    std::vector<Run> runs;
    for (const Params& run : params.sections("run"))
        runs.push_back({run.number("noise_multiplier"), run.integer("batch_size"),
                        run.integer("dataset_size"), run.integer("epochs"), run.number("delta")});
    return runs;
}

/// The run as one phase of a sampler by its name in the TOML.
Phase phase_of(const Run& run, const Params& row) {
    const std::string name = row.text("sampling");
    const double q = static_cast<double>(run.batch) / static_cast<double>(run.records);
    const std::int64_t batches = complete_batches(run.records, run.batch);
    if (name == "poisson") return {SampledGaussian{run.noise, q}, run.steps()};
    if (name == "poisson-truncated") {
        const auto size = static_cast<double>(run.batch);
        const auto most =
            static_cast<std::int64_t>(size + row.number("deviations") * std::sqrt(size));
        return {TruncatedPoissonGaussian{run.noise, run.batch, run.records, most}, run.steps()};
    }
    if (name == "fixed-size-without-replacement")
        return {FixedSizeGaussian{run.noise, q}, run.steps()};
    if (name == "fixed-size-with-replacement")
        return {FixedSizeWithReplacementGaussian{run.noise, run.batch, run.records}, run.steps()};
    if (name == "balls-and-bins") return {BallsAndBins{run.noise, batches}, run.epochs};
    if (name == "shuffle") return {Shuffled{run.noise, batches}, run.epochs};
    if (name == "random-allocation")
        return {RandomAllocation{run.noise, batches, row.integer("allocations")}, run.epochs};
    row.refuse("sampling", "a sampler of this figure");
}

/// "fixed-size-with-replacement" and "add-remove" as a name of a series.
std::string name_of(const std::string& sampling, const std::string& adjacency) {
    std::string name = sampling + "_" + adjacency;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace

FigureResult run_brackets(const Params& params) {
    const std::vector<Run> runs = read_runs(params);
    const auto column = [](const char* name, const char* unit, Direction direction,
                           double tolerance = searched_tolerance) {
        return Column{
            .name = name, .unit = unit, .direction = direction, .golden_tolerance = tolerance};
    };
    Table table({{.name = "run", .unit = "1", .golden_tolerance = 0.0},
                 column("lower", "nats", Direction::lower),
                 column("upper", "nats", Direction::upper),
                 // A relative change of either side changes a gap of 1e-4 by 10,000 times as much.
                 column("gap", "1", Direction::upper, 2e4 * searched_tolerance)});
    for (const Params& row : params.sections("row")) {
        const std::string adjacency = row.text("adjacency");
        const std::string name = name_of(row.text("sampling"), adjacency);
        if (row.has("first_gap")) static_cast<void>(row.numbers("first_gap"));  // for the picture
        std::vector<Bracket> found;
        found.reserve(runs.size());
        for (const Run& run : runs)
            found.push_back(
                epsilon({adjacency_from_string(adjacency), {phase_of(run, row)}}, run.delta));
        table.add_series({name, row.text("label"), Direction::upper, found.front().upper.theorem});
        for (std::size_t i = 0; i < runs.size(); ++i)
            table.add(name, {static_cast<double>(i + 1), found[i].lower.value, found[i].upper.value,
                             found[i].gap()});
    }
    return {std::move(table), {}};
}

}  // namespace assay::experiments::brackets
