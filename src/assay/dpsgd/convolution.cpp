#include "assay/dpsgd/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/dpsgd/matrix_product.hpp"

namespace assay {

namespace {

using Eigen::Index;

constexpr Index positions_at_once = 512;

Index images_at_once(const Convolution& layer) {
    return std::max<Index>(1, positions_at_once / layer.positions());
}

/// The rows [first, last) of the 3x3 neighbourhood of every position: 3 inputs numbers a row.
template <class Real>
void gather(const Convolution& layer, const Real* image, Index first, Index last, Real* columns) {
    const Index channels = layer.inputs;
    const Index row_size = layer.width * channels;
    for (Index y = 0; y < layer.height; ++y)
        for (Index x = 0; x < layer.width; ++x)
            for (Index dy = first; dy < last; ++dy, columns += 3 * channels) {
                const Index from_y = y + dy - 1;
                if (from_y < 0 || from_y >= layer.height) {
                    std::fill_n(columns, 3 * channels, Real(0));
                    continue;
                }
                const Index left = x == 0 ? 1 : 0;
                const Index right = x + 1 == layer.width ? 2 : 3;
                if (left == 1) std::fill_n(columns, channels, Real(0));
                if (right == 2) std::fill_n(columns + 2 * channels, channels, Real(0));
                std::copy_n(image + from_y * row_size + (x + left - 1) * channels,
                            (right - left) * channels, columns + left * channels);
            }
}

/// The transpose of gather with all rows: what the neighbourhoods got is added to the image.
template <class Real>
void scatter(const Convolution& layer, const Real* columns, Real* image) {
    const Index channels = layer.inputs;
    for (Index y = 0; y < layer.height; ++y)
        for (Index x = 0; x < layer.width; ++x)
            for (Index dy = 0; dy < 3; ++dy, columns += 3 * channels) {
                const Index to_y = y + dy - 1;
                if (to_y < 0 || to_y >= layer.height) continue;
                const Index left = x == 0 ? 1 : 0;
                const Index right = x + 1 == layer.width ? 2 : 3;
                Real* to = image + (to_y * layer.width + x + left - 1) * channels;
                const Real* from = columns + left * channels;
                for (Index k = 0; k < (right - left) * channels; ++k) to[k] += from[k];
            }
}

/// Calls run(first, count) for a few images after another.
template <class Run>
void in_groups(const Convolution& layer, Index examples, const Run& run) {
    const Index at_once = images_at_once(layer);
    for (Index first = 0; first < examples; first += at_once)
        run(first, std::min(at_once, examples - first));
}

template <class Real>
Matrix<Wider<Real>> gram(const Real* columns, Index rows, Index count, Wider<Real> start) {
    const Matrix<Wider<Real>> wide =
        ConstMatrixView<Real>(columns, rows, count).template cast<Wider<Real>>();
    Matrix<Wider<Real>> product = Matrix<Wider<Real>>::Constant(count, count, start);
    const auto factor = dense_factor(wide.data(), rows, count);
    add_product(factor.transposed(), factor, product.data(), count);
    return product;
}

}  // namespace

std::size_t Convolution::scratch_size() const {
    return static_cast<std::size_t>(9 * inputs * positions() * images_at_once(*this));
}

template <class Real>
void Convolution::forward(const Real* parameters, const LayerInput<Real>& in, Real* out,
                          std::vector<Real>& scratch) const {
    scratch.resize(std::max(scratch.size(), scratch_size()));
    const Real* bias = parameters + 9 * inputs * outputs;
    in_groups(*this, in.examples, [&](Index first, Index count) {
        for (Index i = 0; i < count; ++i)
            gather(*this, in.values + (first + i) * input_size(), 0, 3,
                   scratch.data() + i * 9 * input_size());
        Real* y = out + first * output_size();
        for (Index p = 0; p < count * positions(); ++p) std::copy_n(bias, outputs, y + p * outputs);
        add_product(dense_factor(parameters, outputs, 9 * inputs),
                    dense_factor(scratch.data(), 9 * inputs, count * positions()), y, outputs);
    });
}

template <class Real>
void Convolution::backward(const Real* parameters, const LayerInput<Real>& in,
                           const Real* out_gradients, Real* in_gradients,
                           std::vector<Real>& scratch) const {
    scratch.resize(std::max(scratch.size(), scratch_size()));
    std::fill_n(in_gradients, input_size() * in.examples, Real(0));
    in_groups(*this, in.examples, [&](Index first, Index count) {
        std::fill_n(scratch.data(), count * 9 * input_size(), Real(0));
        add_product(
            dense_factor(parameters, outputs, 9 * inputs).transposed(),
            dense_factor(out_gradients + first * output_size(), outputs, count * positions()),
            scratch.data(), 9 * inputs);
        for (Index i = 0; i < count; ++i)
            scatter(*this, scratch.data() + i * 9 * input_size(),
                    in_gradients + (first + i) * input_size());
    });
}

bool Convolution::holds_gradients() const {
    // Gram matrices: P^2 (9 inputs + outputs) products in Wider; a held gradient is written, read,
    // scaled and added, which takes as long as about 20 products a number.
    return positions() * positions() * (9 * inputs + outputs) > 180 * inputs * outputs;
}

template <class Real>
void Convolution::example_gradients(const LayerInput<Real>& in, const Real* out_gradients,
                                    Real* held, std::vector<Real>& scratch) const {
    scratch.resize(std::max(scratch.size(), scratch_size()));
    std::fill_n(held, parameter_count() * in.examples, Real(0));
    for (Index i = 0; i < in.examples; ++i) {
        gather(*this, in.values + i * input_size(), 0, 3, scratch.data());
        const Real* d = out_gradients + i * output_size();
        Real* gradient = held + i * parameter_count();
        add_product(dense_factor(d, outputs, positions()),
                    dense_factor(scratch.data(), 9 * inputs, positions()).transposed(), gradient,
                    outputs);
        MatrixView<Real>(gradient + 9 * inputs * outputs, outputs, 1) =
            ConstMatrixView<Real>(d, outputs, positions()).rowwise().sum();
    }
}

template <class Real>
void Convolution::add_squared_norms(const LayerInput<Real>& in, const Real* out_gradients,
                                    long double* squared, std::vector<Real>& scratch) const {
    scratch.resize(std::max(scratch.size(), scratch_size()));
    const long double slack =
        static_cast<long double>(positions() + 4) * std::numeric_limits<Real>::epsilon() / 2;
    // The rounding of the products and of the sum below, relative to S^2.
    const long double product_slack =
        static_cast<long double>(9 * inputs + outputs + 32) *
            std::numeric_limits<Wider<Real>>::epsilon() +
        static_cast<long double>(positions() * positions()) * 0x1p-63L;
    for (Index i = 0; i < in.examples; ++i) {
        gather(*this, in.values + i * input_size(), 0, 3, scratch.data());
        const auto x = gram(scratch.data(), 9 * inputs, positions(), Wider<Real>(1));
        const auto d =
            gram(out_gradients + i * output_size(), outputs, positions(), Wider<Real>(0));
        long double norm = 0.0L;
        long double size = 0.0L;  // S
        for (Index p = 0; p < positions(); ++p) {
            size += std::sqrt(static_cast<long double>(x(p, p)) * d(p, p));
            for (Index q = 0; q < positions(); ++q)
                norm += static_cast<long double>(x(p, q)) * d(p, q);
        }
        // |G|^2 <= what was computed + its rounding; NaN and inf go on.
        norm += product_slack * size * size;
        const long double root = norm > 0.0L ? std::sqrt(norm) : norm;
        const long double with_rounding = root + slack * size;
        squared[i] += with_rounding * with_rounding;
    }
}

template <class Real>
void Convolution::add_gradients(Eigen::Index piece, const LayerInput<Real>& in,
                                const Real* out_gradients, Real* sum,
                                std::vector<Real>& scratch) const {
    scratch.resize(std::max(scratch.size(), scratch_size()));
    in_groups(*this, in.examples, [&](Index first, Index count) {
        for (Index i = 0; i < count; ++i)
            gather(*this, in.values + (first + i) * input_size(), piece, piece + 1,
                   scratch.data() + i * 3 * input_size());
        add_product(
            dense_factor(out_gradients + first * output_size(), outputs, count * positions()),
            dense_factor(scratch.data(), 3 * inputs, count * positions()).transposed(),
            sum + piece * 3 * inputs * outputs, outputs);
    });
    if (piece > 0) return;
    MatrixView<Real> bias(sum + 9 * inputs * outputs, outputs, 1);
    const ConstMatrixView<Real> d(out_gradients, outputs, in.examples * positions());
    for (Index p = 0; p < d.cols(); ++p) bias += d.col(p);
}

#define ASSAY_INSTANTIATE(Real)                                                                   \
    template void Convolution::forward(const Real*, const LayerInput<Real>&, Real*,               \
                                       std::vector<Real>&) const;                                 \
    template void Convolution::backward(const Real*, const LayerInput<Real>&, const Real*, Real*, \
                                        std::vector<Real>&) const;                                \
    template void Convolution::example_gradients(const LayerInput<Real>&, const Real*, Real*,     \
                                                 std::vector<Real>&) const;                       \
    template void Convolution::add_squared_norms(const LayerInput<Real>&, const Real*,            \
                                                 long double*, std::vector<Real>&) const;         \
    template void Convolution::add_gradients(Eigen::Index, const LayerInput<Real>&, const Real*,  \
                                             Real*, std::vector<Real>&) const;
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
