#include "assay/rdp/binomial_weights.hpp"

#include <cmath>

namespace assay {

BinomialWeights::BinomialWeights(std::int64_t batch, std::int64_t dataset)
    : batch_(batch), others_(static_cast<real>(dataset - 1)) {
    const real exponent = static_cast<real>(batch) * std::log1p(-1.0L / static_cast<real>(dataset));
    weight_ = ScaledReal::exp_of(exponent);
    // log1p: one libm call, and the rounding of 1/dataset amplified by at most 2 log 2 < 2
    // (dataset >= 2).
    first_error_ = std::fabs(exponent) * (libm_error + 6.0L * unit_roundoff) + 2.0L * libm_error;
}

real BinomialWeights::log_error() const {
    return first_error_ + 3.1L * static_cast<real>(n_) * unit_roundoff;
}

void BinomialWeights::advance() {
    weight_ *= static_cast<real>(batch_ - n_) / (static_cast<real>(n_ + 1) * others_);
    ++n_;
}

PositiveNumber effective_sampling(std::int64_t batch, std::int64_t dataset, std::int64_t terms) {
    BinomialWeights weights(batch, dataset);
    const ScaledReal none = weights.weight();
    ScaledReal some;
    while (weights.n() < terms) {
        weights.advance();
        some += weights.weight();
        // a_{n+1} / a_n = (batch-n) / ((n+1)(dataset-1)) <= 1/2 for n >= 1 and batch <= dataset:
        // the rest is below the present weight.
        if (weights.weight() < some * 0x1p-70L) break;
    }
    const real error =
        weights.log_error() + (static_cast<real>(weights.n()) + 4.0L) * unit_roundoff;
    // q~ = x / (1 + x) with x = A / a_0: its log moves less than that of x.
    return {some / (none + some), 2.0L * error};
}

}  // namespace assay
