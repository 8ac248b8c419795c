#include "assay/rdp/reduced_integrand.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/special_functions.hpp"

namespace assay {

IntegrandTerm reduced_term(real z, const LossPoint& point, real beta) {
    const real half_square = 0.5L * z * z;
    const real t = beta * point.loss;
    const ScaledReal rise = scaled_expm1_minus(t);
    IntegrandTerm term;
    if (point.loss > 100.0L) {  // kappa = rho (L - 1) up to e^-100
        term.value = ScaledReal::exp_of(point.log_p - half_square) *
                     (rise + ScaledReal(beta * (point.loss - 1.0L)));
    } else {
        const real kappa = std::max(0.0L, entropy_excess(point.excess, point.loss));
        term.value = ScaledReal::exp_of(point.log_q - half_square) * (beta * kappa) +
                     ScaledReal::exp_of(point.log_p - half_square) * rise;
    }
    // A relative error e of L moves kappa by (2 + |L|) e and the rise by (2 + max(t, 0)) e.
    const real size = std::fabs(point.loss);
    const real relative = size > 1.0L ? point.absolute_error / size : point.relative_error;
    term.relative_error =
        2.0L * (std::max(t, 0.0L) + size + 3.0L) * (relative + 2.0L * unit_roundoff) +
        2.0L * point.absolute_error +
        unit_roundoff * (2.0L * z * z + 2.0L * std::fabs(point.log_p) + 160.0L);
    return term;
}

real log_reduced_bound(real x, real beta) {
    if (x <= -1.0L) return std::log(beta);
    const real loss = std::log1p(x);
    return std::log(beta * entropy_excess(x, loss) + (1.0L + x) * expm1_minus(beta * loss)) +
           0x1p-40L;
}

}  // namespace assay
