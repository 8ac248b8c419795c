#pragma once
#include <cstdint>
#include <vector>

#include "assay/pld/composition_plan.hpp"

namespace assay {

/// A lower bound of what an oracle reaches that plays a pair or the same pair turned round, block
/// by block, whichever is better at the likelihood ratio so far (docs/proofs.md, turned pairs).
///   Maths   V_0(x) = E (xG - K)_+, V_{j+1}(x) = max(E V_j(x W), E V_j(x / W)'), W the ratio of a
///           block and ' its first distribution; delta >= V_J(1). One table serves every K
///   Cost    two transforms a block
class TurnedPairs {
public:
    /// `steps` of `pair` in `blocks` blocks, then `others` (their product is G); accurate where
    /// delta is about `delta` at `epsilon`, to a part of about `precision` of the losses' variance.
    ///   Domain  1 <= blocks <= steps, shape removal
    TurnedPairs(const RepeatedLossPair& pair, const std::vector<RepeatedLossPair>& others,
                Adjacency adjacency, std::int64_t blocks, double epsilon, double delta,
                double precision);

    /// A lower bound, at least 0.
    [[nodiscard]] double delta(double epsilon) const;
    /// The largest epsilon >= 0 found whose lower bound is above `target`; 0 if there is none.
    [[nodiscard]] double epsilon(double target) const;

private:
    [[nodiscard]] double at(std::int64_t index) const;

    double step_ = 0.0;
    std::int64_t first_ = 0;      // of log(x/K) = step (first + i)
    std::vector<double> values_;  // V(x)/x there, K = 1
    double loss_error_ = 0.0;
};

}  // namespace assay
