#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/dpsgd/trainer.hpp"

namespace assay::experiments {

/// What a figure keeps of an epoch, 0 being the start: any numbers, or none.
using EpochNumbers = std::function<std::vector<double>(std::int64_t epoch)>;

/// Trains to the end of the plan, whole epochs, and returns the numbers of all epochs in their
/// order. With `states`, a folder, they are kept with the trainer in `<name>.state` after every
/// epoch, and an interrupted run goes on behind the last one that was kept; a finished one is only
/// read.
///   step_done  told every step
///   Throws     FileError where the state is of another plan or damaged; TrainingDiverged
[[nodiscard]] std::vector<double> train_by_epochs(
    Trainer& trainer, const std::string& states, const std::string& name,
    const EpochNumbers& numbers_of, const std::function<void(const StepReport&)>& step_done = {});

}  // namespace assay::experiments
