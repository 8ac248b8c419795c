#pragma once
#include <cstdint>

#include "assay/dpsgd/block.hpp"

namespace assay {

/// The values of an example, followed by a row of each categorical field's table. Parameters: the
/// tables one after the other, row after row. The gradient of an example is one row a field: the
/// gradient of the outputs itself.
struct Embedding {
    Eigen::Index values = 0;
    Eigen::Index dimension = 0;
    std::vector<std::int32_t> categories;  // rows of each field's table

    [[nodiscard]] Eigen::Index fields() const {
        return static_cast<Eigen::Index>(categories.size());
    }
    [[nodiscard]] Eigen::Index input_size() const { return values; }
    [[nodiscard]] Eigen::Index output_size() const { return values + dimension * fields(); }
    [[nodiscard]] Eigen::Index parameter_count() const;

    template <class Real>
    void forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const;
    template <class Real>
    void add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                           long double* squared) const;

    /// A piece is a field's table; rows of categories that do not occur are not touched.
    [[nodiscard]] Eigen::Index pieces() const { return fields(); }
    template <class Real>
    void add_gradients(Eigen::Index piece, const LayerInput<Real>& in, const Real* out_gradients,
                       Real* sum) const;
};

}  // namespace assay
