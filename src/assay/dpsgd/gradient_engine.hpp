#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/gradient_sum.hpp"
#include "assay/dpsgd/model.hpp"
#include "assay/dpsgd/workspace.hpp"
#include "assay/parallel/workers.hpp"

namespace assay {

/// Sums per-example gradients of a batch without holding them.
///   Maths      sum_i min(1, C/|g_i|) g_i. One pass forward and backward gives every layer's inputs
///              and output gradients; |g_i| follows from them layer by layer, then they are scaled
///              and one matrix product a layer gives the sum
///   Cost       about that of the sum without clipping; memory for 128 MB of examples at once (at
///              least 8, at most 4096), besides the parameters
/// The same bits on any number of threads.
template <class Real>
class GradientEngine {
public:
    ///   Throws     DomainError (threads < 1)
    explicit GradientEngine(int threads = 1);

    /// The sum over the examples of these indices (repeated ones count again), clipped to
    /// `clip_norm`. Without one the plain sum: an example whose loss is not finite is left out.
    ///   Direction  what an example adds has a norm <= clip_norm, after rounding
    ///              (docs/error_bounds.md#clipping); an example whose norm is not finite adds 0
    ///   Throws     DomainError (clip_norm outside [1e-20, 1e20], indices, shape)
    void clipped_sum(const Model<Real>& model, const Dataset& data,
                     std::span<const std::uint32_t> indices, std::optional<double> clip_norm,
                     GradientSum<Real>& result);

    /// For what else a step does, so that no thread changes hands.
    [[nodiscard]] Workers& workers() { return workers_; }

private:
    Workers workers_;
    Workspace<Real> workspace_;
};

/// The logits of these examples, example after example (model.logits() each).
///   Throws     DomainError (threads, indices, shape)
template <class Real>
[[nodiscard]] std::vector<Real> predict(const Model<Real>& model, const Dataset& data,
                                        std::span<const std::uint32_t> indices, int threads = 1);

extern template class GradientEngine<float>;
extern template class GradientEngine<double>;

}  // namespace assay
