#include "assay/batch_sampling/balls_and_bins.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

#include "assay/batch_sampling/binomial_distribution.hpp"
#include "assay/batch_sampling/random_groups.hpp"
#include "assay/batch_sampling/random_order.hpp"
#include "assay/batch_sampling/uniform_index.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::uint64_t members_in_cache = std::uint64_t{1} << 16U;
constexpr std::uint64_t most_groups = std::uint64_t{1} << 12U;

/// As many neighbouring bins to a group as keep its members in the cache and the groups few.
GroupLabels group_bins(std::uint64_t examples, std::uint64_t bins) {
    const std::uint64_t groups = std::min(most_groups, examples / members_in_cache + 1);
    GroupLabels labels{.labels = bins, .shift = 0};
    while (labels.groups() > groups) ++labels.shift;
    return labels;
}

/// What one thread keeps from group to group.
struct Scratch {
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> bin_of;
    std::vector<std::uint32_t> next;
};

/// Sorts the members of one group by a uniform bin each; `begins` are those of its bins.
void draw_bins_of_group(const RandomStream& stream, std::span<std::uint32_t> members,
                        std::uint32_t offset, std::span<std::uint32_t> begins, Scratch& scratch) {
    UniformIndices indices(stream);
    auto& [unsorted, bin_of, next] = scratch;
    unsorted.assign(members.begin(), members.end());
    bin_of.resize(members.size());
    next.assign(begins.size(), 0);
    for (std::uint32_t& bin : bin_of) {
        bin = indices.below(begins.size());
        ++next[bin];
    }
    std::uint32_t begin = 0;
    for (std::size_t bin = 0; bin < begins.size(); ++bin) {
        begins[bin] = offset + begin;
        const std::uint32_t count = next[bin];
        next[bin] = begin;
        begin += count;
    }
    for (std::size_t i = 0; i < unsorted.size(); ++i) members[next[bin_of[i]]++] = unsorted[i];
}

void draw_each_example(std::uint64_t seed, std::int64_t epoch, std::uint64_t bins,
                       std::span<std::uint32_t> order, std::span<std::uint32_t> begins) {
    const GroupLabels labels = group_bins(order.size(), bins);
    const auto groups = draw_groups(seed, epoch, labels, order);
    tbb::enumerable_thread_specific<Scratch> scratch;
    tbb::parallel_for(std::uint64_t{0}, labels.groups(), [&](std::uint64_t group) {
        const std::uint64_t first = group << labels.shift;
        const std::uint64_t count = std::min(bins, (group + 1) << labels.shift) - first;
        draw_bins_of_group(RandomStream(seed, Purpose::batch_sampling,
                                        epoch_block(epoch, EpochPhase::within_groups, group)),
                           order.subspan(groups[group], groups[group + 1] - groups[group]),
                           groups[group], begins.subspan(first, count), scratch.local());
    });
}

void draw_conditional_sizes(std::uint64_t seed, std::int64_t epoch, std::uint64_t bins,
                            std::span<std::uint32_t> order, std::span<std::uint32_t> begins) {
    RandomStream stream(seed, Purpose::batch_sampling, epoch_block(epoch, EpochPhase::sizes, 0));
    std::int64_t placed = 0;
    const auto all = static_cast<std::int64_t>(order.size());
    for (std::uint64_t t = 0; t < bins; ++t) {
        begins[t] = static_cast<std::uint32_t>(placed);
        const BinomialDistribution size(all - placed, 1.0, static_cast<double>(bins - t));
        placed += size.draw(stream);
    }
    draw_random_order(seed, epoch, order);
}

}  // namespace

void draw_bins(std::uint64_t seed, std::int64_t epoch, std::int64_t bins, BinMethod method,
               std::span<std::uint32_t> order, std::vector<std::uint32_t>& begins) {
    require(bins >= 1 && bins < (std::int64_t{1} << 32U), "bins", static_cast<double>(bins),
            "1 <= bins < 2^32");
    const auto count = static_cast<std::uint64_t>(bins);
    begins.resize(count + 1);
    begins[count] = static_cast<std::uint32_t>(order.size());
    const std::span<std::uint32_t> first = std::span(begins).first(count);
    if (method == BinMethod::each_example)
        draw_each_example(seed, epoch, count, order, first);
    else
        draw_conditional_sizes(seed, epoch, count, order, first);
}

BallsAndBinsBatches::BallsAndBinsBatches(const BatchSampling& sampling, BinMethod method)
    : sampling_(sampling), method_(method) {
    validate(sampling);
}

void BallsAndBinsBatches::draw(std::int64_t step, Batch& batch) {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    const std::int64_t steps = batches_per_epoch();
    if (step / steps != epoch_) {
        order_.resize(static_cast<std::size_t>(sampling_.dataset_size));
        draw_bins(sampling_.seed, step / steps, steps, method_, order_, begins_);
        epoch_ = step / steps;
    }
    const auto t = static_cast<std::size_t>(step % steps);
    const std::span<const std::uint32_t> chosen =
        std::span(order_).subspan(begins_[t], begins_[t + 1] - begins_[t]);
    batch.indices.assign(chosen.begin(), chosen.end());
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t BallsAndBinsBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

BallsAndBins BallsAndBinsBatches::released(double noise_multiplier) const {
    const BallsAndBins mechanism{.noise_multiplier = noise_multiplier,
                                 .batches_per_epoch = batches_per_epoch()};
    validate(Mechanism{mechanism});
    return mechanism;
}

}  // namespace assay
