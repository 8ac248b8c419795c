#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "assay/epochs/dominating_pair.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

/// How the likelihood ratio of one epoch is drawn.
enum class SamplingMethod {
    plain,                            // chua2025 Algorithm 4: every coordinate
    order_statistics,                 // Algorithm 6: an upper bound of the loss from some orders
    importance,                       // Algorithms 5 and 10: inside the event where it is large
    importance_and_order_statistics,  // Appendix B.3
    conditional,                      // the largest coordinate integrated given the others
};

[[nodiscard]] std::string_view to_string(SamplingMethod method);
/// Whether it draws an upper bound of the loss from order statistics.
[[nodiscard]] bool encodes_by_orders(SamplingMethod method);
/// Whether it samples inside an event of known probability.
[[nodiscard]] bool has_event(SamplingMethod method);

/// Monte Carlo estimation of delta in one direction for a list of epsilons at once.
struct MonteCarloPlan {
    BallsAndBins mechanism;
    LossDirection direction = LossDirection::removal;
    std::vector<double> epsilons{};
    SamplingMethod method = SamplingMethod::plain;
    std::vector<std::int64_t> orders{};  // where the method encodes by order statistics
    std::int64_t epochs = 1;             // chua2025 Algorithm 11
    std::uint64_t seed = 1;
};

/// Throws DomainError for a field outside its domain: batches, a noise multiplier below 0.04, an
/// epsilon that is not a number in [-600, 600], an order list that is not increasing, leaves 1 .. R
/// or does not start at 1 where (4) needs it, orders without a use; UnsupportedMechanism for
/// importance sampling and conditional Monte Carlo over several epochs.
void validate(const MonteCarloPlan& plan);

/// A fixed number, whatever the machine: a multiple of 4, at most 4096.
[[nodiscard]] std::int64_t trials_per_block(const MonteCarloPlan& plan);

/// Three sums for each epsilon: of x, of x^2, and of the indicator of x > 0; of the lower sides of
/// x instead where it is an integral (conditional).
[[nodiscard]] std::size_t number_of_sums(const MonteCarloPlan& plan);

/// Bound of |computed / drawn - 1| for the likelihood ratio W (docs/error_bounds.md#monte-carlo).
/// Every trial uses W moved by this much to the side that makes x larger.
[[nodiscard]] double likelihood_ratio_margin(const MonteCarloPlan& plan);

/// Draws x = [1 - e^{eps - L}]_+, or its conditional expectation, for blocks of trials; L is the
/// privacy loss or, with order statistics, an upper bound of it. Block b uses stream b alone: any
/// number of threads may call.
///   Source     chua2025 Section 4 and Appendix B, with k_{r+1} = R + 1 in (4), x_1 restricted to
///              values <= y* + 1 and the others to values <= y* in B.3
///   Cost       plain: about 2 ns a coordinate; conditional: 4 ns; order statistics: 5 ns an order
///   Throws     DomainError, UnsupportedMechanism
class MonteCarloSampler {
public:
    /// Its tables are made on so many threads.
    explicit MonteCarloSampler(MonteCarloPlan plan, int threads = 1);
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

}  // namespace assay
