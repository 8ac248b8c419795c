#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

// Hockey-stick divergences delta(eps) of one step, pair P = (1-q) N(0,1) + q N(c,1) against
// Q = N(0,1), in closed form. W = dP/dQ = 1-q + q e^{cz - c^2/2} increases with z, so both positive
// parts are half-lines of z and the integrals are normal probabilities. c = 1/s (Poisson sampling)
// or 2/sigma (fixed size). Any real eps.

/// E_Q[(W - e^eps)_+] = D_{e^eps}(P || Q).
[[nodiscard]] Interval one_step_delta_remove(double c, double q, const Interval& epsilon,
                                             long bits);
/// E_Q[(1 - e^eps W)_+] = D_{e^eps}(Q || P).
[[nodiscard]] Interval one_step_delta_add(double c, double q, const Interval& epsilon, long bits);
/// T steps of the plain Gaussian: the pair of N(c sqrt T, 1) and N(0,1), either direction.
[[nodiscard]] Interval gaussian_delta(double c, double T, const Interval& epsilon, long bits);

/// one_step.delta_remove, one_step.delta_add (c q eps), gaussian.delta (c T eps) and
/// exact.deterministic_delta (sigma eps); one_step.epsilon (c q delta, the worse direction) and
/// gaussian.epsilon (c T delta): the least eps >= 0 with delta(eps) <= delta.
[[nodiscard]] std::vector<Oracle> published_hockey_stick_oracles();

}  // namespace assay::verify
