#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Random streams of an epoch: purpose batch_sampling, block epoch 2^20 + phase 2^18 + piece.
enum class EpochPhase : std::uint64_t { grouping = 0, within_groups = 1, sizes = 2 };
[[nodiscard]] std::uint64_t epoch_block(std::int64_t epoch, EpochPhase phase, std::uint64_t piece);

/// Labels that are uniform on {0, .., labels-1}; label l belongs to group l >> shift.
struct GroupLabels {
    std::uint64_t labels = 1;
    unsigned shift = 0;

    [[nodiscard]] std::uint64_t groups() const { return ((labels - 1) >> shift) + 1; }
};

/// Writes 0 .. order.size()-1, each into the group of a label of its own, group after group, rising
/// within a group; returns where each group begins, and the end. What stands before a cache-sized
/// group can then be finished in the cache.
///   Maths      two passes over the same labels: how many, then where (Rao 1961, Sandelius 1962)
///   Domain     1 <= labels < 2^32, at most 2^16 groups, order.size() < 2^32
///   Direction  exact distribution; the same bits on any number of threads: chunk c of a partition
///   that only
///              the size decides draws from stream (seed, batch_sampling, grouping of chunk c)
///   Cost       one word and one write an example; 4 bytes an example and 256 bytes a group
[[nodiscard]] std::vector<std::uint32_t> draw_groups(std::uint64_t seed, std::int64_t epoch,
                                                     GroupLabels labels,
                                                     std::span<std::uint32_t> order);

}  // namespace assay
