#pragma once
#include <cstdint>

#include "assay/account/question.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// A lower bound of the probability that a uniform subset of `allocations` of the batches of an
/// epoch meets each of so many disjoint sets of floor(batches / sets) of them.
///   Domain  1 <= sets <= allocations <= batches_per_epoch
[[nodiscard]] double probability_of_meeting(const RandomAllocation& mechanism, std::int64_t sets);

/// What epochs of random allocation tell at least: with that probability a record is in one batch
/// of each of several parts of the epoch, in which case they tell no less than epochs of
/// balls-and-bins over the parts (docs/proofs.md, k of T batches); or what two tests tell, if that
/// is more. The best over a few numbers of parts; 0 where there is none.
///   Cost   some compositions of balls-and-bins
[[nodiscard]] double allocation_lower(const RandomAllocation& mechanism, std::int64_t epochs,
                                      const Question& question);

}  // namespace assay
