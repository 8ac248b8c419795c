#include "experiments/birrell2024/batch_mean_variance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments::birrell2024 {
namespace {

using Vector = std::vector<double>;

double squared_norm_of(const Vector& x) {
    double sum = 0.0;
    for (const double value : x) sum += value * value;
    return sum;
}

Vector mean_of(const Gradients& gradients) {
    Vector mean(gradients.front().size());
    for (const auto& gradient : gradients)
        for (std::size_t j = 0; j < mean.size(); ++j)
            mean[j] += gradient[j] / static_cast<double>(gradients.size());
    return mean;
}

/// |(sum of the gradients of these examples) / B - mean|^2
template <class Indices>
double squared_distance(const Gradients& gradients, const Indices& batch, std::int64_t batch_size,
                        const Vector& mean) {
    Vector sum(mean.size());
    for (const auto i : batch)
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += gradients[i][j];
    for (std::size_t j = 0; j < sum.size(); ++j)
        sum[j] = sum[j] / static_cast<double>(batch_size) - mean[j];
    return squared_norm_of(sum);
}

std::vector<std::size_t> members(unsigned mask) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; mask != 0; ++i, mask >>= 1U)
        if ((mask & 1U) != 0) indices.push_back(i);
    return indices;
}

/// The next tuple of numbers below `count`, the first one running fastest; false behind the last.
bool advance(std::vector<std::size_t>& tuple, std::size_t count) {
    for (std::size_t& digit : tuple) {
        if (++digit < count) return true;
        digit = 0;
    }
    return false;
}

}  // namespace

Gradients clipped_gradients(const Model<float>& model, const Dataset& data, double clip_norm) {
    GradientEngine<float> engine;
    GradientSum<float> sum;
    Gradients gradients;
    for (std::int64_t i = 0; i < data.size(); ++i) {
        const auto index = static_cast<std::uint32_t>(i);
        engine.clipped_sum(model, data, {&index, 1}, clip_norm, sum);
        gradients.push_back(sum.sum);
    }
    return gradients;
}

BatchMeanVariance closed_forms(const Gradients& gradients, std::int64_t batch_size) {
    const auto D = static_cast<double>(gradients.size());
    const auto B = static_cast<double>(batch_size);
    double S = 0.0;
    for (const auto& gradient : gradients) S += squared_norm_of({gradient.begin(), gradient.end()});
    const double m2 = squared_norm_of(mean_of(gradients));
    return {(1.0 / B - 1.0 / D) * S / D, (S / D - m2) / B,
            (1.0 / B - 1.0 / D) * (S - D * m2) / (D - 1.0)};
}

BatchMeanVariance by_enumeration(const Gradients& gradients, std::int64_t batch_size) {
    const std::size_t D = gradients.size();
    require(D >= 2 && D <= 8, "examples", static_cast<double>(D), "2 .. 8");
    require(batch_size >= 1 && batch_size <= 4 && static_cast<std::size_t>(batch_size) <= D,
            "batch size", static_cast<double>(batch_size), "1 .. 4, and no more than examples");
    const Vector mean = mean_of(gradients);
    const double q = static_cast<double>(batch_size) / static_cast<double>(D);
    BatchMeanVariance sum;
    double subsets = 0.0;
    for (unsigned mask = 0; mask < 1U << D; ++mask) {
        const int size = std::popcount(mask);
        const double distance = squared_distance(gradients, members(mask), batch_size, mean);
        sum.poisson += std::pow(q, size) * std::pow(1.0 - q, static_cast<int>(D) - size) * distance;
        if (size != batch_size) continue;
        sum.without_replacement += distance;
        subsets += 1.0;
    }
    sum.without_replacement /= subsets;
    double tuples = 1.0;
    for (std::int64_t i = 0; i < batch_size; ++i) tuples *= static_cast<double>(D);
    std::vector<std::size_t> batch(static_cast<std::size_t>(batch_size));
    do sum.with_replacement += squared_distance(gradients, batch, batch_size, mean) / tuples;
    while (advance(batch, D));
    return sum;
}

Simulated by_simulation(const Gradients& gradients, const BatchSampling& sampling,
                        std::int64_t batches) {
    const Vector mean = mean_of(gradients);
    BatchSampler sampler(sampling);
    Batch batch;
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t step = 0; step < batches; ++step) {
        sampler.draw(step, batch);
        const double distance =
            squared_distance(gradients, batch.indices, sampling.batch_size, mean);
        sum += distance;
        squares += distance * distance;
    }
    const auto n = static_cast<double>(batches);
    const double variance = sum / n;
    return {variance, std::sqrt(std::max(squares / n - variance * variance, 0.0) / (n - 1.0))};
}

}  // namespace assay::experiments::birrell2024
