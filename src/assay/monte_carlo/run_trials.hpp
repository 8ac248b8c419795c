#pragma once
#include <filesystem>
#include <functional>
#include <optional>

#include "assay/files/progress_line.hpp"
#include "assay/monte_carlo/checkpoint.hpp"
#include "assay/monte_carlo/ranks.hpp"
#include "assay/monte_carlo/trial_blocks.hpp"

namespace assay {

struct RunOptions {
    int threads = 1;  // of each rank
    /// Where finished groups are kept: rewritten after a group, and at the end. Groups that end
    /// within a second (a tenth of a run that is shorter) of the last writing wait for the next,
    /// and writing takes at most a twentieth of the time.
    std::optional<std::filesystem::path> checkpoint = std::nullopt;
    /// Go on with that file; without this an existing one is refused.
    bool resume = false;
    std::function<bool()> keep_going = {};
    /// Called on rank 0, after blocks; in blocks.
    std::function<void(const Progress&)> progress = {};
};

/// Runs the part of the run that `run` names, as far as its checkpoint does not hold it yet, on all
/// ranks. On rank 0 `run.groups` then has every group of the part, the same bits whatever the
/// threads, ranks and interruptions; the other ranks keep nothing. False after a stop: what is
/// finished is in the checkpoint.
///   Domain     at least one block and one sum
///   Throws     DomainError (run); FileError where the checkpoint is refused or cannot be written;
///              what a block throws
[[nodiscard]] bool run_trials(Checkpoint& run, const TrialBlock& trials, Ranks& ranks,
                              const RunOptions& options);

}  // namespace assay
