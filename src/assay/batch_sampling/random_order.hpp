#pragma once
#include <cstdint>
#include <span>

namespace assay {

/// Writes a uniform permutation of 0 .. order.size()-1: that of this seed and epoch.
///   Maths      every example goes to one of 2^k groups, and each group is shuffled in the cache
///              (Fisher and Yates): uniform labels make the order of the groups' members uniform
///              (Rao 1961, Sandelius 1962)
///   Domain     order.size() < 2^32, 0 <= epoch < 2^44
///   Direction  exactly uniform; the same bits on any number of threads
///   Cost       1.5 words an example, 4 bytes an example besides about 0.5 MB
void draw_random_order(std::uint64_t seed, std::int64_t epoch, std::span<std::uint32_t> order);

/// The same by this many groups, 1 .. 2^16: the same distribution, other bits.
void draw_random_order(std::uint64_t seed, std::int64_t epoch, std::uint64_t groups,
                       std::span<std::uint32_t> order);

}  // namespace assay
