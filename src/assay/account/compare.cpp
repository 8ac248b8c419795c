#include "assay/account/compare.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "assay/privacy/batches.hpp"

namespace assay {

namespace {

bool is_covered(const Mechanism& mechanism, Adjacency adjacency) {
    try {
        require_theorem(mechanism, adjacency);
        return true;
    } catch (const UnsupportedMechanism&) {
        return false;
    }
}

/// Each sampler on the run, at a noise multiplier.
std::vector<ComparedSampler> rows_of(const TrainingRun& run, Adjacency adjacency, double noise) {
    if (run.batch_size < 1 || run.batch_size >= run.dataset_size)
        throw DomainError("batch-size", fmt::format("{}", run.batch_size),
                          "at least 1 and less than the dataset-size");
    if (run.epochs < 1 || run.epochs > 100'000)
        throw DomainError("epochs", fmt::format("{}", run.epochs), "1 .. 100000");
    const double q = static_cast<double>(run.batch_size) / static_cast<double>(run.dataset_size);
    const auto steps = static_cast<std::int64_t>(
        steps_of_epochs(static_cast<double>(run.epochs),
                        static_cast<double>(all_batches(run.dataset_size, run.batch_size))));
    const std::int64_t batches = complete_batches(run.dataset_size, run.batch_size);
    const Phase phases[] = {
        {SampledGaussian{noise, q}, steps},
        {FixedSizeGaussian{noise, q}, steps},
        {FixedSizeWithReplacementGaussian{noise, run.batch_size, run.dataset_size}, steps},
        {BallsAndBins{noise, batches}, run.epochs},
        {Shuffled{noise, batches}, run.epochs},
        {DeterministicBatches{noise, batches}, run.epochs}};
    std::vector<ComparedSampler> rows;
    for (const Phase& phase : phases) {
        ComparedSampler row{{adjacency, {phase}}, true, {}, {}, {}};
        if (!is_covered(phase.mechanism, adjacency)) {
            row.is_wanted_adjacency = false;
            for (const Adjacency other :
                 {Adjacency::replace_one, Adjacency::add_remove, Adjacency::zero_out})
                if (is_covered(phase.mechanism, other)) row.release.adjacency = other;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<ComparedSampler> compare_noise(const TrainingRun& run, Adjacency adjacency,
                                           const RiskTarget& target, double precision,
                                           const Goal& goal) {
    validate(target);
    std::vector<ComparedSampler> rows = rows_of(run, adjacency, 1.0);
    side_by_side(rows.size(), [&](std::size_t i) {
        ComparedSampler& row = rows[i];
        set_noise_multiplier(row.release.phases.front().mechanism, 0.0);
        try {
            row.noise = calibrate(row.release, target, precision, goal);
            set_noise_multiplier(row.release.phases.front().mechanism, row.noise->sufficient);
        } catch (const DomainError& error) {
            row.refused = error.what();
        }
    });
    return rows;
}

std::vector<ComparedSampler> compare_epsilon(const TrainingRun& run, Adjacency adjacency,
                                             double noise_multiplier, double delta,
                                             const Goal& goal) {
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "noise multiplier",
            noise_multiplier, "a positive finite number");
    std::vector<ComparedSampler> rows = rows_of(run, adjacency, noise_multiplier);
    side_by_side(rows.size(),
                 [&](std::size_t i) { rows[i].epsilon = epsilon(rows[i].release, delta, goal); });
    return rows;
}

}  // namespace assay
