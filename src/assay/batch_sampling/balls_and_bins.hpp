#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/batch_sampling/batch.hpp"
#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Two ways to the same distribution.
enum class BinMethod {
    each_example,      // a uniform bin for every example (chua2025 Algorithm 3)
    conditional_sizes  // the sizes one after the other, Bin(rest, 1/(T-t)), on a shuffled order
};

/// Puts the examples 0 .. order.size()-1 into `bins` bins, uniformly and independently: bin t is
/// order[begins[t]] .. order[begins[t+1]-1]. The two methods give the same distribution, not the
/// same bits.
///   Maths      each_example: groups of neighbouring bins by draw_groups, then a uniform bin of the
///              group (a counting sort in the cache). conditional_sizes: BinomialDistribution and
///              draw_random_order; given the sizes, every arrangement is equally likely
///   Domain     1 <= bins < 2^32, order.size() < 2^32
///   Direction  each_example: exact; conditional_sizes: the 2^-170 of BinomialDistribution a bin.
///   The same
///              bits on any number of threads
///   Cost       1.5 words an example, 4 bytes an example and 4 a bin, besides about 1 MB a thread;
///              conditional_sizes also about 2 sqrt(n/T) terms a bin
///   Throws     DomainError (bins)
void draw_bins(std::uint64_t seed, std::int64_t epoch, std::int64_t bins, BinMethod method,
               std::span<std::uint32_t> order, std::vector<std::uint32_t>& begins);

/// Balls-and-bins batches: in every epoch each example goes to one of T = ceil(n/b) batches,
/// uniformly and independently of the others. The expected size n/T is b where b divides n.
///   Cost       draw_bins at the first step of an epoch (or at the step that a run resumes with),
///              then O(b) a batch; 4 bytes an example
///   Throws     DomainError (as validate; step; released also as the accountants)
class BallsAndBinsBatches {
public:
    explicit BallsAndBinsBatches(const BatchSampling& sampling,
                                 BinMethod method = BinMethod::each_example);

    void draw(std::int64_t step, Batch& batch);
    [[nodiscard]] std::int64_t batches_per_epoch() const;
    [[nodiscard]] std::size_t live_bytes() const {
        return (order_.capacity() + begins_.capacity()) * sizeof(std::uint32_t);
    }
    [[nodiscard]] BallsAndBins released(double noise_multiplier) const;

private:
    BatchSampling sampling_;
    BinMethod method_;
    std::int64_t epoch_ = -1;  // whose bins are at hand
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> begins_;
};

}  // namespace assay
