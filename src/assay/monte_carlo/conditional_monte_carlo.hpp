#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/epochs/dominating_pair.hpp"
#include "assay/numeric/tail_table.hpp"

namespace assay {

/// Estimation of delta with small relative variance, as a judge of other methods: it shares the
/// lognormal table with the plain sampler and nothing with the deterministic accountant.
struct ConditionalPlan {
    BallsAndBins mechanism;
    LossDirection direction = LossDirection::removal;
    std::vector<double> epsilons;  // within [-600, 600]
    std::uint64_t seed = 1;
};

/// Unbiased draws whose mean is delta, in blocks as MonteCarloSampler has them; two sums for each
/// epsilon, of x and of x^2. x is not bounded by 1: no confidence bound follows, a standard error
/// does.
///   Maths      removal: E_Q[(W - e^eps)_+] = T E[..; x_T the largest], the largest coordinate
///              integrated given the others (Asmussen and Kroese 2006):
///              x = (S - T e^eps) P(Z > z*) + P(Z > z* - 1/s), S = sum of T-1 lognormals,
///              z* = max(their largest normal, s log(T e^eps - S) + 1/(2s))
///              addition: E_Q[(1 - e^eps W)_+], every lognormal Y tilted to e^{-theta Y} (by
///              rejection) so that W has mean e^-eps, weighed back by e^{theta T W} E[e^{-theta
///              Y}]^T
///   Domain     batches >= 1, noise multiplier >= 0.04
///   Cost       removal 3 ns, addition 15 ns a coordinate          Throws  DomainError
class ConditionalSampler {
public:
    explicit ConditionalSampler(ConditionalPlan plan);

    [[nodiscard]] const ConditionalPlan& plan() const { return plan_; }
    [[nodiscard]] std::int64_t trials_per_block() const;
    [[nodiscard]] std::size_t number_of_sums() const { return 2 * plan_.epsilons.size(); }
    void run_block(std::uint64_t block, std::span<double> sums) const;

private:
    struct Tilt {
        double theta = 0.0;
        double log_weight = 0.0;  // T log E[e^{-theta Y}]
    };
    [[nodiscard]] Tilt tilt(double epsilon) const;
    void removal_trial(RandomStream& stream, std::span<double> sums) const;
    void addition_trial(RandomStream& stream, std::span<double> sums) const;

    ConditionalPlan plan_;
    TailTable table_;
    std::vector<Tilt> tilts_;
};

struct MeanEstimate {
    double mean = 0.0;
    double standard_error = 0.0;
};

/// One for each epsilon, from sums added over the blocks.     Throws  DomainError
[[nodiscard]] std::vector<MeanEstimate> conditional_estimate(std::span<const double> sums,
                                                             std::int64_t samples);

}  // namespace assay
