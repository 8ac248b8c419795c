#pragma once
#include <cstdint>
#include <vector>

#include "assay/rdp/log_excess.hpp"

namespace assay {

/// a_n = C(batch,n) dataset^{-n} (1 - 1/dataset)^{batch-n}, one n after the other.
///
/// a_0 = exp(batch log1p(-1/dataset)); a_{n+1} = a_n (batch-n) / ((n+1) (dataset-1)), whose
/// integers are exact in `real`: three roundings a step, no cancellation at any dataset size.
class BinomialWeights {
public:
    BinomialWeights(std::int64_t batch, std::int64_t dataset);

    [[nodiscard]] std::int64_t n() const { return n_; }
    [[nodiscard]] const ScaledReal& weight() const { return weight_; }
    /// Bound on |log computed - log exact| of the present weight.
    [[nodiscard]] real log_error() const;
    void advance();

private:
    std::int64_t batch_;
    real others_;  // dataset - 1
    std::int64_t n_ = 0;
    ScaledReal weight_;
    real first_error_;
};

/// q~ of birrell2024 (113): A / (a_0 + A), A = a_1 + ... + a_terms.
///   Domain     1 <= terms <= batch <= dataset, dataset >= 2
[[nodiscard]] PositiveNumber effective_sampling(std::int64_t batch, std::int64_t dataset,
                                                std::int64_t terms);

}  // namespace assay
