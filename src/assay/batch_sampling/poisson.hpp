#pragma once
#include <cstddef>
#include <cstdint>

#include "assay/batch_sampling/batch.hpp"
#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/batch_sampling/binomial_distribution.hpp"
#include "assay/batch_sampling/random_subset.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Poisson batches: every example takes part in a step independently, with probability p.
///   Maths      p is the double nearest to b/n, the very number that released() gives to the
///              accountant; a size from Bin(n, p), then a uniform subset of that size
///   Direction  exact distribution but for the 2^-170 of BinomialDistribution
///   Cost       O(b) time and memory a batch; any step by itself: stream (seed, batch_sampling,
///              step)
///   Throws     DomainError (as validate; step; released also as the accountants)
class PoissonBatches {
public:
    explicit PoissonBatches(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const { return subset_.live_bytes(); }
    [[nodiscard]] double sampling_probability() const { return sampling_probability_; }
    [[nodiscard]] SampledGaussian released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
    double sampling_probability_;
    BinomialDistribution size_;
    RandomSubset subset_;
};

}  // namespace assay
