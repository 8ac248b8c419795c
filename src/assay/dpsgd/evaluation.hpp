#pragma once
#include <cstdint>
#include <span>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/model.hpp"

namespace assay {

/// How well a model does on labelled examples.
struct Evaluation {
    double loss = 0.0;      // mean cross entropy; +inf where a logit is not finite
    double accuracy = 0.0;  // share whose label has the largest logit, or the sign of the only one
    double auc = 0.0;       // area under the ROC curve, for models of one logit; 0 otherwise

    friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

/// Evaluates in pieces: memory for the logits, and the activations of one piece.
///   Cost       one forward pass, and a sort for the AUC
///   Throws     DomainError as predict()
[[nodiscard]] Evaluation evaluate(const Model<float>& model, const Dataset& data, int threads);

/// Probability that a random positive scores higher than a random negative, ties counting half
/// (Mann and Whitney). 1/2 where one of the classes is empty.
///   Domain     scores and labels (0, 1) of one size; a score that is NaN ranks lowest
[[nodiscard]] double area_under_curve(std::span<const float> scores,
                                      std::span<const std::int32_t> labels);

}  // namespace assay
