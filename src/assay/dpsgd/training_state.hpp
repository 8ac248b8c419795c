#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "assay/files/state_file.hpp"

namespace assay {

/// Where a training run stands: with plan and data all that its future depends on.
struct TrainingState {
    RunIdentity identity;
    std::int64_t steps = 0;  // that are done
    std::vector<float> parameters;
    std::vector<float> optimiser;
    std::vector<double> log;  // what the run has seen, for whoever reports it
};

/// Writes a state file (files/state_file.hpp), whole or not at all.
///   Throws     FileError; DomainError where a name or value would not read back
void write_training_state(const std::filesystem::path& path, const TrainingState& state);

/// Throws FileError saying what is wrong: no training state, of another version, cut short,
/// damaged.
[[nodiscard]] TrainingState read_training_state(const std::filesystem::path& path);

}  // namespace assay
