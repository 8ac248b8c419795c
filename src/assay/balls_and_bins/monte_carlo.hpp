#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "assay/balls_and_bins/dominating_pair.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

/// How the likelihood ratio of one epoch is drawn.
enum class SamplingMethod {
    plain,                            // chua2025 Algorithm 4: every coordinate
    order_statistics,                 // Algorithm 6: an upper bound of the loss from some orders
    importance,                       // Algorithms 5 and 10: inside the event where it is large
    importance_and_order_statistics,  // Appendix B.3
};

[[nodiscard]] std::string_view to_string(SamplingMethod method);

/// Monte Carlo estimation of delta in one direction for a list of epsilons at once.
struct MonteCarloPlan {
    BallsAndBins mechanism;
    LossDirection direction = LossDirection::remove;
    std::vector<double> epsilons{};
    SamplingMethod method = SamplingMethod::plain;
    std::vector<std::int64_t> orders{};  // where the method encodes by order statistics
    std::int64_t epochs = 1;             // chua2025 Algorithm 11
    std::uint64_t seed = 1;
};

/// Throws DomainError for a field outside its domain: steps, a noise multiplier below 0.04, an
/// epsilon that is not a number in [-600, 600], an order list that is not increasing, leaves 1 .. R
/// or does not start at 1 where (4) needs it, orders without a use; UnsupportedMechanism for
/// importance sampling over several epochs, for which no sampler is known.
void validate(const MonteCarloPlan& plan);

/// A fixed number, whatever the machine: a multiple of 4, at most 4096.
[[nodiscard]] std::int64_t trials_per_block(const MonteCarloPlan& plan);

/// Three sums for each epsilon: of x, of x^2, and of the indicator of x > 0.
[[nodiscard]] std::size_t number_of_sums(const MonteCarloPlan& plan);

/// Bound of |computed / drawn - 1| for the likelihood ratio W (docs/error_bounds.md#monte-carlo).
/// Every trial uses W moved by this much to the side that makes x larger.
[[nodiscard]] double likelihood_ratio_margin(const MonteCarloPlan& plan);

/// Draws x = [1 - e^{eps - L}]_+ for blocks of trials; L is the privacy loss or, with order
/// statistics, an upper bound of it. Block b uses stream b alone: any number of threads may call.
///   Source     chua2025 Section 4 and Appendix B, with k_{r+1} = R + 1 in (4), x_1 restricted to
///              values <= y* + 1 and the others to values <= y* in B.3
///   Cost       plain: about 2 ns a coordinate; order statistics: about 4 ns an order
///   Throws     DomainError, UnsupportedMechanism
class MonteCarloSampler {
public:
    explicit MonteCarloSampler(MonteCarloPlan plan);
    ~MonteCarloSampler();
    MonteCarloSampler(MonteCarloSampler&&) noexcept;
    MonteCarloSampler& operator=(MonteCarloSampler&&) noexcept;

    [[nodiscard]] const MonteCarloPlan& plan() const { return *plan_; }
    /// Writes the sums of one block.
    void run_block(std::uint64_t block, std::span<double> sums) const;

private:
    class Kernel;
    std::unique_ptr<const MonteCarloPlan> plan_;  // the kernel refers to it
    std::unique_ptr<const Kernel> kernel_;
};

/// What the sums of `samples` trials say about delta at one epsilon, one direction.
struct DeltaEstimate {
    double epsilon = 0.0;
    double mean = 0.0;            // of x, times the probability of the event that was sampled
    double standard_error = 0.0;  // of that mean
    double share_positive = 0.0;  // of trials with x > 0
    double kl_upper = 1.0;        // confidence bounds: each one alone fails with probability beta
    double bernstein_upper = 1.0;
    double lower = 0.0;  // 0 where order statistics make every x too large
};

/// Estimates and confidence bounds, one for each epsilon.
///   Maths      kl_upper: chua2025 Algorithms 4 and 5; bernstein_upper: Maurer and Pontil 2009,
///              Theorem 4; lower: mean(x) - (e^{2.1 eta k} - 1) P(x > 0) by the KL bounds at beta/2
///              each, eta the likelihood_ratio_margin, k epochs
///   Domain     sums as run_block() wrote them, added over the blocks; samples >= 2; 0 < beta < 1
///   Direction  outward. beta covers one bound of one epsilon in one direction: for the larger of
///              both directions, or for a curve, ask with shared_error_probability()
///   Throws     DomainError
[[nodiscard]] std::vector<DeltaEstimate> estimate(const MonteCarloPlan& plan,
                                                  std::span<const double> sums,
                                                  std::int64_t samples, double beta);

}  // namespace assay
