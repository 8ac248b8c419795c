#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/calibrate.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// One training run, whatever its sampler: records, records in a batch, passes over the data.
struct TrainingRun {
    std::int64_t dataset_size = 0;
    std::int64_t batch_size = 0;
    std::int64_t epochs = 1;
};

/// One sampler's row of a comparison.
struct ComparedSampler {
    Release release;                   // noise 0 where no noise was found
    bool is_wanted_adjacency = true;   // else the first one that a theorem covers
    std::optional<Calibration> noise;  // where noise is looked for
    std::optional<Bracket> epsilon;    // where it is given
    std::string refused;               // why there is neither
};

/// The noise that each sampler needs for a target, or its epsilon at a noise multiplier: Poisson,
/// fixed size without and with replacement, balls-and-bins, shuffled and deterministic batches.
///   Maths      the front door's answer for each; steps are epochs ceil(|D|/|B|), batches in an
///              epoch floor(|D|/|B|): an incomplete batch counts where it costs
///   Domain     1 <= |B| < |D|, epochs >= 1
///   Throws     DomainError; a sampler that cannot be answered says so in its row
[[nodiscard]] std::vector<ComparedSampler> compare_noise(const TrainingRun& run,
                                                         Adjacency adjacency,
                                                         const RiskTarget& target,
                                                         double precision = 1e-2,
                                                         const Goal& goal = {});
[[nodiscard]] std::vector<ComparedSampler> compare_epsilon(const TrainingRun& run,
                                                           Adjacency adjacency,
                                                           double noise_multiplier, double delta,
                                                           const Goal& goal = {});

}  // namespace assay
