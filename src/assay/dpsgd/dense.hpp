#pragma once
#include "assay/dpsgd/block.hpp"

namespace assay {

/// An affine map of every example: y = W x + b. Parameters: W (outputs x inputs, column after
/// column), then b. The gradient of an example is (d x^T, d), d the gradient of its outputs.
struct Dense {
    Eigen::Index inputs = 0;
    Eigen::Index outputs = 0;

    [[nodiscard]] Eigen::Index input_size() const { return inputs; }
    [[nodiscard]] Eigen::Index output_size() const { return outputs; }
    [[nodiscard]] Eigen::Index parameter_count() const { return outputs * (inputs + 1); }

    template <class Real>
    void forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const;

    /// in_gradients = W^T out_gradients
    template <class Real>
    void backward(const Real* parameters, const LayerInput<Real>& in, const Real* out_gradients,
                  Real* in_gradients) const;

    /// squared[i] += (|x|^2 + 1) |d|^2
    template <class Real>
    void add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                           long double* squared) const;

    /// How many pieces the sum of gradients is cut into; each writes its own parameters.
    [[nodiscard]] Eigen::Index pieces() const;
    /// sum += sum_i (d x^T, d), in the parameters of this piece.
    template <class Real>
    void add_gradients(Eigen::Index piece, const LayerInput<Real>& in, const Real* out_gradients,
                       Real* sum) const;
};

}  // namespace assay
