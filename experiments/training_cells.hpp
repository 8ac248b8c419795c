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

/// Mean and standard deviation of a sample (over n - 1; 0 for one value).
struct Spread {
    double mean = 0.0;
    double deviation = 0.0;
};
[[nodiscard]] Spread spread_of(std::span<const double> values);

/// One-sided p-value of "the first has the larger mean" by Welch's t test; 1/2 where neither
/// varies and both are equal.
///   Domain     at least two values each
[[nodiscard]] double welch_p_value(std::span<const double> larger, std::span<const double> smaller);

/// The same for pairs that have something in common (a seed, hence noise): the t test of their
/// differences.
///   Domain     two lists of one size, at least two
[[nodiscard]] double paired_p_value(std::span<const double> larger,
                                    std::span<const double> smaller);

}  // namespace assay::experiments
