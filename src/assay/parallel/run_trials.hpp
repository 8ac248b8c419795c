#pragma once
#include <filesystem>
#include <functional>
#include <optional>

#include "assay/parallel/checkpoint.hpp"
#include "assay/parallel/ranks.hpp"
#include "assay/parallel/trial_blocks.hpp"

namespace assay {

/// How far a run has come, over all ranks.
struct Progress {
    std::uint64_t blocks_done = 0;  // those of an earlier, interrupted run included
    std::uint64_t blocks = 0;
    double blocks_per_second = 0.0;  // of this session; 0 until known
    double seconds_left = 0.0;       // infinite until known
};

struct RunOptions {
    int threads = 1;  // of each rank
    /// Where finished groups are kept: rewritten after a group, and at the end. Groups that end
    /// within a second (a tenth of a run that is shorter) of the last writing wait for the next,
    /// and writing takes at most a twentieth of the time.
    std::optional<std::filesystem::path> checkpoint = std::nullopt;
    /// Go on with that file; without this an existing one is refused.
    bool resume = false;
    std::function<bool()> keep_going = {};
    std::function<void(const Progress&)> progress = {};  // called on rank 0, after blocks
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
