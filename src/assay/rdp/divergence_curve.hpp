#pragma once
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// Rényi divergences of one pair at many orders at once.
///   Maths      as renyi_divergence, but nodes, log P - log Q and kappa are shared by all orders
///   Domain     orders > 1, any sequence          Units  nats
///   Direction  enclosures, relative width about 1e-13 (docs/error_bounds.md#curve); an order that
///              the shared nodes cannot serve is computed on its own
///   Cost       per node 0.3 us once, per node and order about 4 ns
[[nodiscard]] std::vector<Enclosure> divergence_curve(const LikelihoodRatio& pair,
                                                      std::span<const double> orders);

}  // namespace assay
