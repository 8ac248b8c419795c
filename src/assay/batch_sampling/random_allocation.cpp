#include "assay/batch_sampling/random_allocation.hpp"

#include "assay/batch_sampling/random_groups.hpp"
#include "assay/batch_sampling/uniform_index.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

AllocationBatches::AllocationBatches(const AllocationSampling& sampling) : sampling_(sampling) {
    constexpr double most = 0x1p32;
    const auto batches = static_cast<double>(sampling.batches_per_epoch);
    require(batches >= 1.0 && batches < most, "batches-per-epoch", batches,
            "1 <= batches-per-epoch < 2^32");
    const auto allocations = static_cast<double>(sampling.allocations);
    require(allocations >= 1.0 && allocations <= batches, "allocations", allocations,
            "1 .. the batches of an epoch");
    const auto examples = static_cast<double>(sampling.dataset_size);
    require(examples >= 1.0 && examples * allocations < most, "dataset-size", examples,
            "at least 1, with less than 2^32 allocations in all");
}

void AllocationBatches::draw_epoch(std::int64_t epoch) {
    const auto examples = static_cast<std::uint32_t>(sampling_.dataset_size);
    const auto batches = static_cast<std::uint32_t>(sampling_.batches_per_epoch);
    const auto each = static_cast<std::uint32_t>(sampling_.allocations);
    UniformIndices indices(RandomStream(sampling_.seed, Purpose::batch_sampling,
                                        epoch_block(epoch, EpochPhase::within_groups, 0)));
    places_.clear();
    last_seen_.assign(batches, 0);
    begins_.assign(std::size_t{batches} + 1, 0);
    for (std::uint32_t example = 0; example < examples; ++example)
        for (std::uint32_t j = batches - each; j < batches; ++j) {
            std::uint32_t place = indices.below(std::uint64_t{j} + 1);
            if (last_seen_[place] == example + 1) place = j;
            last_seen_[place] = example + 1;
            places_.push_back(place);
            ++begins_[std::size_t{place} + 1];
        }
    for (std::size_t t = 0; t < batches; ++t) begins_[t + 1] += begins_[t];
    members_.resize(places_.size());
    std::vector<std::uint32_t>& next = last_seen_;
    next.assign(begins_.begin(), begins_.end() - 1);
    for (std::size_t i = 0; i < places_.size(); ++i)
        members_[next[places_[i]]++] = static_cast<std::uint32_t>(i / each);
    epoch_ = epoch;
}

void AllocationBatches::draw(std::int64_t step, Batch& batch) {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    const std::int64_t epoch = step / sampling_.batches_per_epoch;
    if (epoch != epoch_) draw_epoch(epoch);
    const auto t = static_cast<std::size_t>(step % sampling_.batches_per_epoch);
    batch.indices.assign(members_.begin() + begins_[t], members_.begin() + begins_[t + 1]);
}

RandomAllocation AllocationBatches::released(double noise_multiplier) const {
    const RandomAllocation mechanism{noise_multiplier, sampling_.batches_per_epoch,
                                     sampling_.allocations};
    validate(Mechanism{mechanism});
    return mechanism;
}

}  // namespace assay
