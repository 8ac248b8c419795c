#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/dpsgd/architecture.hpp"
#include "assay/dpsgd/layers.hpp"

namespace assay {

/// A network: its layers in order and all of their parameters in one vector.
///   Maths      initial weights of an affine map, convolution or embedding of k inputs: normal with
///              variance 2/k (before ReLU), 1/k (before the logits), 1/dimension (embedding);
///              biases 0, group normalisation 1 and 0
///   Domain     Real is float (training) or double (tests)
///   Throws     DomainError as validate(architecture, shape)
template <class Real>
class Model {
public:
    Model(const Architecture& architecture, const ExampleShape& shape, std::uint64_t seed);

    [[nodiscard]] std::span<Real> parameters() { return parameters_; }
    [[nodiscard]] std::span<const Real> parameters() const { return parameters_; }
    [[nodiscard]] std::int64_t parameter_count() const {
        return static_cast<std::int64_t>(parameters_.size());
    }

    [[nodiscard]] const Architecture& architecture() const { return architecture_; }
    [[nodiscard]] const ExampleShape& shape() const { return shape_; }
    [[nodiscard]] const std::vector<Stage>& stages() const { return stages_; }
    [[nodiscard]] int logits() const { return logit_count(shape_); }

private:
    Architecture architecture_;
    ExampleShape shape_;
    std::vector<Stage> stages_;
    std::vector<Real> parameters_;
};

extern template class Model<float>;
extern template class Model<double>;

}  // namespace assay
