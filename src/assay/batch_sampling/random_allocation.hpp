#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/batch_sampling/batch.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// What decides every batch where each example is in `allocations` of the batches of an epoch.
struct AllocationSampling {
    std::int64_t dataset_size = 0;
    std::int64_t batches_per_epoch = 0;
    std::int64_t allocations = 1;
    std::uint64_t seed = 0;
};

/// Batches of random allocation: in every epoch each example goes to a uniform subset of that many
/// of the batches, independently of the others and of other epochs.
///   Maths      Floyd's method for every example (docs/proofs.md, T.2), all from one stream of the
///              epoch, then a counting sort by batch
///   Domain     1 <= allocations <= batches_per_epoch < 2^32, 1 <= examples,
///              examples * allocations < 2^32
///   Direction  exactly uniform
///   Cost       about 1.5 words and 8 bytes an allocation, 8 bytes a batch; the first step of an
///              epoch (or the one that a run resumes with) draws them
///   Throws     DomainError
class AllocationBatches {
public:
    explicit AllocationBatches(const AllocationSampling& sampling);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const { return sampling_.batches_per_epoch; }
    [[nodiscard]] std::size_t live_bytes() const {
        return (places_.capacity() + members_.capacity() + begins_.capacity() +
                last_seen_.capacity()) *
               sizeof(std::uint32_t);
    }
    [[nodiscard]] RandomAllocation released(double noise_multiplier) const;

private:
    void draw_epoch(std::int64_t epoch);

    AllocationSampling sampling_;
    std::int64_t epoch_ = -1;  // whose batches are at hand
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint32_t> last_seen_;  // by batch: the last example that went there, plus 1
};

}  // namespace assay
