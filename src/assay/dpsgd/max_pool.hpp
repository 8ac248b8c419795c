#pragma once
#include "assay/dpsgd/block.hpp"

namespace assay {

/// The largest of every 2x2 square of positions, channel by channel (the first of equal ones; a
/// last odd row or column is dropped). No parameters.
struct MaxPool {
    Eigen::Index height = 0;  // of what goes in
    Eigen::Index width = 0;
    Eigen::Index channels = 0;

    [[nodiscard]] Eigen::Index input_size() const { return height * width * channels; }
    [[nodiscard]] Eigen::Index output_size() const { return (height / 2) * (width / 2) * channels; }
    [[nodiscard]] Eigen::Index parameter_count() const { return 0; }

    template <class Real>
    void forward(const LayerInput<Real>& in, Real* out) const;
    template <class Real>
    void backward(const LayerInput<Real>& in, const Real* out_gradients, Real* in_gradients) const;
};

}  // namespace assay
