#pragma once
#include <cstdint>
#include <vector>

#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// V(z) = sum_n Bin(n; B, 1/D) e^(n c z - n^2 c^2/2), the mixture of birrell2024 (115), against 1.
///
/// `removal`: P = V, Q = 1. Otherwise the other order, reflected: P = 1, Q = V(-z).
class BinomialPair final : public LikelihoodRatio {
public:
    /// 1 <= batch_size < dataset_size; shift c > 0 per copy of the record.
    BinomialPair(std::int64_t batch_size, std::int64_t dataset_size, real shift, bool removal);

    [[nodiscard]] LossPoint at(real z) const override;
    [[nodiscard]] PairShape shape() const override;
    [[nodiscard]] TailPair tails(real z) const override;
    [[nodiscard]] std::optional<Enclosure> ruled_by_largest_shift(real order) const override;

private:
    struct Value {
        real log = 0.0L;
        real excess = 0.0L;
        real slope = 0.0L;  // d log V / dz
        real absolute_error = 0.0L;
        real relative_error = 0.0L;
    };
    [[nodiscard]] Value mixture(real z) const;
    [[nodiscard]] Value near_one(real z) const;
    [[nodiscard]] Value far(real z) const;
    [[nodiscard]] real log_weight(std::int64_t n) const;
    /// (B-n)/(n+1), the binomial coefficients' ratio of term n+1 to term n.
    [[nodiscard]] real coefficient_ratio(std::int64_t n) const;
    /// log of the ratio of term n+1 to term n.
    [[nodiscard]] real log_ratio(std::int64_t n, real z) const;

    std::int64_t batch_;
    real probability_;
    real log_odds_;  // log(p/(1-p))
    real shift_;
    bool removal_;
    std::vector<real> ratios_;       // coefficient_ratio(n), n < min(B, 2048)
    std::vector<real> log_ratios_;   // their logarithms
    std::vector<real> log_weights_;  // log Bin(n), n < min(B, 2048) + 1
};

}  // namespace assay
