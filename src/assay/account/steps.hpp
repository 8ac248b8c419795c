#pragma once
#include <span>

#include "assay/account/question.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// The answer for samplers that draw every batch anew: Renyi divergences, and privacy loss
/// distributions where there is a dominating pair, each side the better of both.
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] Bracket answer_steps(std::span<const Phase> phases, Adjacency adjacency,
                                   const Question& question);

/// The work that a question allows privacy loss distributions.
[[nodiscard]] PldOptions pld_options(const Question& question);

}  // namespace assay
