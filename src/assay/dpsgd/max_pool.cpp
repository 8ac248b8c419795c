#include "assay/dpsgd/max_pool.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

/// Where in a square of four positions the first largest value of a channel is; a NaN is larger.
template <class Real>
Eigen::Index largest(const Real* const* corners, Eigen::Index channel) {
    Eigen::Index best = 0;
    for (Eigen::Index k = 1; k < 4; ++k)
        if (!(corners[k][channel] <= corners[best][channel]) && !std::isnan(corners[best][channel]))
            best = k;
    return best;
}

/// Calls visit(square, corners) for every square of four positions of an image.
template <class Value, class Visit>
void for_each_square(const MaxPool& layer, Value* image, const Visit& visit) {
    const Eigen::Index row = layer.width * layer.channels;
    Eigen::Index square = 0;
    for (Eigen::Index y = 0; y + 1 < layer.height; y += 2)
        for (Eigen::Index x = 0; x + 1 < layer.width; x += 2, ++square) {
            Value* corner = image + y * row + x * layer.channels;
            Value* corners[4] = {corner, corner + layer.channels, corner + row,
                                 corner + row + layer.channels};
            visit(square, corners);
        }
}

}  // namespace

template <class Real>
void MaxPool::forward(const LayerInput<Real>& in, Real* out) const {
    for (Eigen::Index i = 0; i < in.examples; ++i, out += output_size())
        for_each_square(*this, in.values + i * input_size(),
                        [&](Eigen::Index square, const Real* const* corners) {
                            for (Eigen::Index c = 0; c < channels; ++c)
                                out[square * channels + c] = corners[largest(corners, c)][c];
                        });
}

template <class Real>
void MaxPool::backward(const LayerInput<Real>& in, const Real* out_gradients,
                       Real* in_gradients) const {
    std::fill_n(in_gradients, input_size() * in.examples, Real(0));
    for (Eigen::Index i = 0; i < in.examples; ++i, out_gradients += output_size()) {
        Real* const image_gradient = in_gradients + i * input_size();
        const Real* const image = in.values + i * input_size();
        for_each_square(*this, image, [&](Eigen::Index square, const Real* const* corners) {
            for (Eigen::Index c = 0; c < channels; ++c)
                image_gradient[corners[largest(corners, c)] - image + c] =
                    out_gradients[square * channels + c];
        });
    }
}

#define ASSAY_INSTANTIATE(Real)                                           \
    template void MaxPool::forward(const LayerInput<Real>&, Real*) const; \
    template void MaxPool::backward(const LayerInput<Real>&, const Real*, Real*) const;
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
