#pragma once
#include <cstddef>
#include <cstdint>

#include "assay/batch_sampling/batch.hpp"
#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/batch_sampling/random_subset.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Batches of fixed size without replacement: a uniform subset of b of the n examples, every step
/// anew.
///   Direction  exact distribution
///   Cost       O(b) time and memory a batch; any step by itself: stream (seed, batch_sampling,
///              step)
///   Throws     DomainError (as validate; step; released also as the accountants)
class FixedSizeBatches {
public:
    explicit FixedSizeBatches(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const { return subset_.live_bytes(); }
    [[nodiscard]] FixedSizeGaussian released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
    RandomSubset subset_;
};

/// Batches of fixed size with replacement: b independent uniform examples, every step anew.
///   Direction  exact distribution
///   Cost       half a random word an index; any step by itself
///   Throws     DomainError (as validate; step; released also as the accountants)
class WithReplacementBatches {
public:
    explicit WithReplacementBatches(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch) const;
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const { return 0; }
    [[nodiscard]] FixedSizeWithReplacementGaussian released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
};

}  // namespace assay
