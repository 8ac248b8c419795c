#pragma once
#include <span>

#include "assay/account/question.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Improves an answer about fixed-size sampling without replacement under replace-one, alone or
/// beside Poisson and Gaussian steps, wherever these stand in time.
///   Maths      upper side: one jump (docs/proofs.md F.4, F.5), at thorough effort at the end of a
///              chain (F.7); lower side: an adaptive oracle that turns the worst pair round where
///              that pays (F.6)
///   Domain     all fixed-size phases have one noise and one sampling probability; anything else
///              is left as it is
///   Result     whether anything is known here
///   Throws     DomainError, InternalError
bool improve_replace_one(Bracket& found, std::span<const Phase> phases, const Question& question);

}  // namespace assay
