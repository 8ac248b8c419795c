#include "verify/oracles/arb_half_moment.hpp"

#include <cmath>

namespace assay::verify::arb {

/// t.
void HalfMoment::distance(Real& out, const Real& z, long precision) const {
    Real half;
    arb_mul_2exp_si(half, c_, -1);
    arb_sub(half, z, half, precision);
    arb_mul(out, half, c_, precision);
}

/// -z^2/2 + jt on the right, -z^2/2 on the left.
void HalfMoment::exponent(Real& out, const Real& z, long precision) const {
    Real sum;
    arb_sqr(sum, z, precision);
    arb_mul_2exp_si(sum, sum, -1);
    arb_neg(sum, sum);
    if (right_) {
        Real t;
        distance(t, z, precision);
        arb_addmul_si(sum, t, j_, precision);
    }
    arb_swap(out, sum);
}

/// The derivative of the exponent.
void HalfMoment::slope(Real& out, const Real& z, long precision) const {
    arb_neg(out, z);
    if (right_) arb_addmul_si(out, c_, j_, precision);
}

/// (1 - e^{-|t|})^j.
void HalfMoment::factor(Real& out, const Real& z, long precision) const {
    distance(out, z, precision);
    if (right_) arb_neg(out, out);
    arb_expm1(out, out, precision);
    arb_neg(out, out);
    arb_pow_ui(out, out, static_cast<ulong>(j_), precision);
}

double HalfMoment::approximate_log(double z) const {
    const double c = to_double(c_);
    const double t = c * (z - c / 2);
    const auto j = static_cast<double>(j_);
    return -z * z / 2 + (right_ ? j * t : 0.0) + j * std::log(-std::expm1(-std::abs(t)));
}

void HalfMoment::at(Real& out, const Real& x, long precision) const {
    Real size;
    exponent(size, x, precision);
    arb_exp(size, size, precision);
    factor(out, x, precision);
    arb_mul(out, out, size, precision);
}

// The factor (1 - e^{-|t|})^j is largest at the end away from the kink.
void HalfMoment::bound(Real& out, const Real& middle, const Real& radius, long precision) const {
    Real constant;
    exponent(constant, middle, precision);
    Real steepness;
    slope(steepness, middle, precision);
    Real end;
    if (right_)
        arb_add(end, middle, radius, precision);
    else
        arb_sub(end, middle, radius, precision);
    quadratic_log_bound(out, constant, steepness, radius, precision);
    arb_exp(out, out, precision);
    factor(end, end, precision);
    arb_mul(out, out, end, precision);
}

void HalfMoment::on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                              long precision) const {
    Real constant;
    exponent(constant, centre, precision);
    Real real_slope;
    slope(real_slope, centre, precision);
    Complex steepness;
    acb_set_arb(steepness, real_slope);
    quadratic_on_rectangle(out, constant, steepness, offset, precision);
    Real middle;
    distance(middle, centre, precision);
    Complex t;
    acb_mul_arb(t, offset, c_, precision);
    acb_add_arb(t, t, middle, precision);
    if (right_) acb_neg(t, t);
    acb_expm1(t, t, precision);
    acb_neg(t, t);
    acb_pow_ui(t, t, static_cast<ulong>(j_), precision);
    acb_mul(out, out, t, precision);
}

}  // namespace assay::verify::arb
