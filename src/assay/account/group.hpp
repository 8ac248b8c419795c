#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "assay/account/divergence_profile.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// A release on which a single record is at least as distinguishable as `group` records are on
/// `release` (docs/proofs.md, groups of records); none where no theorem gives one.
[[nodiscard]] std::optional<Release> release_of_group(const Release& release, std::int64_t group);

/// A release whose pair dominates those of all neighbours among the data sets between one and
/// another with `group` records fewer or more. It is `release` where a step does not depend on the
/// number of records; none where no theorem gives one.
[[nodiscard]] std::optional<Release> release_of_all_sizes(const Release& release,
                                                          std::int64_t group);

/// Below of one record; above of every pair of neighbours between the first and the last data set
/// of a group.
///   Throws     DomainError, UnsupportedMechanism
[[nodiscard]] DivergenceProfile profile_of_group(const Release& release, std::int64_t group,
                                                 const ProfileGoal& aim);

/// An upper bound of sup over levels of power(a) - e^epsilon a, for a power that grows with the
/// level and is known from above; about 1e-5 relative too large, at a few hundred evaluations;
/// looser where a fifth of the work that is left allows fewer of them.
[[nodiscard]] double group_divergence(const std::function<double(double fpr)>& power,
                                      double epsilon);

}  // namespace assay
