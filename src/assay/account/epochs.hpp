#pragma once
#include "assay/account/question.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// The answer for releases with phases of epoch samplers, under zero-out.
///   Maths      above: no more than with batches in a fixed order, one Gaussian step an epoch
///              (joint convexity). Balls-and-bins: sums in convex order, composed with each other
///              and with the dominating pairs of other phases. Below besides: the largest
///              coordinate of one epoch, and the release without its shuffled phases
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] Bracket answer_epochs(const Release& release, const Question& question);

}  // namespace assay
