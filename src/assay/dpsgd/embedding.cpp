#include "assay/dpsgd/embedding.hpp"

#include <algorithm>

namespace assay {

namespace {

/// Where the table of a field begins among the parameters.
Eigen::Index first_row(const Embedding& layer, Eigen::Index field) {
    Eigen::Index rows = 0;
    for (Eigen::Index f = 0; f < field; ++f) rows += layer.categories[static_cast<std::size_t>(f)];
    return rows;
}

}  // namespace

Eigen::Index Embedding::parameter_count() const {
    return first_row(*this, fields()) * dimension;
}

template <class Real>
void Embedding::forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const {
    for (Eigen::Index i = 0; i < in.examples; ++i, out += output_size())
        std::copy_n(in.values + i * values, values, out);
    out -= output_size() * in.examples;
    const Real* table = parameters;
    for (Eigen::Index field = 0; field < fields(); ++field) {
        for (Eigen::Index i = 0; i < in.examples; ++i)
            std::copy_n(table + in.categories[i * fields() + field] * dimension, dimension,
                        out + i * output_size() + values + field * dimension);
        table += categories[static_cast<std::size_t>(field)] * dimension;
    }
}

template <class Real>
void Embedding::add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                                  long double* squared) const {
    for (Eigen::Index i = 0; i < in.examples; ++i)
        squared[i] += squared_norm(std::span(out_gradients + i * output_size() + values,
                                             static_cast<std::size_t>(dimension * fields())));
}

template <class Real>
void Embedding::add_gradients(Eigen::Index piece, const LayerInput<Real>& in,
                              const Real* out_gradients, Real* sum) const {
    Real* table = sum + first_row(*this, piece) * dimension;
    for (Eigen::Index i = 0; i < in.examples; ++i) {
        Real* row = table + in.categories[i * fields() + piece] * dimension;
        const Real* d = out_gradients + i * output_size() + values + piece * dimension;
        for (Eigen::Index j = 0; j < dimension; ++j) row[j] += d[j];
    }
}

#define ASSAY_INSTANTIATE(Real)                                                                    \
    template void Embedding::forward(const Real*, const LayerInput<Real>&, Real*) const;           \
    template void Embedding::add_squared_norms(const LayerInput<Real>&, const Real*, long double*) \
        const;                                                                                     \
    template void Embedding::add_gradients(Eigen::Index, const LayerInput<Real>&, const Real*,     \
                                           Real*) const;
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
