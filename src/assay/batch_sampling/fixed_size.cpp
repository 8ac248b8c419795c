#include "assay/batch_sampling/fixed_size.hpp"

#include "assay/batch_sampling/uniform_index.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

RandomStream stream_of(const BatchSampling& sampling, std::int64_t step) {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    return {sampling.seed, Purpose::batch_sampling, static_cast<std::uint64_t>(step)};
}

}  // namespace

FixedSizeBatches::FixedSizeBatches(const BatchSampling& sampling) : sampling_(sampling) {
    validate(sampling);
}

void FixedSizeBatches::draw(std::int64_t step, Batch& batch) {
    subset_.draw(stream_of(sampling_, step), sampling_.batch_size, sampling_.dataset_size,
                 batch.indices);
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t FixedSizeBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

FixedSizeGaussian FixedSizeBatches::released(double noise_multiplier) const {
    const FixedSizeGaussian mechanism{
        .noise_multiplier = noise_multiplier,
        .sampling_probability = static_cast<double>(sampling_.batch_size) /
                                static_cast<double>(sampling_.dataset_size)};
    validate(Mechanism{mechanism});
    return mechanism;
}

WithReplacementBatches::WithReplacementBatches(const BatchSampling& sampling)
    : sampling_(sampling) {
    validate(sampling);
}

void WithReplacementBatches::draw(std::int64_t step, Batch& batch) const {
    UniformIndices indices(stream_of(sampling_, step));
    const auto n = static_cast<std::uint64_t>(sampling_.dataset_size);
    batch.indices.resize(static_cast<std::size_t>(sampling_.batch_size));
    for (std::uint32_t& index : batch.indices) index = indices.below(n);
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t WithReplacementBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

FixedSizeWithReplacementGaussian WithReplacementBatches::released(double noise_multiplier) const {
    const FixedSizeWithReplacementGaussian mechanism{.noise_multiplier = noise_multiplier,
                                                     .batch_size = sampling_.batch_size,
                                                     .dataset_size = sampling_.dataset_size};
    validate(Mechanism{mechanism});
    return mechanism;
}

}  // namespace assay
