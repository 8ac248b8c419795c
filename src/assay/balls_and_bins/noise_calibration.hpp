#pragma once
#include <cstdint>

#include "assay/numeric/threshold_search.hpp"
#include "assay/privacy/adjacency.hpp"

namespace assay {

/// The smallest noise multiplier for which `epochs` epochs of balls-and-bins are (eps, delta)
/// private, from both sides: `sufficient` is, `insufficient` is not.
///   Domain     0 <= eps < inf, 0 < delta < 1, steps >= 1, 1 <= epochs <= 10^5; noise from 0.01 on
///   Direction  `sufficient` is safe, at worst the noise that deterministic batches need (delta is
///              no larger there than theirs, by convexity)
///   Maths      delta falls with the noise (docs/proofs.md, A.7); sums in convex order
///              (delta_within, composed_delta), between the closed forms of deterministic batches
///              and of chua2025 equation (6)
///   Errors     precision() exceeds `precision` where the brackets of delta hide it, or where noise
///              0.01 is enough
///   Throws     DomainError, UnsupportedMechanism unless the adjacency is zero-out
///   Cost       about ten certified curves
[[nodiscard]] Threshold smallest_noise_multiplier(std::int64_t steps, Adjacency adjacency,
                                                  double epsilon, double delta,
                                                  double precision = 1e-3, std::int64_t epochs = 1);

/// The same for deterministic batches: one Gaussian step an epoch.
[[nodiscard]] Threshold smallest_gaussian_noise(double epsilon, double delta,
                                                double precision = 1e-3, std::int64_t epochs = 1);

}  // namespace assay
