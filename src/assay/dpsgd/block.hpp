#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace assay {

/// A column is an example, or a position of an image (its channels side by side).
template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
template <class Real>
using MatrixView = Eigen::Map<Matrix<Real>>;
template <class Real>
using ConstMatrixView = Eigen::Map<const Matrix<Real>>;

/// Where squares and scaled numbers are formed: the product of two of Real is exact in it (float),
/// and its exponents reach further, so that a square neither overflows nor vanishes.
template <class Real>
using Wider = std::conditional_t<std::is_same_v<Real, float>, double, long double>;

/// What goes into a layer for some examples: the outputs of the layer before, or the data.
template <class Real>
struct LayerInput {
    const Real* values;                        // column after column
    const std::int32_t* categories = nullptr;  // the first layer's, example after example
    Eigen::Index examples = 0;
};

/// sum x_i^2, the same bits everywhere.
///   Direction  relative error at most (n/16 + 20) 2^-53 (float), n 2^-64 (double)
[[nodiscard]] long double squared_norm(std::span<const float> x);
[[nodiscard]] long double squared_norm(std::span<const double> x);

/// x_i := factor x_i, relative error at most one unit roundoff, or 0 where that would be below the
/// smallest normal number. 0 <= factor < 1; a factor of 0 makes everything 0, NaN and inf as well.
void scale_down(std::span<float> x, long double factor);
void scale_down(std::span<double> x, long double factor);

}  // namespace assay
