#pragma once
#include "assay/numeric/scaled_real.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// One value of the integrand, with a bound of its relative rounding error.
struct IntegrandTerm {
    ScaledReal value;
    real relative_error = 0.0L;
};

/// Q f(P/Q - 1) e^{-z^2/2} at z, f(x) = (1+x)^a - 1 - a x, in the form without cancellation
///   f = (a-1) kappa(x) + rho (e^{(a-1)L} - 1 - (a-1)L),  rho = 1+x = e^L,
///   kappa = rho log rho - rho + 1: both parts are >= 0 (docs/error_bounds.md#divergence).
[[nodiscard]] IntegrandTerm reduced_term(real z, const LossPoint& point, real beta);

/// log of an upper bound of f(x) at an excess -1 <= x < 0.
[[nodiscard]] real log_reduced_bound(real x, real beta);

}  // namespace assay
