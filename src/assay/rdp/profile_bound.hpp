#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// The profile bound of fixed-size sampling without replacement under replace-one adjacency.
///   Maths      log(1 + E[(W^a + W^{1-a} - W - 1) 1{W > 1}]) / (a-1), z ~ N(0,1),
///              W = 1-q + q e^{cz - c^2/2}, c = 2/sigma
///   Meaning    upper bound that uses only the pairwise distances of clipped gradients; moment of
///              the symmetric dominating pair (docs/proofs.md, profile)
///   Domain     order a > 1, sigma > 0, 0 <= q <= 1           Units  nats
///   Direction  enclosure of that number (docs/error_bounds.md#panels)
///   Cost       some hundred nodes ordinarily          Throws  DomainError
[[nodiscard]] Enclosure profile_bound_rdp(double order, double noise_multiplier,
                                          double sampling_probability);

}  // namespace assay
