#include "assay/batch_sampling/batch_sampler.hpp"

namespace assay {

namespace {

auto batches_of(const BatchSampling& sampling)
    -> std::variant<OrderedBatches, ShuffledBatches, PoissonBatches, FixedSizeBatches,
                    WithReplacementBatches, BallsAndBinsBatches> {
    validate(sampling);
    switch (sampling.scheme) {
        case SamplingScheme::deterministic: return OrderedBatches(sampling);
        case SamplingScheme::shuffle: return ShuffledBatches(sampling);
        case SamplingScheme::poisson: return PoissonBatches(sampling);
        case SamplingScheme::fixed_size_without_replacement: return FixedSizeBatches(sampling);
        case SamplingScheme::fixed_size_with_replacement: return WithReplacementBatches(sampling);
        case SamplingScheme::balls_and_bins: break;
    }
    return BallsAndBinsBatches(sampling);
}

}  // namespace

BatchSampler::BatchSampler(const BatchSampling& sampling)
    : batches_(batches_of(sampling)), sampling_(sampling) {}

void BatchSampler::draw(std::int64_t step, Batch& batch) {
    std::visit([&](auto& batches) { batches.draw(step, batch); }, batches_);
}

std::int64_t BatchSampler::batches_per_epoch() const {
    return std::visit([](const auto& batches) { return batches.batches_per_epoch(); }, batches_);
}

std::size_t BatchSampler::live_bytes() const {
    return std::visit([](const auto& batches) { return batches.live_bytes(); }, batches_);
}

Mechanism BatchSampler::released(double noise_multiplier) const {
    if (sampling_.scheme == SamplingScheme::poisson && sampling_.maximum_batch_size)
        return TruncatedPoissonGaussian{noise_multiplier, sampling_.batch_size,
                                        sampling_.dataset_size, *sampling_.maximum_batch_size};
    return std::visit(
        [&](const auto& batches) { return Mechanism{batches.released(noise_multiplier)}; },
        batches_);
}

}  // namespace assay
