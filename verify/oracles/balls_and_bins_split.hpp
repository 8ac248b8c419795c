#pragma once
#include <functional>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

// Sums and products of lognormals, mean 1: X = e^{w z - w^2/2}, w = 1/sigma, z ~ N(0,1). Density f,
//   g(u) = u f(u) = (sigma / sqrt(2 pi)) e^{-sigma^2 (log u + w^2/2)^2 / 2}.

/// P_1(k) = E (k - X)_+ = k Phi(z) - Phi(z - w), z = log(k)/w + w/2; k > 0.
[[nodiscard]] Interval one_shortfall(const Interval& k, const Interval& sigma);

/// What the integrand is multiplied by, at p and 1-p in (0, 1).
///   Conditions  analytic for |Im a| < pi/2, p = 1/(1+e^-a), and for |Im a| <= d there
///               |rest| <= scale |1-p| e^{growth sigma^2 d^2 / 2 - sigma^2 (arg p)^2 / 2};
///               for real a even 0 <= rest <= scale (1-p) Phi(sigma (log(k (1-p)) + w^2/2))
using Rest = std::function<Interval(const Interval& p, const Interval& one_minus_p)>;

/// Encloses the integral over the line of g(k p(a)) (1 - p(a)) rest(a) da, from u = k p of
/// int_0^k f(u) rest du / k. The trapezoid rule: for |Im a| <= d <= pi/2 the moduli integrate to
///   M <= scale e^{growth sigma^2 d^2 / 2} (2 + sigma / sqrt(2 pi)):
/// on the right |1-p|^2 <= 1/(1+e^{2x}) and g <= sigma/sqrt(2 pi); on the left |1-p| <= 1 and
/// d log|p| / dx >= 1/2, where int g(e^v) dv = 1. So the sum is off by at most
/// 2 M / (e^{2 pi d / h} - 1), and what lies outside the nodes is bounded by integrals of monotone
/// bounds. About `goal` bits of scale are right; the working precision is that of k.
[[nodiscard]] Interval split_integral(const Interval& k, const Interval& sigma,
                                      const Interval& scale, double growth, const Rest& rest,
                                      long goal);

}  // namespace assay::verify
