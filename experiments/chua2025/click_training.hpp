#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/datasets/dataset.hpp"
#include "experiments/params.hpp"

/// The training runs of Figure 1: two click logs, or stand-ins for them, and one epoch on each.
namespace assay::experiments::chua2025 {

struct ClickData {
    std::string name;   ///< "ads" or "search", also the section of its parameters
    std::string label;  ///< says so where the data are synthetic
    std::string note;   ///< what the figure has to say of them
    bool is_stand_in = false;
    std::uint64_t first_seed = 0;  ///< of its runs, which count up from here
    Dataset training;
    Dataset test;
    std::optional<double> best_auc;  ///< of the true model, where that is known
};

/// Criteo's display ads, the last 10 % of them for the test and 10 % before left out for
/// validation; or the sponsored search, 20 % at random for the test. Synthetic ones where
/// data_folder is empty or has no such file.
///   Keys       data_folder, bad_records, seed, and in [ads] or [search] examples (at most),
///   buckets of a
///              field, and of the stand-in integers, fields, largest, mean_log_odds,
///              log_odds_spread, seed
[[nodiscard]] ClickData read_ads(const Params& params);
[[nodiscard]] ClickData read_search(const Params& params);

/// The AUC on the test examples after one epoch, of every run with these settings.
struct AucSample {
    SamplingScheme scheme = SamplingScheme::shuffle;
    std::int64_t batch_size = 0;    ///< expected, for Poisson and balls-and-bins
    double noise_multiplier = 0.0;  ///< 0: without privacy, nothing is clipped
    std::vector<double> aucs;
};

/// All runs on one data set, each with batches and noise of its own, all from the same initial
/// weights. Poisson and balls-and-bins batches are cut and padded as in App. C.
///   Keys       seed, runs, embedding, hidden, batch_sizes, learning_rates, private_batch_sizes,
///              private_learning_rates, clip_norms, noise_multipliers, truncation_epsilon,
///              truncation_delta, and states where they are to be kept
[[nodiscard]] std::vector<AucSample> train_on_clicks(const Params& params, const ClickData& data);

/// The samplers of the figure, and how their batches are drawn from so many examples.
[[nodiscard]] const std::vector<SamplingScheme>& drawn_schemes();
[[nodiscard]] BatchSampling epoch_sampling(const Params& params, SamplingScheme scheme,
                                           std::int64_t examples, std::int64_t batch_size);

/// "Balls-and-bins" for legends, "balls_and_bins" for names of series.
[[nodiscard]] std::string label_of(SamplingScheme scheme);
[[nodiscard]] std::string name_of(SamplingScheme scheme);

}  // namespace assay::experiments::chua2025
