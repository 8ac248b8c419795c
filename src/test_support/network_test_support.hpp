#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/model.hpp"
#include "test_support/test_support.hpp"

/// Small networks of every kind with random examples, for the tests of the gradients.
namespace assay::test_support {

struct SmallNetwork {
    std::string name;
    Architecture architecture;
    ExampleShape shape;
};

inline std::vector<SmallNetwork> small_networks() {
    const ExampleShape image{{2, 5, 7}, 70, {}, 4};
    return {{"logistic", LogisticRegression{}, {{}, 6, {}, 3}},
            {"binary logistic", LogisticRegression{}, {{}, 6, {}, 2}},
            {"perceptron", MultilayerPerceptron{{70, 9}}, {{}, 67, {}, 5}},
            {"perceptron on images", MultilayerPerceptron{{8}}, {{1, 4, 4}, 16, {}, 2}},
            {"convolutions", ConvolutionalNetwork{{4, 6, 8, 12}, 3, {7}}, image},
            {"one convolution", ConvolutionalNetwork{{3}, 1, {}}, image},
            {"clicks", ClickNetwork{3, {7, 5}}, {{}, 2, {4, 1, 6}, 2}},
            {"clicks, no values", ClickNetwork{2, {3}}, {{}, 0, {5, 2}, 2}}};
}

inline Dataset random_examples(const ExampleShape& shape, int count, Random& random) {
    Dataset data{"random examples", shape, {}, {}, {}};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < shape.values; ++k)
            data.values.push_back(static_cast<float>(random.uniform(-1.0, 1.0)));
        for (const std::int32_t rows : shape.categories)
            data.categories.push_back(random.integer(0, rows - 1));
        data.labels.push_back(random.integer(0, shape.classes - 1));
    }
    return data;
}

/// Between -bound and bound.
template <class Real>
std::vector<Real> random_numbers(Random& random, std::ptrdiff_t count, double bound = 1.0) {
    std::vector<Real> numbers(static_cast<std::size_t>(count));
    for (Real& number : numbers) number = static_cast<Real>(random.uniform(-bound, bound));
    return numbers;
}

/// A model whose biases and normalisations are random too.
template <class Real>
Model<Real> random_model(const SmallNetwork& network, Random& random) {
    Model<Real> model(network.architecture, network.shape, random.seed());
    for (Real& parameter : model.parameters())
        parameter += static_cast<Real>(random.uniform(-0.2, 0.2));
    return model;
}

/// 0, 1, .., count - 1
inline std::vector<std::uint32_t> all_indices(int count) {
    std::vector<std::uint32_t> indices;
    for (int i = 0; i < count; ++i) indices.push_back(static_cast<std::uint32_t>(i));
    return indices;
}

}  // namespace assay::test_support
