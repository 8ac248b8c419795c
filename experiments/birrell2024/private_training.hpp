#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/architecture.hpp"
#include "assay/numeric/bound.hpp"
#include "experiments/params.hpp"
#include "experiments/significance.hpp"
#include "experiments/training_cells.hpp"

/// What the training figures of Section 4 and Appendix H share: data, a network that was trained
/// without privacy on other data, and runs of DP-SGD from there.
namespace assay::experiments::birrell2024 {

/// What the numbers of these figures are: simulations, of the algorithm there.
inline constexpr Theorem section_4{"birrell2024 Section 4", Standing::published};

/// The samplers that are compared, in this order.
inline constexpr SamplingScheme schemes[] = {SamplingScheme::fixed_size_without_replacement,
                                             SamplingScheme::poisson};

struct TrainingSetup {
    Dataset training;
    Dataset test;
    ConvolutionalNetwork network;
    std::vector<float> start;  ///< of the private runs
    double clip_norm = 0.0;
    double learning_rate = 0.0;
    std::int64_t epochs = 0;
    double delta = 0.0;
    std::string states;  ///< folder; empty: none are kept
    /// What the figure says of its data and of what was scaled.
    std::vector<std::string> notes;
    /// Why these runs are not the paper's: "stand-in data" or "scaled network"; empty if they are.
    std::string other;
};

/// Reads the data and trains the network that all runs begin with.
///   Keys       data, real_data, data_folder and bad_records (the second where the third has it),
///              batch_size, channels, groups, pretraining_epochs, pretraining_batch_size,
///              pretraining_learning_rate, pretraining_share (of the digits), clip_norm,
///              learning_rate, epochs, delta, and states where they are to be kept
[[nodiscard]] TrainingSetup read_training_setup(const Params& params);

/// One private run: `seed` is that of batches and noise, as in the paper.
struct PrivateRun {
    SamplingScheme scheme = SamplingScheme::poisson;
    double noise_multiplier = 0.0;
    std::int64_t batch_size = 0;
    std::uint64_t seed = 0;
    Adjacency adjacency = Adjacency::replace_one;
    GradientPath path = GradientPath::streamed;
};

/// Its plan on the setup: Adam at the constant rate, as many steps as the epochs take.
[[nodiscard]] TrainingPlan plan_of(const TrainingSetup& setup, const PrivateRun& run);

/// A cell named after the run.
[[nodiscard]] TrainingCell cell_of(const TrainingSetup& setup, const PrivateRun& run);

/// What was found, with the word that the runs are not the paper's where that is so.
[[nodiscard]] std::string on_data(const std::string& found, const TrainingSetup& setup);

/// What it costs to decide for the paper's data and network.
inline constexpr const char* paper_runs =
    "The paper's data, network and 250 epochs (DATA=<folder> PRESET=paper): 28 CPU hours a run, 10 "
    "runs for Figure 4 and 80 for Figure 10 (docs/training.md).";

/// Accuracies that are closer to each other than this count as equivalent: half a point, less than
/// a quarter of the lead in the paper's Figure 4.
inline constexpr double equivalent_accuracy = 0.005;

/// "-0.28 ± 0.41 points": a lead and twice its standard error.
[[nodiscard]] std::string points_text(const PairedLead& lead);

/// How many seeds see a lead of half a point, planned from `lead` over `seeds` pairs, and what it
/// takes to run them; then paper_runs.
[[nodiscard]] std::string more_seeds(const PairedLead& lead, std::size_t seeds);

/// "Fixed-size" or "Poisson", and the same for names of series.
[[nodiscard]] std::string label_of(SamplingScheme scheme);
[[nodiscard]] std::string name_of(SamplingScheme scheme);

/// The accuracies of some cells after epoch `epoch` (from 0).
[[nodiscard]] std::vector<double> accuracies(const std::vector<const TrainingCell*>& cells,
                                             std::size_t epoch);

}  // namespace assay::experiments::birrell2024
