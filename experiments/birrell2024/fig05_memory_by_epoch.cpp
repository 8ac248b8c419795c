#include <fmt/format.h>

#include <algorithm>

#include "assay/dpsgd/training_run.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"
#include "experiments/birrell2024/private_training.hpp"
#include "experiments/resident_set.hpp"

namespace assay::experiments::birrell2024 {
namespace {

struct Curve {
    SamplingScheme scheme;
    GradientPath path;
    const char* series;
    const char* label;
};

constexpr Curve curves[] = {
    {SamplingScheme::fixed_size_without_replacement, GradientPath::materialised,
     "fixed_size_materialised", "Fixed-size, materialised"},
    {SamplingScheme::poisson, GradientPath::materialised, "poisson_materialised",
     "Poisson, materialised"},
    {SamplingScheme::balls_and_bins, GradientPath::materialised, "balls_and_bins_materialised",
     "Balls-and-bins, materialised"},
    {SamplingScheme::fixed_size_without_replacement, GradientPath::streamed, "fixed_size_streamed",
     "Fixed-size, streamed"},
    {SamplingScheme::poisson, GradientPath::streamed, "poisson_streamed", "Poisson, streamed"},
};

/// Trains and writes a row at the end of every epoch.
void add_rows(const Curve& curve, const TrainingScene& scene, const PrivateRun& run, Table& table) {
    table.add_series({curve.series, curve.label, Direction::estimate, section_4});
    const TrainingPlan plan = plan_of(scene, run);
    Trainer trainer(plan, scene.training, 1);
    trainer.start_from(scene.start);
    PrivacyLedger ledger(plan.sampling, 0.0, Adjacency::zero_out);
    TrainingLog log;
    TrainingRunOptions options;
    options.epoch_done = [&](const EpochReport& epoch) {
        table.add(curve.series,
                  {static_cast<double>(epoch.epoch), static_cast<double>(epoch.peak_bytes) / 1e6,
                   static_cast<double>(epoch.largest_batch),
                   static_cast<double>(peak_resident_set().value_or(0)) / 1e6},
                  "statistical");
        reset_peak_resident_set();
    };
    reset_peak_resident_set();
    static_cast<void>(run_training(trainer, ledger, scene.test, 1, log, options));
}

std::vector<Claim> claims_of(const Table& table) {
    const auto range = [&](const char* series) {
        const std::vector<double> values = table.values(series, "live_megabytes");
        const auto [least, most] = std::ranges::minmax(values);
        return std::pair{least, most};
    };
    const auto fixed = range("fixed_size_materialised");
    const auto poisson = range("poisson_materialised");
    const auto streamed = range("poisson_streamed");
    const double peak = poisson.second / fixed.second;
    return {
        claim("fig05-fixed-size-constant", "Sec 4.4, Figure 5",
              "memory of training with fixed-size batches is constant",
              fmt::format("{:.4g} to {:.4g} MB", fixed.first, fixed.second),
              decide(fixed.first == fixed.second)),
        claim("fig05-poisson-fluctuates", "Sec 4.4, Figure 5",
              "memory with Poisson batches fluctuates",
              fmt::format("largest step of an epoch: {:.4g} to {:.4g} MB", poisson.first,
                          poisson.second),
              decide(poisson.second > poisson.first)),
        claim("fig05-poisson-peak", "Sec 4.4, Figure 5",
              "the peak with Poisson batches is almost twice (23,280 / 14,826 = 1.57 times) the "
              "memory of fixed-size ones",
              fmt::format(
                  "{:.3f} times, as the largest batch is: the standard deviation of a batch's "
                  "size is sqrt(|B| (1-q)), so 1.57 times |B| = 120 is beyond 6 of them. "
                  "Streamed gradients: {:.4g} to {:.4g} MB with Poisson batches",
                  peak, streamed.first, streamed.second),
              decide(peak > 1.4 && peak < 1.75)),
    };
}

}  // namespace

FigureResult run_fig05_memory_by_epoch(const Params& params) {
    const TrainingScene scene = read_training_scene(params);
    // The resident set is measured, and different in every run: nothing is compared with it.
    constexpr double never_compared = 0.999999;
    Table table({{.name = "epoch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "live_megabytes", .unit = "MB", .golden_tolerance = 1e-9},
                 {.name = "largest_batch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "resident_megabytes", .unit = "MB", .golden_tolerance = never_compared}});
    for (const Curve& curve : curves)
        add_rows(curve, scene,
                 {.scheme = curve.scheme,
                  .noise_multiplier = params.number("noise_multiplier"),
                  .batch_size = params.integer("batch_size"),
                  .seed = static_cast<std::uint64_t>(params.integer("seed")),
                  .path = curve.path},
                 table);
    std::vector<Claim> claims = claims_of(table);
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::birrell2024
