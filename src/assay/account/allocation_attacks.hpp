#pragma once
#include <cstdint>

#include "assay/privacy/mechanism.hpp"

namespace assay {

/// What two tests tell of epochs of random allocation, the record in k of T batches with gradient
/// of norm C against a null record, all others null (docs/proofs.md, k of T batches (v)):
///   the sum of all batches of all epochs, a Gaussian of shift k sqrt(E / T) / sigma;
///   whether the largest batch of one epoch exceeds a threshold, at the best threshold.
///   Direction  lower bound of delta(epsilon), and of epsilon(delta)
///   Domain     epsilon >= 0; 0 < delta < 1; epochs >= 1      Cost  0.1 ms, 10 ms for epsilon
[[nodiscard]] double attacked_delta(const RandomAllocation& mechanism, std::int64_t epochs,
                                    double epsilon);
[[nodiscard]] double attacked_epsilon(const RandomAllocation& mechanism, std::int64_t epochs,
                                      double delta);

}  // namespace assay
