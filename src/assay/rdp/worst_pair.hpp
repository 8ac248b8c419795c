#pragma once
#include <memory>

#include "assay/privacy/dominating_pair.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// The likelihood ratio of the pair that attains the worst Renyi divergence of every order; nullptr
/// when both are equal (sampling probability 0).
[[nodiscard]] std::unique_ptr<LikelihoodRatio> likelihood_ratio(const WorstRenyiPair& pair);

/// The same of one step of a mechanism.            Throws  DomainError, UnsupportedMechanism
[[nodiscard]] std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism,
                                                          Adjacency adjacency);

}  // namespace assay
