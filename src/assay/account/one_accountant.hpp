#pragma once
#include <span>

#include "assay/account/bracket.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

enum class Accountant { renyi, loss_distributions };

/// What one accountant says by itself, for comparison with other libraries.
///   Domain     as epsilon and delta of account.hpp, of samplers that draw every batch anew
///   Throws     DomainError also for epoch samplers; UnsupportedMechanism, InternalError
[[nodiscard]] Bracket epsilon_by(Accountant accountant, const Release& release, double delta,
                                 const Goal& goal);
[[nodiscard]] Bracket delta_by(Accountant accountant, const Release& release, double epsilon,
                               const Goal& goal);

/// The phases of a release, all of which draw every batch anew.          Throws  DomainError
[[nodiscard]] std::span<const Phase> steps_of(const Release& release);

}  // namespace assay
