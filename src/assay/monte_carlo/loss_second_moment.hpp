#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/epochs/dominating_pair.hpp"

namespace assay {

/// Bounds of E x^2, x = [1 - e^{eps - L}]_+ of `epochs` epochs, one for each epsilon: what a
/// Bennett bound of Monte Carlo needs to know before sampling, as the discussion of chua2025
/// proposes.
///   Maths      removal: min over integer orders a = l+1 of e^{l (k D_a - eps)} 4 l^l /
///              (l+2)^(l+2), D_a the exact Renyi divergence of an epoch
///              addition, one epoch: min over t of E[e^{-tW}] max_w [1 - e^eps w]_+^2 e^{tw}
///              addition, several epochs: 1, since W has no exact negative moments
///   Domain     batches >= 1, noise multiplier >= 0.04, epochs >= 1, epsilon finite
///   Direction  upper, in (0, 1]
///   Source     docs/proofs.md, Bennett's inequality; rounding: docs/error_bounds.md#bennett
///   Throws     DomainError
[[nodiscard]] std::vector<double> loss_second_moments(const BallsAndBins& mechanism,
                                                      LossDirection direction, std::int64_t epochs,
                                                      std::span<const double> epsilons);

}  // namespace assay
