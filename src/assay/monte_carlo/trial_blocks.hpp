#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace assay {

/// Writes the sums of one fixed block of trials. Block b draws from random stream b alone, so that
/// what is written depends on b and on nothing else. Called from several threads at once.
using TrialBlock = std::function<void(std::uint64_t block, std::span<double> sums)>;

/// How a run is cut. Blocks are the pieces of work; the sums of the blocks of a group are added in
/// block order, and a group is what is kept, sent and resumed.
struct RunShape {
    std::uint64_t blocks = 0;  // numbered from 0
    std::size_t sums = 0;      // doubles that a block writes

    /// The smallest power of two that makes at most 4096 groups: decided by the run alone, so a
    /// short run loses nothing when it is cut and a long one stays small on disk.
    [[nodiscard]] std::uint64_t blocks_per_group() const;
    [[nodiscard]] std::uint64_t groups() const;
    [[nodiscard]] std::uint64_t blocks_in(std::uint64_t group) const;

    friend bool operator==(const RunShape&, const RunShape&) = default;
};

/// The sums of finished groups, by the number of the group.
using GroupSums = std::map<std::uint64_t, std::vector<double>>;

/// What happens beside the trials. All three are called one at a time, from any thread.
struct RunControl {
    /// Threads, at least 1; more than the machine has are allowed.
    int threads = 1;
    /// Asked before each block; on false no further block is begun.
    std::function<bool()> keep_going = {};
    /// After each block, in order.
    std::function<void()> block_done = {};
    /// After the last block of a group, in the order in which the groups were given.
    std::function<void(std::uint64_t group, std::vector<double> sums)> group_done = {};
};

/// Runs the blocks of `groups` and hands over the sums of each group: the same bits for any number
/// of threads. True when all are done; after a stop the blocks of an unfinished group are dropped.
///   Cost       about a microsecond a block besides the trials
///   Throws     what a block throws; Error when a block writes a NaN
[[nodiscard]] bool run_groups(const RunShape& shape, const TrialBlock& trials,
                              std::span<const std::uint64_t> groups, const RunControl& control);

/// The sums of the whole run: its groups added in order.
///   Throws     Error when a group is missing
[[nodiscard]] std::vector<double> add_groups(const RunShape& shape, const GroupSums& groups);

}  // namespace assay
