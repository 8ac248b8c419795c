#pragma once
#include <memory>

#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// Throws UnsupportedMechanism, naming both, when no theorem covers this sampler and adjacency.
void require_theorem(const Mechanism& mechanism, Adjacency adjacency);

/// The pair of output densities of one step that attains the worst Rényi divergence of every order
/// (docs/proofs.md A-E). nullptr when the two are equal (sampling probability 0).
///   Throws  DomainError (parameters), UnsupportedMechanism
[[nodiscard]] std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism,
                                                          Adjacency adjacency);

/// The mean shift of the same mechanism without sampling, in units of the noise: c with
/// D_a <= a c^2 / 2 (with replacement the record may fill the whole batch).
[[nodiscard]] real unsampled_shift(const Mechanism& mechanism, Adjacency adjacency);

}  // namespace assay
