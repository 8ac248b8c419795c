#include "verify/oracles/arb_profile.hpp"

#include <arb_hypgeom.h>

#include "verify/oracles/arb_moment.hpp"
#include "verify/oracles/arb_refine.hpp"

namespace assay::verify::arb {

namespace {

/// E[(W+1) 1{W > 1}] = E[W; z > c/2] + P(z > c/2) = (1-q) Phi(-c/2) + q Phi(c/2) + Phi(-c/2), with
/// c/2 = 1/sigma and Phi(-x) = erfc(x/sqrt 2)/2.
Real linear_part(double sigma, double q, long precision) {
    Real x;
    arb_sqrt_ui(x, 2, precision);
    arb_mul(x, x, Real(sigma), precision);
    arb_inv(x, x, precision);
    Real beyond;
    arb_hypgeom_erfc(beyond, x, precision);
    Real below;
    arb_neg(x, x);
    arb_hypgeom_erfc(below, x, precision);
    Real sum;
    arb_mul(sum, Real(q), below, precision);
    arb_submul(sum, Real(q), beyond, precision);
    arb_addmul_ui(sum, beyond, 2, precision);
    arb_mul_2exp_si(sum, sum, -1);
    return sum;
}

}  // namespace

// Three integrals that nearly cancel: the goal is as much higher.
Interval profile(double alpha, double sigma, double q, long bits) {
    if (q == 0.0) return Interval(0.0, bits);
    const Pair forward{alpha, sigma, 2.0, 0.0, q};
    const Pair reverse{alpha, sigma, 0.0, 2.0, q};
    const double log_moment = approximate_log_moment(forward);
    const Real value =
        refine(bits, first_goal(forward, log_moment, bits), [&](long goal, bool& exhausted) {
            const long precision = goal + 64;
            bool first = false;
            bool second = false;
            Real sum = moment(forward, true, log_moment, goal, first);
            arb_add(sum, sum, moment(reverse, true, log_moment, goal, second), precision);
            arb_sub(sum, sum, linear_part(sigma, q, precision), precision);
            arb_add_ui(sum, sum, 1, precision);
            exhausted = first || second;
            return divergence_of(sum, alpha, precision);
        });
    // W^alpha + W^(1-alpha) - W - 1 = (W^alpha - 1)(1 - W^(1-alpha)) >= 0 for W > 1.
    return max(Interval(0.0, bits), to_interval(value, bits + 16));
}

}  // namespace assay::verify::arb
