#pragma once
#include <span>

#include "assay/account/question.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// How far apart the means of one repetition are, in units of the noise, where both neighbours draw
/// the same batches as far as they can.
[[nodiscard]] real largest_shift(const Mechanism& mechanism, Adjacency adjacency);

/// An upper bound that ignores sampling: that of the Gaussian mechanism with the largest shift of
/// each step.
///   Maths      outputs of neighbours are mixtures whose components, paired, are at most a shift
///              apart; hockey-stick divergences are jointly convex (docs/proofs.md A.5)
///   Throws     DomainError
[[nodiscard]] Bound without_amplification(std::span<const Phase> phases, Adjacency adjacency,
                                          const Question& question);

}  // namespace assay
