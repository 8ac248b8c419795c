#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "assay/datasets/load_dataset.hpp"
#include "assay/dpsgd/training_plan.hpp"

namespace CLI {
class App;
}

namespace assay::cli {

/// The options of `assay train` that decide its result, as written.
struct TrainingOptions {
    std::string data = "optical-digits";
    std::optional<std::string> data_folder;
    std::optional<std::string> limit, buckets, synthetic_examples;
    bool skip_bad = false;

    std::optional<std::string> model, hidden, channels, embedding;
    std::optional<std::string> sampling, adjacency, batch_size, maximum_batch_size;
    std::optional<std::string> noise_multiplier, clip_norm;
    std::string epochs = "10";
    std::string optimiser = "adam";
    std::optional<std::string> momentum;
    std::string learning_rate = "0.001";
    std::string schedule = "constant";
    std::string delta = "1e-5";
    std::string seed = "1";
};

/// Adds them to a command; the struct outlives it.
void add_training_options(CLI::App& command, TrainingOptions& options);

/// Where the examples come from.
///   Throws     Error, DomainError: one line each
[[nodiscard]] DataDescription read_data_description(const TrainingOptions& options);

/// What is asked for, once the training examples are known.
struct TrainingRequest {
    TrainingPlan plan;
    double delta = 1e-5;
};

/// Without the number of training examples, what can be refused before the data are read: steps
/// and the maximum batch size `auto` are then left open.
[[nodiscard]] TrainingRequest read_training_request(const TrainingOptions& options,
                                                    std::optional<std::int64_t> examples);

}  // namespace assay::cli
