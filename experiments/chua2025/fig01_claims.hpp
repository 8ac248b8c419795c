#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/chua2025/click_training.hpp"
#include "experiments/claims.hpp"

namespace assay::experiments::chua2025 {

/// What came of the runs on one data set.
struct TrainedOnClicks {
    std::string label;
    std::int64_t examples = 0;  ///< trained on
    std::vector<AucSample> samples;
};

/// How far the first samplers are ahead of the second ones in AUC, over several settings whose runs
/// are all independent.
struct Lead {
    int settings = 0;
    double mean = 0.0;             ///< of the differences of the mean AUCs
    double standard_error = 0.0;   ///< of that
    double ahead = 1.0;            ///< p-value of "nowhere ahead", Fisher's combination
    double behind = 1.0;           ///< and of "nowhere behind"
    double least_two_sided = 1.0;  ///< smallest p-value of "alike" of one setting
};

/// Compares the samplers setting by setting, by Welch's test.
///   noise      settings with a noise multiplier in [from, to]
[[nodiscard]] Lead lead_of(std::span<const AucSample> samples,
                           std::span<const SamplingScheme> first,
                           std::span<const SamplingScheme> second, double from, double to);

/// What Section 5 and Section 6 say about Figure 1; `other` says why these runs are not the paper's
/// (judged_here).
///   Keys       delta, private_batch_sizes, noise_multipliers, truncation_epsilon, truncation_delta
[[nodiscard]] std::vector<Claim> auc_claims(const Params& params,
                                            std::span<const TrainedOnClicks> trained,
                                            const std::string& other);

}  // namespace assay::experiments::chua2025
