#pragma once
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Rényi divergence D_a(P || Q) of one balls-and-bins epoch at an integer order a.
///   Maths      log E_Q[W^a] / (a-1),  E_Q[W^a] - 1 = a! T^-a [z^a] sum_{m>=1} C(T,m) D(z)^m
///              e^{(T-m)z},  D(z) = sum_{j>=2} (e^{j(j-1)/(2s^2)} - 1) z^j / j!
///   Domain     2 <= order <= 256              Units  nats
///   Direction  enclosure; every term is positive (docs/error_bounds.md#integer-order-epoch)
///   Source     the multinomial theorem (docs/proofs.md, moments of the likelihood ratio)
///   Cost       order^3 / 24 products, whatever T       Throws  DomainError
[[nodiscard]] Enclosure balls_and_bins_integer_order_rdp(const BallsAndBins& mechanism, int order);

}  // namespace assay
