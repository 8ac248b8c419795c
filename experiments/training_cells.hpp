#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/training_log.hpp"
#include "assay/dpsgd/training_plan.hpp"

namespace assay::experiments {

/// One training run of a figure.
struct TrainingCell {
    std::string name;  ///< of its state file, unique: "fixed_size_seed_1364"
    TrainingPlan plan;
    std::vector<EpochReport> epochs;  ///< what came of it
};

/// Trains every cell, side by side, each in one thread: the bits are those of the plan alone. With
/// `states`, a folder, a run that was interrupted goes on, and one that was finished is only read.
/// Shows how many are done where the standard error is a terminal.
///   start      initial parameters of all, where there are any
void train_cells(std::vector<TrainingCell>& cells, const Dataset& training, const Dataset& test,
                 std::span<const float> start, const std::string& states);

/// The last evaluation of a cell.
[[nodiscard]] const Evaluation& final_evaluation(const TrainingCell& cell);

}  // namespace assay::experiments
