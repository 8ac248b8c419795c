#include "assay/batch_sampling/poisson.hpp"

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

double nearest_probability(const BatchSampling& sampling) {
    validate(sampling);
    return static_cast<double>(sampling.batch_size) / static_cast<double>(sampling.dataset_size);
}

}  // namespace

PoissonBatches::PoissonBatches(const BatchSampling& sampling)
    : sampling_(sampling),
      sampling_probability_(nearest_probability(sampling)),
      size_(sampling.dataset_size, sampling_probability_, 1.0) {}

void PoissonBatches::draw(std::int64_t step, Batch& batch) {
    require(step >= 0, "step", static_cast<double>(step), "step >= 0");
    RandomStream stream(sampling_.seed, Purpose::batch_sampling, static_cast<std::uint64_t>(step));
    const std::int64_t size = size_.draw(stream);
    subset_.draw(stream, size, sampling_.dataset_size, batch.indices);
    fit_to_maximum(batch, sampling_.maximum_batch_size, sampling_.seed, step);
}

std::int64_t PoissonBatches::batches_per_epoch() const {
    return assay::batches_per_epoch(sampling_);
}

SampledGaussian PoissonBatches::released(double noise_multiplier) const {
    const SampledGaussian mechanism{.noise_multiplier = noise_multiplier,
                                    .sampling_probability = sampling_probability_};
    validate(Mechanism{mechanism});
    return mechanism;
}

}  // namespace assay
