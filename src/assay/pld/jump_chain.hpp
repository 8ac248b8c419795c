#pragma once
#include <cstdint>
#include <vector>

#include "assay/pld/composition_plan.hpp"
#include "assay/pld/entropic_tail.hpp"
#include "assay/pld/rising_thresholds.hpp"

namespace assay {

/// What the last `steps` steps pay at most, at the ratio x of what went before, threshold K = 1:
///   V(x) <= e^{a+s} (E U1(x e^s) + infinity_mass x) + e^{log_power} x^order,
/// U1 the function of the rising thresholds, a and s their errors.
struct ChainLink {
    std::int64_t steps = 0;
    RisingThresholds thresholds;  // the running maximum of the density
    std::vector<double> density;  // of log thresholds, on cells of length step
    double first = 0.0;           // where the first cell begins
    double step = 0.0;
    double log_power = 0.0;
    double order = 0.0;
};

/// What the chain needs to know besides the pairs of one step.
struct ChainMoments {
    double divergence = 0.0;           // at least KL of either order
    std::vector<MomentBound> moments;  // of one step, orders increasing from little above 1
    double order = 0.0;                // one of those orders, for what is far out
    // Where it shall be accurate; only the choices between true bounds depend on these.
    double epsilon = 0.0;
    double delta = 0.0;      // about that at epsilon
    double log_reach = 0.0;  // log(E W^order of all steps e^{(1 - order) epsilon} / delta)
};

/// Dominating pairs for the last `start` steps, then the one-sided pair group by group, each with
/// the factor that it takes to exceed every other pair at every ratio (docs/proofs.md, the chain).
/// One link after each doubling of the steps, up to `most` of them.
///   Cost  about 30 groups a doubling, each some 10^6 products
[[nodiscard]] std::vector<ChainLink> jump_chain(const DominatingPair& one_sided,
                                                const DominatingPair& symmetric,
                                                const ChainMoments& moments, Adjacency adjacency,
                                                std::int64_t start, std::int64_t most,
                                                double precision);

}  // namespace assay
