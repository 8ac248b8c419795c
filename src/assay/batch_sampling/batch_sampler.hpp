#pragma once
#include <cstdint>
#include <variant>

#include "assay/batch_sampling/balls_and_bins.hpp"
#include "assay/batch_sampling/fixed_size.hpp"
#include "assay/batch_sampling/ordered.hpp"
#include "assay/batch_sampling/poisson.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// The sampler that a training run was configured with. `released` names its distribution as the
/// type that the accountants take, so that no other distribution can be accounted for by mistake;
/// Poisson batches with a maximum are cut ones. What cutting costs balls-and-bins is not in it.
///   Maths      step counts from 0 over the whole training, epoch = step / batches_per_epoch(); a
///              step's batch depends on the BatchSampling and on the step alone
///   Direction  exact distributions; the same bits on any number of threads, in any order of steps
///   Cost       O(b) a batch; shuffle and balls-and-bins O(n) at the first step of an epoch
///   Throws     DomainError (as validate; step; noise-multiplier)
class BatchSampler {
public:
    explicit BatchSampler(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    /// Bytes that are kept between steps.
    [[nodiscard]] std::size_t live_bytes() const;
    [[nodiscard]] Mechanism released(double noise_multiplier) const;

private:
    std::variant<OrderedBatches, ShuffledBatches, PoissonBatches, FixedSizeBatches,
                 WithReplacementBatches, BallsAndBinsBatches>
        batches_;
    BatchSampling sampling_;
};

}  // namespace assay
