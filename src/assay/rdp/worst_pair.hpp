#pragma once
#include <memory>

#include "assay/privacy/dominating_pair.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// The likelihood ratio of the pair that attains the worst Renyi divergence of every order; nullptr
/// when both are equal (sampling probability 0).
[[nodiscard]] std::unique_ptr<LikelihoodRatio> likelihood_ratio(const WorstRenyiPair& pair);

/// The likelihood ratio of a pair that neighbours attain, of shape removal or antipodal; nullptr
/// when both are equal.                             Throws  DomainError for another shape
[[nodiscard]] std::unique_ptr<LikelihoodRatio> likelihood_ratio(const DominatingPair& attained);

/// The same of one step of a mechanism.            Throws  DomainError, UnsupportedMechanism
[[nodiscard]] std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism,
                                                          Adjacency adjacency);

}  // namespace assay
