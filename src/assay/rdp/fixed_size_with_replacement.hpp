#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Exact Rényi divergence of one step of fixed-size sampling with replacement, add/remove,
/// removal direction (the larger one).
///   Maths      log E[V^a] / (a-1),  V = sum_n Bin(n; B, 1/D) e^{n c z - n^2 c^2/2},  c = 2/sigma
///              (birrell2024 (115)-(116)); D is the size of the larger data set
///   Meaning    the worst case over all data sets and clipped gradients (docs/proofs.md, with
///              replacement); equals birrell2024 Theorem 3.7's sum (17) at integer orders
///   Domain     order a > 1, sigma > 0, 1 <= B < D           Units  nats
///   Direction  enclosure (docs/error_bounds.md#divergence, #largest-shift)
///   Cost       per node the terms around the mode of n, never more than B
[[nodiscard]] Enclosure fixed_size_with_replacement_rdp(double order, double noise_multiplier,
                                                        std::int64_t batch_size,
                                                        std::int64_t dataset_size);

/// The same for many orders, nodes shared.
[[nodiscard]] std::vector<Enclosure> fixed_size_with_replacement_rdp(std::span<const double> orders,
                                                                     double noise_multiplier,
                                                                     std::int64_t batch_size,
                                                                     std::int64_t dataset_size);

/// The addition direction, log E[V^(1-a)] / (a-1), between 0 and the removal direction;
/// that trivial interval where the quadrature would need too many nodes.
[[nodiscard]] Enclosure fixed_size_with_replacement_addition_rdp(double order,
                                                                 double noise_multiplier,
                                                                 std::int64_t batch_size,
                                                                 std::int64_t dataset_size);

}  // namespace assay
