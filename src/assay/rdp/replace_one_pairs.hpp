#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

// Explicit replace-one pairs for fixed-size sampling without replacement: the divergences
//   D_a(q N_u + (1-q) N_0 || q N_v + (1-q) N_0),  unit variance,  c = 2/sigma,
// of particular (u, v). None may exceed fixed_size_without_replacement_rdp when u and v come from
// three vectors in one ball of radius c/2; the equilateral pair of side c does not, and exceeds it.
//   Domain  order a > 1, sigma > 0, 0 <= q <= 1     Units  nats     Direction  enclosure
//   Throws  DomainError

/// u = x c, v = y c on one line. Attainable for x, y, x - y in [-1, 1].
[[nodiscard]] Enclosure replace_one_collinear_rdp(double order, double noise_multiplier,
                                                  double sampling_probability, double x, double y);

/// u = c (1, 0), v = c (1/2, sqrt(3)/2): pairwise distances c, not attainable by clipped vectors.
///   Cost  a two-dimensional trapezoid rule; beyond 4e6 nodes [0, profile bound]
[[nodiscard]] Enclosure replace_one_equilateral_rdp(double order, double noise_multiplier,
                                                    double sampling_probability);

/// u = c (sqrt(3)/2, 0), v = c (sqrt(3)/4, 3/4): the largest equilateral triangle in the ball.
[[nodiscard]] Enclosure replace_one_equilateral_attainable_rdp(double order,
                                                               double noise_multiplier,
                                                               double sampling_probability);

/// (e^{4/sigma^2} - 1)/2: limit of (F-1)/(q^2 a (a-1)) for q -> 0 over attainable pairs.
[[nodiscard]] Enclosure exact_second_order_coefficient(double noise_multiplier);

/// e^{4/sigma^2} - e^{2/sigma^2}: the coefficient in birrell2024 Theorem 3.4; larger by the factor
/// 1 + tanh(1/sigma^2).
[[nodiscard]] Enclosure birrell2024_second_order_coefficient(double noise_multiplier);

}  // namespace assay
