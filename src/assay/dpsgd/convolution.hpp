#pragma once
#include "assay/dpsgd/block.hpp"

namespace assay {

/// A 3x3 convolution with stride 1 and zero padding 1. An image is a matrix: a column is a position
/// (row after row), its channels side by side. With the 3x3 neighbourhood of a position as a column
/// x_p of 9 inputs (row, column, channel), y_p = W x_p + b. Parameters: W (outputs x 9 inputs,
/// column after column), then b. The gradient of an example is G = sum_p d_p (x_p^T, 1).
struct Convolution {
    Eigen::Index height = 0;
    Eigen::Index width = 0;
    Eigen::Index inputs = 0;   // channels
    Eigen::Index outputs = 0;  // channels

    [[nodiscard]] Eigen::Index positions() const { return height * width; }
    [[nodiscard]] Eigen::Index input_size() const { return inputs * positions(); }
    [[nodiscard]] Eigen::Index output_size() const { return outputs * positions(); }
    [[nodiscard]] Eigen::Index parameter_count() const { return outputs * (9 * inputs + 1); }
    /// Numbers that a call needs beside its arguments.
    [[nodiscard]] std::size_t scratch_size() const;

    template <class Real>
    void forward(const Real* parameters, const LayerInput<Real>& in, Real* out,
                 std::vector<Real>& scratch) const;
    template <class Real>
    void backward(const Real* parameters, const LayerInput<Real>& in, const Real* out_gradients,
                  Real* in_gradients, std::vector<Real>& scratch) const;

    /// Whether the gradient of each example is formed and held for its norm: where positions are
    /// many. Otherwise the norm comes from the Gram matrices of the x_p and d_p.
    [[nodiscard]] bool holds_gradients() const;
    /// held = G of every example, one a column.
    template <class Real>
    void example_gradients(const LayerInput<Real>& in, const Real* out_gradients, Real* held,
                           std::vector<Real>& scratch) const;
    /// squared[i] += an upper bound of |G|^2 = sum_pq (x_p.x_q + 1)(d_p.d_q) that leaves room for
    /// the rounding of G as it is summed: (|G| + (positions + 4) u S)^2, S = sum_p |(x_p, 1)|
    /// |d_p|.
    template <class Real>
    void add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                           long double* squared, std::vector<Real>& scratch) const;

    /// Pieces of the sum of gradients: a row of the 3x3 filters each.
    [[nodiscard]] Eigen::Index pieces() const { return 3; }
    template <class Real>
    void add_gradients(Eigen::Index piece, const LayerInput<Real>& in, const Real* out_gradients,
                       Real* sum, std::vector<Real>& scratch) const;
};

}  // namespace assay
