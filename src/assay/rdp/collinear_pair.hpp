#pragma once
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// P = (1-q) N_0 + q N_x against Q = (1-q) N_0 + q N_y, unit variance, x >= y.
///
/// (x, y) = (c, 0) is the subsampled Gaussian in the removal direction, (0, -c) the same pair in
/// the other order (reflected), (u, -u) the Poisson replace-one pair.
class CollinearPair final : public LikelihoodRatio {
public:
    /// Throws DomainError unless 0 <= q <= 1 and x >= y, both finite.
    CollinearPair(real sampling_probability, real x, real y);

    [[nodiscard]] LossPoint at(real z) const override;
    [[nodiscard]] PairShape shape() const override;
    [[nodiscard]] TailPair tails(real z) const override;
    [[nodiscard]] std::optional<Enclosure> ruled_by_largest_shift(real order) const override;

private:
    struct Mixture {
        real log = 0.0L;
        real posterior = 0.0L;  // q X / ((1-q) + q X)
    };
    [[nodiscard]] Mixture mixture(real exponent) const;

    real q_;
    real log_q_;
    real odds_;  // (1-q)/q
    real x_;
    real y_;
};

}  // namespace assay
