#pragma once
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

// Conversions at one order a > 1 from Rényi divergence `rdp` (nats) to (epsilon, delta). All are
// nondecreasing in rdp, so an enclosure in gives an enclosure out. delta in (0, 1).

/// mironov2017 Proposition 3: rdp + log(1/delta)/(a-1).
[[nodiscard]] Enclosure mironov2017_epsilon(double order, const Enclosure& rdp, double delta);

/// balle2020 Theorem 21, unclipped: rdp - (log delta + log a)/(a-1) + log((a-1)/a); may be
/// negative.
[[nodiscard]] Enclosure balle2020_epsilon(double order, const Enclosure& rdp, double delta);

/// canonne2020 as dp_accounting guards it: 0 if delta^2 + expm1(-rdp) > 0, else
/// max(0, the balle2020 formula). The guard is Bretagnolle-Huber: TV <= sqrt(1 - e^-rdp).
[[nodiscard]] Enclosure canonne2020_epsilon(double order, const Enclosure& rdp, double delta);

/// delta at epsilon: min(1, sqrt(1-e^-rdp), e^{(a-1)(rdp - epsilon + log1p(-1/a))}/a),
/// the last only for a > 1.01.
[[nodiscard]] Enclosure canonne2020_delta(double order, const Enclosure& rdp, double epsilon);

/// 1.1, 1.2, .., 10.9, 12, 13, .., 63: Opacus' grid (i/10 rounded to the nearest double).
[[nodiscard]] std::vector<double> opacus_orders();

}  // namespace assay
