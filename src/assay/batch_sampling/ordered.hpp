#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/batch_sampling/batch.hpp"
#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Where batch t of an epoch of T equal batches begins: floor(t n / T). The sizes differ by at most
/// one and never exceed b.
[[nodiscard]] std::uint64_t equal_batch_begin(const BatchSampling& sampling, std::int64_t t);

/// Deterministic batches: the examples in their order, cut into T = ceil(n/b) equal batches.
///   Cost       O(b) a batch          Direction  nothing is random
///   Throws     DomainError (as validate; step; released also as the accountants)
class OrderedBatches {
public:
    explicit OrderedBatches(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch) const;
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const { return 0; }
    [[nodiscard]] DeterministicBatches released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
};

/// Shuffled batches: the examples in a uniform order, drawn anew every epoch, cut into T =
/// ceil(n/b) equal batches.
///   Direction  exact distribution
///   Cost       draw_random_order at the first step of an epoch (or at the step that a run resumes
///              with), then O(b) a batch; 4 bytes an example
///   Throws     DomainError (as validate; step; released also as the accountants)
class ShuffledBatches {
public:
    explicit ShuffledBatches(const BatchSampling& sampling);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const {
        return order_.capacity() * sizeof(std::uint32_t);
    }
    [[nodiscard]] Shuffled released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
    std::int64_t epoch_ = -1;  // whose order is at hand
    std::vector<std::uint32_t> order_;
};

}  // namespace assay
