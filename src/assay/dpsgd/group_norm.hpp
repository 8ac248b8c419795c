#pragma once
#include "assay/dpsgd/block.hpp"

namespace assay {

/// Group normalisation: within an example, a group of neighbouring channels gets mean 0 and
/// variance 1 over its positions, then every channel c its own scale and shift.
///   Maths      y = s_c z + t_c, z = (x - mean) / sqrt(variance + 1e-5). Parameters: s, then t.
///              The gradient of an example is (sum_p d z, sum_p d) by channel
struct GroupNorm {
    Eigen::Index positions = 0;
    Eigen::Index channels = 0;
    Eigen::Index groups = 1;  // divides channels

    [[nodiscard]] Eigen::Index input_size() const { return channels * positions; }
    [[nodiscard]] Eigen::Index output_size() const { return input_size(); }
    [[nodiscard]] Eigen::Index parameter_count() const { return 2 * channels; }
    /// Numbers of an example that have one mean.
    [[nodiscard]] Eigen::Index group_size() const { return positions * (channels / groups); }

    template <class Real>
    void forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const;
    /// Also held = the gradient of every example, one a column; in_gradients may be null.
    template <class Real>
    void backward(const Real* parameters, const LayerInput<Real>& in, const Real* out_gradients,
                  Real* in_gradients, Real* held) const;
};

}  // namespace assay
