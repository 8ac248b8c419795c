#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay/dpsgd/trainer.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"
#include "experiments/birrell2024/private_training.hpp"
#include "experiments/epoch_training.hpp"
#include "experiments/real_data.hpp"
#include "experiments/resident_set.hpp"

namespace assay::experiments::birrell2024 {
namespace {

struct Curve {
    SamplingScheme scheme;
    Adjacency adjacency;  ///< one that the sampler has a theorem for
    GradientPath path;
    const char* series;
    const char* label;
};

constexpr auto materialised = GradientPath::materialised;
constexpr auto streamed = GradientPath::streamed;
constexpr Curve curves[] = {
    {SamplingScheme::fixed_size_without_replacement, Adjacency::replace_one, materialised,
     "fixed_size_materialised", "Fixed-size, without replacement"},
    {SamplingScheme::fixed_size_with_replacement, Adjacency::add_remove, materialised,
     "with_replacement_materialised", "Fixed-size, with replacement"},
    {SamplingScheme::deterministic, Adjacency::zero_out, materialised, "deterministic_materialised",
     "Deterministic"},
    {SamplingScheme::shuffle, Adjacency::zero_out, materialised, "shuffle_materialised", "Shuffle"},
    {SamplingScheme::poisson, Adjacency::replace_one, materialised, "poisson_materialised",
     "Poisson"},
    {SamplingScheme::balls_and_bins, Adjacency::zero_out, materialised,
     "balls_and_bins_materialised", "Balls-and-bins"},
    {SamplingScheme::fixed_size_without_replacement, Adjacency::replace_one, streamed,
     "fixed_size_streamed", "Fixed-size, streamed"},
    {SamplingScheme::poisson, Adjacency::replace_one, streamed, "poisson_streamed",
     "Poisson, streamed"},
};

/// Trains and writes a row at the end of every epoch.
void add_rows(const Curve& curve, const TrainingSetup& setup, const PrivateRun& run, Table& table) {
    table.add_series({curve.series, curve.label, Direction::estimate, section_4});
    Trainer trainer(plan_of(setup, run), setup.training, 1);
    trainer.start_from(setup.start);
    std::size_t live = 0;
    std::int64_t largest = 0;
    const auto numbers_of = [&](std::int64_t epoch) -> std::vector<double> {
        std::vector<double> row;
        if (epoch > 0)
            row = {static_cast<double>(epoch), static_cast<double>(live) / 1e6,
                   static_cast<double>(largest),
                   static_cast<double>(peak_resident_set().value_or(0)) / 1e6};
        live = 0;
        largest = 0;
        reset_peak_resident_set();
        return row;
    };
    const auto step_done = [&](const StepReport& step) {
        live = std::max(live, step.live_bytes);
        largest = std::max(largest, step.batch_size);
    };
    const std::vector<double> numbers =
        train_by_epochs(trainer, setup.states, curve.series, numbers_of, step_done);
    for (std::size_t i = 0; i < numbers.size(); i += 4)
        table.add(curve.series, {numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]},
                  "statistical");
}

std::vector<Claim> claims_of(const Table& table) {
    const auto range = [&](const char* series) {
        const std::vector<double> values = table.values(series, "live_megabytes");
        const auto [least, most] = std::ranges::minmax(values);
        return std::pair{least, most};
    };
    const auto spread = [&](const char* series) {
        const auto [least, most] = range(series);
        return most / least;
    };
    const auto fixed = range("fixed_size_materialised");
    const auto poisson = range("poisson_materialised");
    const auto kept = range("poisson_streamed");
    const double peak = poisson.second / fixed.second;
    return {
        claim("fig05-fixed-size-constant", "Sec 4.4, Figure 5",
              "Memory of training with fixed-size batches is constant.",
              fmt::format("The largest step of an epoch takes {:.4g} to {:.4g} MB in every epoch "
                          "without replacement.",
                          fixed.first, fixed.second),
              decide(fixed.first == fixed.second && spread("with_replacement_materialised") == 1.0),
              {.criterion = "Reproduced if equal in all epochs, with and without replacement.",
               .details = {fmt::format(
                   "largest over smallest epoch: with replacement {:.6g}, deterministic {:.6g}, "
                   "shuffled {:.6g}, balls-and-bins {:.4g}",
                   spread("with_replacement_materialised"), spread("deterministic_materialised"),
                   spread("shuffle_materialised"), spread("balls_and_bins_materialised"))}}),
        claim("fig05-poisson-fluctuates", "Sec 4.4, Figure 5",
              "Memory with Poisson batches fluctuates.",
              fmt::format("The largest step of an epoch takes {:.4g} to {:.4g} MB.", poisson.first,
                          poisson.second),
              decide(poisson.second > poisson.first)),
        claim(
            "fig05-poisson-peak", "Sec 4.4, Figure 5",
            "The peak with Poisson batches is almost twice (23,280 / 14,826 = 1.57 times) the "
            "memory of fixed-size ones.",
            fmt::format("The peak is {:.3f} times the memory of fixed-size batches, as the largest "
                        "batch is.",
                        peak),
            decide(peak > 1.4 && peak < 1.75),
            {.criterion = "Reproduced if between 1.4 and 1.75 times.",
             .details = {"the standard deviation of a batch's size is sqrt(|B| (1-q)), so that "
                         "1.57 times |B| = 120 is beyond 6 of them",
                         fmt::format("streamed gradients: {:.4g} to {:.4g} MB with Poisson batches",
                                     kept.first, kept.second)}}),
    };
}

}  // namespace

FigureResult run_fig05_memory_by_epoch(const Params& params) {
    const TrainingSetup setup = read_training_setup(params);
    // The resident set is measured, and different in every run: nothing is compared with it.
    constexpr double never_compared = 0.999999;
    Table table({{.name = "epoch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "live_megabytes", .unit = "MB", .golden_tolerance = 1e-9},
                 {.name = "largest_batch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "resident_megabytes", .unit = "MB", .golden_tolerance = never_compared}});
    for (const Curve& curve : curves)
        add_rows(curve, setup,
                 {.scheme = curve.scheme,
                  .noise_multiplier = params.number("noise_multiplier"),
                  .batch_size = params.integer("batch_size"),
                  .seed = static_cast<std::uint64_t>(params.integer("seed")),
                  .adjacency = curve.adjacency,
                  .path = curve.path},
                 table);
    std::vector<Claim> claims = claims_of(table);
    const std::string own_size =
        "The authors' program on a GPU, where its allocator counts more than the batch: an epoch "
        "of each sampler, minutes on such a machine.";
    for (Claim& claim : claims) claim = judged_here(std::move(claim), setup.other, own_size);
    return {std::move(table), std::move(claims), setup.notes};
}

}  // namespace assay::experiments::birrell2024
