#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "assay/files/run_identity.hpp"

namespace assay {

/// Where a training run stands: with plan and data all that its future depends on.
struct TrainingState {
    RunIdentity identity;
    std::int64_t steps = 0;  // that are done
    std::vector<float> parameters;
    std::vector<float> optimiser;
    std::vector<double> log;  // what the run has seen, for whoever reports it
};

/// Writes a whole file or leaves the older one. Text lines for the identity, then the numbers in
/// binary (little endian), then a CRC-32 of all before it.
///   Throws     FileError; DomainError where a name or value would not read back
void write_training_state(const std::filesystem::path& path, const TrainingState& state);

/// Throws FileError saying what is wrong: no training state, cut short, damaged.
[[nodiscard]] TrainingState read_training_state(const std::filesystem::path& path);

/// Refuses a file of another run, naming the first difference.
///   Throws     FileError (path)
void require_same_run(const std::filesystem::path& path, const RunIdentity& there,
                      const RunIdentity& here);

}  // namespace assay
