#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "assay/dpsgd/trainer.hpp"
#include "assay/dpsgd/training_log.hpp"

namespace assay {

/// How far a run has come, after each step.
struct TrainingProgress {
    std::int64_t steps = 0;
    std::int64_t total_steps = 0;
    StepReport step;  // the last one
    double seconds_left = 0.0;
};

struct TrainingRunOptions {
    /// Where the state is kept: at most `seconds_between_states` apart, or a tenth of a run that is
    /// shorter, and at the end.
    std::optional<std::filesystem::path> state = std::nullopt;
    double seconds_between_states = 10.0;
    /// Go on with that file where it exists; without this an existing one is refused.
    bool resume = false;
    /// Asked before each step and between the chunks of a batch and of what is judged; the step
    /// that a stop interrupts is done anew by the run that goes on.
    std::function<bool()> keep_going = {};
    std::function<void(const TrainingProgress&)> progress = {};
    std::function<void(const EpochReport&)> epoch_done = {};
};

/// Steps to the end of the plan, evaluating on `test` after every epoch; `log` has all epochs,
/// those before an interruption too. False after a stop; the state is kept then.
///   Throws     TrainingDiverged: the file keeps the last state whose loss was known to be finite;
///              FileError where the state cannot be written, exists or is refused
[[nodiscard]] bool run_training(Trainer& trainer, const Dataset& test, int threads,
                                TrainingLog& log, const TrainingRunOptions& options);

}  // namespace assay
