#include "assay/dpsgd/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
ExampleLoss binary(Real& logit, std::int32_t label) {
    const double z = logit;
    const double tail = std::exp(-std::fabs(z));  // e^-|z|
    const double likely = 1.0 / (1.0 + tail);
    logit = static_cast<Real>((z >= 0.0 ? likely : tail / (1.0 + tail)) - label);
    return {std::max(z, 0.0) - label * z + std::log1p(tail), (z > 0.0) == (label == 1)};
}

template <class Real>
ExampleLoss softmax(std::span<Real> logits, std::int32_t label) {
    const auto largest = std::max_element(logits.begin(), logits.end());
    const double top = *largest;
    const double own = logits[static_cast<std::size_t>(label)];
    const bool correct = largest - logits.begin() == label;
    double sum = 0.0;
    for (const Real z : logits) sum += std::exp(static_cast<double>(z) - top);
    for (Real& z : logits) z = static_cast<Real>(std::exp(static_cast<double>(z) - top) / sum);
    logits[static_cast<std::size_t>(label)] -= Real(1);
    return {std::log(sum) + (top - own), correct};
}

template <class Real>
ExampleLoss of(std::span<Real> logits, std::int32_t label) {
    if (!std::all_of(logits.begin(), logits.end(), [](Real z) { return std::isfinite(z); })) {
        std::fill(logits.begin(), logits.end(), std::numeric_limits<Real>::quiet_NaN());
        return {infinity, false};
    }
    return logits.size() == 1 ? binary(logits[0], label) : softmax(logits, label);
}

}  // namespace

ExampleLoss replace_by_gradient(std::span<float> logits, std::int32_t label) {
    return of(logits, label);
}

ExampleLoss replace_by_gradient(std::span<double> logits, std::int32_t label) {
    return of(logits, label);
}

}  // namespace assay
