#pragma once
#include <functional>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// Encloses delta(epsilon) to the relative accuracy asked for.
using PrivacyProfile = std::function<Interval(const Interval& epsilon, long accuracy)>;

/// The least eps >= 0 with profile(eps) <= delta, for a non-increasing profile that decreases
/// strictly until it is 0. 0 < delta < 1. What is returned lies between two points at which the
/// sign of profile - delta is certain.
[[nodiscard]] Interval least_epsilon(double delta, long bits, const PrivacyProfile& profile);

}  // namespace assay::verify
