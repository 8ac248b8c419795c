#pragma once
#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Concentrated privacy of one step; T steps have T times this rho (orders do not change).
///
/// rho such that the step is (rho, omega)-tCDP: D_a <= rho a for all orders 1 < a < omega
/// (bun2018; mironov2019 Definition 12 counts orders from a - 1, so its omega is one less).
///   Maths      sup D_a / a over 1 < a < omega, bounded on a grid by monotonicity of D_a
///   Domain     omega > 1, finite          Direction  upper, at most 5 % above the supremum
///   Throws     DomainError, UnsupportedMechanism
[[nodiscard]] Bound tcdp_rho(const Mechanism& mechanism, Adjacency adjacency, double omega);

/// rho such that the step is rho-zCDP: D_a <= rho a for ALL orders (bun2016). Sampling does not
/// help here (docs/proofs.md, Proposition 7): rho is that of the mechanism without sampling, and
/// for sampling probability 0 it is 0.
[[nodiscard]] Bound zcdp_rho(const Mechanism& mechanism, Adjacency adjacency);

}  // namespace assay
