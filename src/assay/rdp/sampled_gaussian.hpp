#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Rényi divergence of one Poisson-sampled Gaussian step under add/remove, removal direction.
///   Maths      log A_a / (a-1),  A_a = E_{x~N(0,s^2)} [(1-q + q e^{(2x-1)/(2s^2)})^a]
///   Domain     order a > 1, noise multiplier s > 0, 0 <= q <= 1            Units  nats
///   Direction  enclosure of the exact value (docs/error_bounds.md#divergence)
///   Source     mironov2019 Sec 3.3; the worse of the two directions by its Theorem 5
///   Cost       about 100 nodes          Throws  DomainError
[[nodiscard]] Enclosure poisson_add_remove_rdp(double order, double noise_multiplier,
                                               double sampling_probability);

/// The same, addition direction: log B_a / (a-1), B_a = E_{z~mu}[(mu_0/mu)^a] (mironov2019 Sec 3).
[[nodiscard]] Enclosure poisson_addition_rdp(double order, double noise_multiplier,
                                             double sampling_probability);

/// Rényi divergence of one Poisson-sampled Gaussian step under replace-one adjacency.
///   Maths      D_a(q N_u + (1-q) N_0 || q N_{-u} + (1-q) N_0), |u| = 1/s, unit variance
///   Source     docs/proofs.md (Poisson replace-one): the antiparallel pair is the worst
[[nodiscard]] Enclosure poisson_replace_one_rdp(double order, double noise_multiplier,
                                                double sampling_probability);

/// mironov2019 Section 3.3 for integer orders: log sum_k C(a,k) (1-q)^(a-k) q^k e^{(k^2-k)/(2s^2)},
/// summed without cancellation as 1 + sum_k Bin(k; a, q) (e^{(k^2-k)/(2s^2)} - 1).
[[nodiscard]] Enclosure poisson_integer_order_rdp(int order, double noise_multiplier,
                                                  double sampling_probability);

/// mironov2019 Section 3.3, the literal series in erfc for any real order, truncated with its
/// remainder bound. Sound everywhere, tight only where A_a - 1 is not tiny (the terms cancel).
[[nodiscard]] Enclosure poisson_fractional_series_rdp(double order, double noise_multiplier,
                                                      double sampling_probability);

}  // namespace assay
