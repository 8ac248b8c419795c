#pragma once
#include <span>
#include <string_view>

#include "assay/privacy/mechanism.hpp"

namespace assay {

/// The dominating pair of one balls-and-bins epoch (chua2025 Theorem 3.1), T batches, noise s:
///   P = (1/T) sum_t N(e_t, s^2 I),  Q = N(0, s^2 I).
/// `removal` is the hockey-stick divergence D_{e^eps}(P || Q), `addition` is D_{e^eps}(Q || P).
enum class LossDirection { removal, addition };

[[nodiscard]] std::string_view to_string(LossDirection direction);

/// Privacy loss at one point, the direct sum, for reference.
///   Maths      removal: log((1/T) sum_t e^{x_t/s^2 - 1/(2s^2)}),  addition: minus that
///   Domain     x has batches_per_epoch finite coordinates       Units  nats
///   Direction  estimate, relative error of e^loss about (T + 1/s^2) 2^-53
///   Source     chua2025 (2), (3)          Throws  DomainError
[[nodiscard]] double privacy_loss(const BallsAndBins& mechanism, LossDirection direction,
                                  std::span<const double> x);

}  // namespace assay
