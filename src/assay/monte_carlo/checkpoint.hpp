#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/epochs/dominating_pair.hpp"
#include "assay/files/run_identity.hpp"
#include "assay/monte_carlo/rank_range.hpp"
#include "assay/monte_carlo/trial_blocks.hpp"

namespace assay {

/// The finished groups of a run or of a part of it; a file of a run in progress, and the result of
/// a shard alike.
struct Checkpoint {
    RunIdentity identity;
    RunShape shape;
    Part part;  // what the file is to hold in the end
    GroupSums groups;
};

/// Writes a state file (files/state_file.hpp), whole or not at all; every sum to the bit.
///   Throws     FileError; DomainError where a name or value would not read back
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Reads what write_checkpoint wrote, here or in 0.2.0, whose names of directions are replaced.
///   Throws     FileError saying what is wrong: no checkpoint, of another version, cut short,
///              damaged
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Refuses a file of another run, naming each difference: "noise-multiplier 0.4 there, 0.5 here".
///   Throws     FileError (path)
void require_same_run(const std::filesystem::path& path, const Checkpoint& there,
                      const Checkpoint& here);
/// The same for the part that the file is to hold.
void require_same_part(const std::filesystem::path& path, const Checkpoint& there,
                       const Checkpoint& here);

/// One complete run from the files of its shards, in any order.
///   Throws     FileError where a file is of another run or holds a group that another one holds;
///              Error where groups are missing, naming the first missing shard
[[nodiscard]] Checkpoint merge_checkpoints(std::span<const std::filesystem::path> files);

}  // namespace assay
