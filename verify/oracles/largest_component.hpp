#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::component {

// Rényi divergences of mixtures of normal densities whose largest shift all but decides them, from
// inequalities alone: (x+y)^a >= x^a + y^a below, Minkowski's inequality in L^a above. They are as
// narrow as e^{-(a-1) c^2/2} and reach the smallest noise at any cost, where no integral is formed.

/// P = (1-q) N(0,1) + q N(c,1) against N(0,1), c = scale/noise:
///   q^a e^{a(a-1)c^2/2} <= E[P^a] - (1-q)^a,   E[P^a]^{1/a} <= 1-q + q e^{(a-1)c^2/2}
[[nodiscard]] Interval removal(double order, double noise, double scale, double q, long bits);

/// N(0,1) against (1-q) N(0,1) + q N(c,1):  Phi(c/4) (1-q + q e^{-c^2/4})^{1-a} <= E <= (1-q)^{1-a}
[[nodiscard]] Interval addition(double order, double noise, double scale, double q, long bits);

/// (1-q) N(0,1) + q N(c,1) against (1-q) N(0,1) + q N(-c,1), c = 1/noise:
///   q^a e^{a(a-1)c^2/2} Phi(ac) (1-q + q e^{-c^2/2})^{1-a} <= E <= (1-q)^{1-a} E[P^a]
[[nodiscard]] Interval replacement(double order, double noise, double q, long bits);

/// Batch sizes n ~ Binomial(B, 1/D) of the record, shift n c, against N(0,1), c = 2/noise:
///   sum w_n^a e^{a(a-1)n^2c^2/2} <= E[P^a],   E[P^a]^{1/a} <= sum w_n e^{(a-1)n^2c^2/2}
[[nodiscard]] Interval with_replacement(double order, double noise, long batch, long dataset,
                                        long bits);

}  // namespace assay::verify::component
