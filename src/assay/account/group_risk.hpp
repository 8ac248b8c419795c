#pragma once
#include <cstdint>

#include "assay/account/bracket.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// delta at an epsilon where `group` records differ, and the smallest epsilon of a delta.
///   Maths      above, the least of the group's own pair, all of its records in every step, and the
///              sup over levels of TPR - e^epsilon FPR of the curve of one record applied as often;
///              below, one record
///   Domain     1 <= group <= 10^6; epsilon >= 0; 0 < delta < 1
///   Throws     DomainError, UnsupportedMechanism
///   Source     docs/proofs.md, groups of records
[[nodiscard]] Bracket delta_of_group(const Release& release, double epsilon, std::int64_t group,
                                     const Goal& goal = {});
[[nodiscard]] Bracket epsilon_of_group(const Release& release, double delta, std::int64_t group,
                                       const Goal& goal = {});

}  // namespace assay
