#pragma once
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/privacy/dominating_pair.hpp"

namespace assay {

/// The ratio W(z) = sum_k a_k e^{kcz - k^2c^2/2} of sampling with replacement, a_k = Bin(k; B, 1/D)
/// (docs/proofs.md E): z is standard normal under Q and N(kc, 1) with probability a_k under P.
/// Hits that are too many are left to `beyond`. log(W - a_0) is convex and increases in z.
class HitMixture {
public:
    /// Throws DomainError unless B >= 1, D >= 2 and B < D.
    HitMixture(const DominatingPair::Draws& draws, real shift);

    /// a_1, a_2, ..
    [[nodiscard]] const std::vector<real>& weights() const { return weights_; }
    /// 1 - a_0, and an upper bound of the sum of the weights that were left out: at most 1e-60 of
    /// it.
    [[nodiscard]] real hit_probability() const { return hit_probability_; }
    [[nodiscard]] real beyond() const { return beyond_; }

    /// log(W - a_0) and its slope; every number of hits outside [lowest, highest] has less than
    /// 2^-74 of W.
    struct Excess {
        real logarithm = 0.0L;
        real slope = 0.0L;
        int lowest = 1;
        int highest = 1;
    };
    [[nodiscard]] Excess excess(real z) const;
    [[nodiscard]] real ratio(real z) const;

    /// Where log W = loss; -infinity where W exceeds it everywhere. `near`: where to start.
    [[nodiscard]] real quantile(real loss, real near) const;

    /// The P-mass of a < z < b, relative error below 2^-50: from the four nodes of `normal_mass`
    /// where all components are smooth, else component by component.
    [[nodiscard]] real mass(real a, real b) const;

    /// P has about e^{-deviations^2/2} beyond it.
    [[nodiscard]] real highest(real deviations) const;

private:
    [[nodiscard]] real log_target(real loss) const;

    real shift_;
    real none_;  // a_0
    real hit_probability_ = 0.0L;
    real beyond_ = 0.0L;
    std::vector<real> weights_;
    std::vector<real> log_weights_;
    std::vector<real> step_;     // log a_{k+1}/a_k - (2k+1)c^2/2 for k = 1, 2, ..
    std::vector<real> falling_;  // exp(step_[i+1] - step_[i])
};

}  // namespace assay
