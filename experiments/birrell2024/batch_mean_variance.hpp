#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/model.hpp"

/// How much the mean gradient of a random batch varies, in three ways that share no formula.
namespace assay::experiments::birrell2024 {

/// A gradient for every example, clipped.
using Gradients = std::vector<std::vector<float>>;
[[nodiscard]] Gradients clipped_gradients(const Model<float>& model, const Dataset& data,
                                          double clip_norm);

/// Total variance, the sum over all coordinates.
struct BatchMeanVariance {
    double poisson = 0.0;
    double with_replacement = 0.0;
    double without_replacement = 0.0;
};

/// (143) and (144), summed over coordinates.
///   Maths      with S = sum |g_i|^2, m the mean: Poisson (1/B - 1/D) S / D, with replacement
///              (S/D - |m|^2)/B, without (1/B - 1/D) (S - D |m|^2)/(D-1)
[[nodiscard]] BatchMeanVariance closed_forms(const Gradients& gradients, std::int64_t batch_size);

/// By listing every batch of a small data set (at most 8 examples, batches of at most 4).
[[nodiscard]] BatchMeanVariance by_enumeration(const Gradients& gradients, std::int64_t batch_size);

/// The mean of |Z - m|^2 over batches that a sampler drew, and its standard error.
struct Simulated {
    double variance = 0.0;
    double standard_error = 0.0;
};
[[nodiscard]] Simulated by_simulation(const Gradients& gradients, const BatchSampling& sampling,
                                      std::int64_t batches);

}  // namespace assay::experiments::birrell2024
