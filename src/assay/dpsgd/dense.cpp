#include "assay/dpsgd/dense.hpp"

#include <algorithm>

#include "assay/dpsgd/matrix_product.hpp"

namespace assay {

namespace {

/// Columns of W that are one piece: enough that the other factor is packed for something, few
/// enough that small layers have several.
Eigen::Index piece_columns(Eigen::Index inputs) {
    return inputs <= 128 ? 32 : 64;
}

}  // namespace

template <class Real>
void Dense::forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const {
    const Real* bias = parameters + outputs * inputs;
    for (Eigen::Index i = 0; i < in.examples; ++i) std::copy_n(bias, outputs, out + i * outputs);
    add_product(dense_factor(parameters, outputs, inputs),
                dense_factor(in.values, inputs, in.examples), out, outputs);
}

template <class Real>
void Dense::backward(const Real* parameters, const LayerInput<Real>& in, const Real* out_gradients,
                     Real* in_gradients) const {
    std::fill_n(in_gradients, inputs * in.examples, Real(0));
    add_product(dense_factor(parameters, outputs, inputs).transposed(),
                dense_factor(out_gradients, outputs, in.examples), in_gradients, inputs);
}

template <class Real>
void Dense::add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                              long double* squared) const {
    for (Eigen::Index i = 0; i < in.examples; ++i) {
        const auto x = std::span(in.values + i * inputs, static_cast<std::size_t>(inputs));
        const auto d = std::span(out_gradients + i * outputs, static_cast<std::size_t>(outputs));
        squared[i] += (squared_norm(x) + 1.0L) * squared_norm(d);
    }
}

Eigen::Index Dense::pieces() const {
    return (inputs + piece_columns(inputs) - 1) / piece_columns(inputs);
}

template <class Real>
void Dense::add_gradients(Eigen::Index piece, const LayerInput<Real>& in, const Real* out_gradients,
                          Real* sum) const {
    const Eigen::Index first = piece * piece_columns(inputs);
    const Eigen::Index count = std::min(piece_columns(inputs), inputs - first);
    const Factor<Real> x{in.values + first, count, in.examples, 1, inputs};
    add_product(dense_factor(out_gradients, outputs, in.examples), x.transposed(),
                sum + first * outputs, outputs);
    if (piece > 0) return;
    MatrixView<Real> bias(sum + outputs * inputs, outputs, 1);
    const ConstMatrixView<Real> d(out_gradients, outputs, in.examples);
    for (Eigen::Index i = 0; i < in.examples; ++i) bias += d.col(i);
}

#define ASSAY_INSTANTIATE(Real)                                                                    \
    template void Dense::forward(const Real*, const LayerInput<Real>&, Real*) const;               \
    template void Dense::backward(const Real*, const LayerInput<Real>&, const Real*, Real*) const; \
    template void Dense::add_squared_norms(const LayerInput<Real>&, const Real*, long double*)     \
        const;                                                                                     \
    template void Dense::add_gradients(Eigen::Index, const LayerInput<Real>&, const Real*, Real*)  \
        const;
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
