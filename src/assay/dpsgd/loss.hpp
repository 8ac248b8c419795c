#pragma once
#include <cstdint>
#include <span>

namespace assay {

/// The loss of one example and whether its label has the largest logit.
struct ExampleLoss {
    double loss = 0.0;  // nats; +inf when a logit is not finite
    bool correct = false;
};

/// Loss of one example's logits, whose gradient replaces them.
///   Maths      one logit z: binary cross entropy log(1 + e^z) - label z, gradient e^z/(1+e^z) -
///   label
///              several: softmax cross entropy log(sum_k e^(z_k)) - z_label, gradient
///              e^(z_j) / sum_k e^(z_k) - [j = label]
///   Domain     a label that is one; any logits: one that is not finite makes the loss +inf and
///              every gradient NaN
///   Throws     nothing
[[nodiscard]] ExampleLoss replace_by_gradient(std::span<float> logits, std::int32_t label);
[[nodiscard]] ExampleLoss replace_by_gradient(std::span<double> logits, std::int32_t label);

}  // namespace assay
