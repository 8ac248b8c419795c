#include "assay/dpsgd/group_norm.hpp"

#include <cmath>

namespace assay {

namespace {

template <class Real>
using Column = Eigen::Array<Real, Eigen::Dynamic, 1>;

/// Every channel's value becomes the sum of those of its group.
template <class Real>
void add_up_groups(const GroupNorm& layer, Column<Real>& by_channel) {
    const Eigen::Index size = layer.channels / layer.groups;
    for (Eigen::Index group = 0; group < layer.groups; ++group) {
        auto members = by_channel.segment(group * size, size);
        members = Column<Real>::Constant(size, members.sum()).eval();
    }
}

/// Mean and 1 / sqrt(variance + 1e-5) of the group of every channel, of one example.
template <class Real>
struct Statistics {
    Column<Real> mean;
    Column<Real> inverse_deviation;

    Statistics(const GroupNorm& layer, const ConstMatrixView<Real>& x)
        : mean(Column<Real>::Zero(layer.channels)),
          inverse_deviation(Column<Real>::Zero(layer.channels)) {
        const Real count = static_cast<Real>(layer.group_size());
        for (Eigen::Index p = 0; p < layer.positions; ++p) mean += x.col(p).array();
        add_up_groups(layer, mean);
        mean /= count;
        for (Eigen::Index p = 0; p < layer.positions; ++p)
            inverse_deviation += (x.col(p).array() - mean).square();
        add_up_groups(layer, inverse_deviation);
        inverse_deviation = (inverse_deviation / count + Real(1e-5)).sqrt().inverse().eval();
    }
};

template <class Real>
ConstMatrixView<Real> image(const GroupNorm& layer, const Real* values, Eigen::Index example) {
    return {values + example * layer.input_size(), layer.channels, layer.positions};
}

}  // namespace

template <class Real>
void GroupNorm::forward(const Real* parameters, const LayerInput<Real>& in, Real* out) const {
    const ConstMatrixView<Real> scale(parameters, channels, 1);
    const ConstMatrixView<Real> shift(parameters + channels, channels, 1);
    for (Eigen::Index i = 0; i < in.examples; ++i) {
        const auto x = image(*this, in.values, i);
        MatrixView<Real> y(out + i * input_size(), channels, positions);
        const Statistics<Real> of(*this, x);
        const Column<Real> factor = scale.array() * of.inverse_deviation;
        for (Eigen::Index p = 0; p < positions; ++p)
            y.col(p) = (x.col(p).array() - of.mean) * factor + shift.array();
    }
}

template <class Real>
void GroupNorm::backward(const Real* parameters, const LayerInput<Real>& in,
                         const Real* out_gradients, Real* in_gradients, Real* held) const {
    const ConstMatrixView<Real> scale(parameters, channels, 1);
    const Real count = static_cast<Real>(group_size());
    for (Eigen::Index i = 0; i < in.examples; ++i) {
        const auto x = image(*this, in.values, i);
        const auto d = image(*this, out_gradients, i);
        const Statistics<Real> of(*this, x);
        MatrixView<Real> gradient(held + i * parameter_count(), channels, 2);
        gradient.setZero();
        for (Eigen::Index p = 0; p < positions; ++p) {
            const auto z = (x.col(p).array() - of.mean) * of.inverse_deviation;
            gradient.col(0).array() += d.col(p).array() * z;
            gradient.col(1).array() += d.col(p).array();
        }
        if (in_gradients == nullptr) continue;
        // dx = (s d - mean(s d) - z mean(s d z)) / deviation, means over the group.
        Column<Real> slope = scale.array() * gradient.col(0).array();
        Column<Real> level = scale.array() * gradient.col(1).array();
        add_up_groups(*this, slope);
        add_up_groups(*this, level);
        slope /= count;
        level /= count;
        MatrixView<Real> dx(in_gradients + i * input_size(), channels, positions);
        for (Eigen::Index p = 0; p < positions; ++p) {
            const auto z = (x.col(p).array() - of.mean) * of.inverse_deviation;
            dx.col(p) =
                (scale.array() * d.col(p).array() - level - z * slope) * of.inverse_deviation;
        }
    }
}

#define ASSAY_INSTANTIATE(Real)                                                                 \
    template void GroupNorm::forward(const Real*, const LayerInput<Real>&, Real*) const;        \
    template void GroupNorm::backward(const Real*, const LayerInput<Real>&, const Real*, Real*, \
                                      Real*) const;
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
