#pragma once
#include <span>

#include "assay/account/question.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// The answer for samplers that draw every batch anew: Renyi divergences, and privacy loss
/// distributions where there is a dominating pair, each side the better of both.
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] Bracket answer_steps(std::span<const Phase> phases, Adjacency adjacency,
                                   const Question& question);

}  // namespace assay
