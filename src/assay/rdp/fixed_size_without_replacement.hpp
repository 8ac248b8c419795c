#pragma once
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Exact Rényi divergence of one step of fixed-size sampling without replacement.
///   Maths      log H / (a-1),  H_{a,sigma}(q) = E_{z~N(0,1)} [(1-q + q e^{cz - c^2/2})^a],
///              c = 2/sigma (birrell2024 (7)-(8))
///   Meaning    the worst case under add/remove (birrell2024 Theorem 3.1) and, by
///              docs/proofs.md (replace-one), also under replace-one adjacency; attained
///   Domain     order a > 1, noise multiplier sigma > 0, 0 <= q <= 1          Units  nats
///   Direction  enclosure (docs/error_bounds.md#divergence), relative width about 1e-15
///   Cost       about 60-150 nodes, 0.1 ms ordinarily          Throws  DomainError
[[nodiscard]] Enclosure fixed_size_without_replacement_rdp(double order, double noise_multiplier,
                                                           double sampling_probability);

/// The same for many orders, nodes shared (rdp/divergence_curve.hpp).
[[nodiscard]] std::vector<Enclosure> fixed_size_without_replacement_rdp(
    std::span<const double> orders, double noise_multiplier, double sampling_probability);

/// The addition direction: D_a(N_0 || q N_c + (1-q) N_0), never larger (mironov2019 Theorem 5).
[[nodiscard]] Enclosure fixed_size_without_replacement_addition_rdp(double order,
                                                                    double noise_multiplier,
                                                                    double sampling_probability);

/// log(H - 1) for the mixture with mean shift `shift` (2n/sigma for n copies) and weight `q`;
/// -inf when H = 1.  Domain: order > 1, shift >= 0, 0 <= q <= 1.
[[nodiscard]] Enclosure log_excess_moment(double order, real shift, real q);

}  // namespace assay
