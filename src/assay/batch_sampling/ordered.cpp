#include "assay/batch_sampling/ordered.hpp"

#include <numeric>

#include "assay/batch_sampling/random_order.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

std::uint64_t size_of(const BatchSampling& sampling, std::int64_t t) {
    return equal_batch_begin(sampling, t + 1) - equal_batch_begin(sampling, t);
}

}  // namespace

std::uint64_t equal_batch_begin(const BatchSampling& sampling, std::int64_t t) {
    // t <= T <= n < 2^32: the product is below 2^64.
    return static_cast<std::uint64_t>(t) * static_cast<std::uint64_t>(sampling.dataset_size) /
           static_cast<std::uint64_t>(batches_per_epoch(sampling));
}

OrderedBatches::OrderedBatches(const BatchSampling& sampling) : sampling_(sampling) {
    validate(sampling);
}

void OrderedBatches::draw(std::int64_t step, Batch& batch) const {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    const std::int64_t t = step % batches_per_epoch();
    batch.indices.resize(size_of(sampling_, t));
    std::iota(batch.indices.begin(), batch.indices.end(),
              static_cast<std::uint32_t>(equal_batch_begin(sampling_, t)));
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t OrderedBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

DeterministicBatches OrderedBatches::released(double noise_multiplier) const {
    const DeterministicBatches mechanism{.noise_multiplier = noise_multiplier,
                                         .batches_per_epoch = batches_per_epoch()};
    validate(Mechanism{mechanism});
    return mechanism;
}

ShuffledBatches::ShuffledBatches(const BatchSampling& sampling) : sampling_(sampling) {
    validate(sampling);
}

void ShuffledBatches::draw(std::int64_t step, Batch& batch) {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    const std::int64_t epoch = step / batches_per_epoch();
    if (epoch != epoch_) {
        order_.resize(static_cast<std::size_t>(sampling_.dataset_size));
        draw_random_order(sampling_.seed, epoch, order_);
        epoch_ = epoch;
    }
    const std::int64_t t = step % batches_per_epoch();
    const std::span<const std::uint32_t> chosen =
        std::span(order_).subspan(equal_batch_begin(sampling_, t), size_of(sampling_, t));
    batch.indices.assign(chosen.begin(), chosen.end());
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t ShuffledBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

Shuffled ShuffledBatches::released(double noise_multiplier) const {
    const Shuffled mechanism{.noise_multiplier = noise_multiplier,
                             .batches_per_epoch = batches_per_epoch()};
    validate(Mechanism{mechanism});
    return mechanism;
}

}  // namespace assay
