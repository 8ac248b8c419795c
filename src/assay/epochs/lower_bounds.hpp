#pragma once
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Lower bound of delta(epsilon) of a balls-and-bins epoch from the largest coordinate alone.
///   Maths      sup_C P(S_C) - e^eps Q(S_C),  S_C = {max_t x_t >= C}, for the dominating pair
///   Domain     epsilon >= 0, finite; batches and noise as validate() has them
///   Direction  enclosure of the supremum; every number up to it is a lower bound of delta
///   Source     chua2025 (6); the supremum is attained at the one root of a monotone function
///              (docs/proofs.md, the largest coordinate; docs/error_bounds.md#largest-coordinate)
///   Cost       about 200 error functions          Throws  DomainError
[[nodiscard]] Enclosure largest_coordinate_delta(const BallsAndBins& mechanism, double epsilon);

/// The same for shuffled batches: the mean of the differing coordinate is 2 under P and 1 under Q,
/// with the weights that the sizes of the batches give its place, which S_C does not depend on
/// (chua2025 Proposition 2.6; docs/proofs.md, the largest coordinate, for unequal sizes). Every
/// record has to be in a batch. No upper bound better than that of deterministic batches is known.
[[nodiscard]] Enclosure largest_coordinate_delta(const Shuffled& mechanism, double epsilon);

}  // namespace assay
