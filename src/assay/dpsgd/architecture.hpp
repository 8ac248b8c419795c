#pragma once
#include <string>
#include <variant>
#include <vector>

#include "assay/datasets/dataset.hpp"

namespace assay {

/// One affine map from the values to the logits.
struct LogisticRegression {
    friend bool operator==(const LogisticRegression&, const LogisticRegression&) = default;
};

/// Affine maps with ReLU between them.
struct MultilayerPerceptron {
    std::vector<int> hidden;

    friend bool operator==(const MultilayerPerceptron&, const MultilayerPerceptron&) = default;
};

/// birrell2024 Section 4.3: 3x3 convolutions (stride 1, padding 1), each with ReLU, in pairs. The
/// second of a pair is followed by group normalisation (before its ReLU) and 2x2 maximum pooling,
/// then affine layers. The paper names neither pooling nor head: these are the plainest.
struct ConvolutionalNetwork {
    std::vector<int> channels{32, 32, 64, 128, 128, 256};
    int groups = 32;          // at most: the largest divisor of the channels that is not above it
    std::vector<int> hidden;  // affine layers with ReLU between the last pooling and the logits

    friend bool operator==(const ConvolutionalNetwork&, const ConvolutionalNetwork&) = default;
};

/// chua2025 Appendix C: an embedding of every categorical field beside the values, affine layers
/// with ReLU, one logit.
struct ClickNetwork {
    int embedding = 48;
    std::vector<int> hidden{598, 598, 598};

    friend bool operator==(const ClickNetwork&, const ClickNetwork&) = default;
};

using Architecture =
    std::variant<LogisticRegression, MultilayerPerceptron, ConvolutionalNetwork, ClickNetwork>;

/// One line for figures and records, e.g. "multilayer perceptron, hidden 64-32".
[[nodiscard]] std::string describe(const Architecture& architecture);

/// Refuses sizes below 1 and examples that the architecture cannot take.
///   Throws     DomainError (hidden, channels, groups, embedding, image, values, categories,
///   classes)
void validate(const Architecture& architecture, const ExampleShape& shape);

/// How many logits an example gets: 1 (binary cross entropy, the logit of class 1) for two classes
/// that are not of images, otherwise one a class (softmax cross entropy).
[[nodiscard]] int logit_count(const ExampleShape& shape);

}  // namespace assay
