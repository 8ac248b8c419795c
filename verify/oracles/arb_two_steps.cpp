#include "verify/oracles/arb_two_steps.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/arb_numbers.hpp"
// After mpfr.h, which arb_numbers.hpp includes.
#include <acb_calc.h>
#include <acb_hypgeom.h>

namespace assay::verify::arb {

namespace {

/// The integrand's parameters; everything real is at the working precision.
struct Problem {
    TwoSteps steps;
    bool under_p = false;
    bool above = true;
    Real c;
    Real half_square;  // c^2/2
    Real level;        // the ratio at (z, z); of bins twice that
};

/// e^{cz - c^2/2}.
void exponential(acb_t out, acb_srcptr z, const Problem& problem, long precision) {
    acb_mul_arb(out, z, problem.c, precision);
    acb_sub_arb(out, out, problem.half_square, precision);
    acb_exp(out, out, precision);
}

/// 1 - q + q e^{cz - c^2/2}.
void ratio(acb_t out, acb_srcptr z, const Problem& problem, long precision) {
    exponential(out, z, problem, precision);
    Real q(problem.steps.q);
    Real rest;
    arb_sub_ui(rest, q, 1, precision);
    arb_neg(rest, rest);
    acb_mul_arb(out, out, q, precision);
    acb_add_arb(out, out, rest, precision);
}

/// e^{c z2 - c^2/2} where both together reach the level: it falls with z1, to 0 at the kink.
void boundary(acb_t out, acb_srcptr z, const Problem& problem, long precision) {
    if (problem.steps.kind == TwoSteps::Kind::bins) {
        exponential(out, z, problem, precision);
        acb_neg(out, out);
        acb_add_arb(out, out, problem.level, precision);
        return;
    }
    ratio(out, z, problem, precision);
    acb_inv(out, out, precision);
    acb_mul_arb(out, out, problem.level, precision);
    Real q(problem.steps.q);
    Real rest;
    arb_sub_ui(rest, q, 1, precision);
    acb_add_arb(out, out, rest, precision);  // - (1 - q)
    acb_div_arb(out, out, q, precision);
}

/// P(Z > z), or P(Z < z), of a standard normal Z.
void tail(acb_t out, acb_srcptr z, bool above, long precision) {
    Real root;
    arb_set_ui(root, 2);
    arb_sqrt(root, root, precision);
    acb_div_arb(out, z, root, precision);
    if (!above) acb_neg(out, out);
    acb_hypgeom_erfc(out, out, precision);
    acb_mul_2exp_si(out, out, -1);
}

/// The probability of the region over z2 where log(boundary) is given, without the weight of z1.
void section(acb_t out, acb_srcptr log_boundary, const Problem& problem, long precision) {
    Complex z2;
    acb_add_arb(z2, log_boundary, problem.half_square, precision);
    acb_div_arb(z2, z2, problem.c, precision);
    tail(out, z2, problem.above, precision);
    if (!problem.under_p || problem.steps.kind == TwoSteps::Kind::bins) return;
    Complex shifted;
    acb_sub_arb(shifted, z2, problem.c, precision);
    tail(shifted, shifted, problem.above, precision);
    Real q(problem.steps.q);
    acb_sub(shifted, shifted, out, precision);
    acb_mul_arb(shifted, shifted, q, precision);
    acb_add(out, out, shifted, precision);
}

/// The density of z1 under Q, or under P (of bins: where the record is in the first batch, which
/// is as likely as the second by symmetry).
void density(acb_t out, acb_srcptr z, const Problem& problem, long precision) {
    acb_mul(out, z, z, precision);
    acb_mul_2exp_si(out, out, -1);
    acb_neg(out, out);
    acb_exp(out, out, precision);
    Real root;
    arb_const_pi(root, precision);
    arb_mul_2exp_si(root, root, 1);
    arb_sqrt(root, root, precision);
    acb_div_arb(out, out, root, precision);
    if (!problem.under_p) return;
    Complex weight;
    if (problem.steps.kind == TwoSteps::Kind::bins)
        exponential(weight, z, problem, precision);
    else
        ratio(weight, z, problem, precision);
    acb_mul(out, out, weight, precision);
}

int integrand(acb_ptr out, const acb_t z, void* param, slong order, slong precision) {
    const Problem& problem = *static_cast<const Problem*>(param);
    Complex log_boundary;
    boundary(log_boundary, z, problem, precision);
    acb_log_analytic(log_boundary, log_boundary, order != 0 ? 1 : 0, precision);
    section(out, log_boundary, problem, precision);
    Complex weight;
    density(weight, z, problem, precision);
    acb_mul(out, out, weight, precision);
    return 0;
}

/// P(z1 < z), respectively P(z1 > z), under the distribution of z1.
void weight_beyond(arb_t out, arb_srcptr z, bool greater, const Problem& problem, long precision) {
    Complex at;
    Complex value;
    arb_set(at.real(), z);
    tail(value, at, greater, precision);
    arb_set(out, value.real());
    if (!problem.under_p) return;
    acb_sub_arb(at, at, problem.c, precision);
    tail(value, at, greater, precision);
    if (problem.steps.kind == TwoSteps::Kind::bins) {
        arb_set(out, value.real());
        return;
    }
    Real q(problem.steps.q);
    arb_sub(value.real(), value.real(), out, precision);
    arb_addmul(out, value.real(), q, precision);
}

/// [0, 1] times a bound.
void add_part_of(arb_t sum, arb_srcptr bound, long precision) {
    Real part;
    arb_set(part, bound);
    arb_mul_2exp_si(part, part, -1);
    Real radius;
    arb_set(radius, part);
    arb_add_error(part, radius);
    arb_add(sum, sum, part, precision);
}

}  // namespace

Interval probability(const TwoSteps& steps, double z, bool under_p, bool above, long bits) {
    const long precision = bits + 96;
    Problem problem{steps, under_p, above, {}, {}, {}};
    arb_set_d(problem.c, steps.hits);
    arb_div(problem.c, problem.c, Real(steps.sigma), precision);
    arb_mul(problem.half_square, problem.c, problem.c, precision);
    arb_mul_2exp_si(problem.half_square, problem.half_square, -1);
    Complex at;
    Complex value;
    arb_set_d(at.real(), z);
    // The kink: where the first coordinate alone reaches the level.
    Real kink;
    if (steps.kind == TwoSteps::Kind::bins) {
        exponential(value, at, problem, precision);
        arb_mul_2exp_si(problem.level, value.real(), 1);
        arb_set(kink, problem.level);
    } else {
        ratio(value, at, problem, precision);
        arb_mul(problem.level, value.real(), value.real(), precision);
        Real q(steps.q);
        Real rest;
        arb_sub_ui(rest, q, 1, precision);
        arb_neg(rest, rest);
        arb_div(kink, problem.level, rest, precision);
        arb_sub(kink, kink, rest, precision);
        arb_div(kink, kink, q, precision);
    }
    arb_log(kink, kink, precision);
    arb_add(kink, kink, problem.half_square, precision);
    arb_div(kink, kink, problem.c, precision);
    // From where next to nothing lies beyond to just before the kink.
    const double middle = arf_get_d(arb_midref(static_cast<arb_srcptr>(kink)), ARF_RND_NEAR);
    const double shift = steps.hits / steps.sigma;
    const double from = std::min({-30.0, middle - 30.0}) - shift;
    Complex low;
    Complex high;
    arb_set_d(low.real(), from);
    Real little(std::max(1.0, std::fabs(middle)));
    arb_mul_2exp_si(little, little, 40 - precision);
    arb_sub(high.real(), kink, little, precision);
    mag_zero(arb_radref(high.real()));
    mag_t tolerance;
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -bits - 120);
    Complex sum;
    acb_calc_integrate(sum, integrand, &problem, low, high, bits + 16, tolerance, nullptr,
                       precision);
    mag_clear(tolerance);
    Real total;
    arb_set(total, sum.real());
    // Before `from` at most all of it; between `to` and the kink what the section at `to` leaves;
    // beyond the kink everything (above) or nothing.
    Real beyond;
    weight_beyond(beyond, low.real(), false, problem, precision);
    add_part_of(total, beyond, precision);
    Real before_kink;
    weight_beyond(before_kink, high.real(), true, problem, precision);
    Real after_kink;
    weight_beyond(after_kink, kink, true, problem, precision);
    arb_sub(before_kink, before_kink, after_kink, precision);
    boundary(value, high, problem, precision);
    acb_log(value, value, precision);
    section(value, value, problem, precision);  // towards 1 above, towards 0 below
    if (above) {
        arb_add(total, total, after_kink, precision);
        Real part;
        arb_mul(part, before_kink, value.real(), precision);
        arb_add(total, total, part, precision);
        arb_sub(part, before_kink, part, precision);
        add_part_of(total, part, precision);
    } else {
        arb_mul(before_kink, before_kink, value.real(), precision);
        add_part_of(total, before_kink, precision);
    }
    return to_interval(total, bits);
}

}  // namespace assay::verify::arb
