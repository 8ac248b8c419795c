#pragma once
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// delta(epsilon) of an epoch of deterministic batches: that of one Gaussian step, whatever T.
///   Maths      Phi(1/(2s) - eps s) - e^eps Phi(-1/(2s) - eps s), in 50 digits: the two terms agree
///              to (1 + eps s^2) of their size, which 50 digits bear for eps s^2 up to 10^30
///   Domain     epsilon >= 0, finite            Direction  enclosure, relative width below 1e-15
///   Source     balle2018 Theorem 8; chua2025 Proposition 2.4 (docs/error_bounds.md#deterministic)
///   Cost       about 0.1 ms                    Throws  DomainError
[[nodiscard]] Enclosure deterministic_delta(const DeterministicBatches& mechanism, double epsilon);

}  // namespace assay
