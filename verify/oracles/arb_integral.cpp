#include "verify/oracles/arb_integral.hpp"

#include <acb_calc.h>

#include <algorithm>

namespace assay::verify::arb {

namespace {

struct Call {
    const Integrand* integrand;
    long box_precision;
    long left;  // evaluations
};

int evaluate(acb_ptr out, const acb_t z, void* data, slong order, slong precision) {
    auto& call = *static_cast<Call*>(data);
    --call.left;
    const long box_precision = std::min(call.box_precision, static_cast<long>(precision));
    Real middle;
    arb_get_mid_arb(middle, acb_realref(z));
    Real radius;
    arb_get_rad_arb(radius, acb_realref(z));
    Real value;
    const bool is_node = arb_is_zero(acb_imagref(z)) != 0 &&
                         mag_cmp_2exp_si(arb_radref(acb_realref(z)), -precision / 2) < 0;
    if (is_node && order == 0) {
        Real x;
        arb_set(x, acb_realref(z));
        call.integrand->at(value, x, precision);
        acb_set_arb(out, value);
    } else if (order == 0 && arb_is_zero(acb_imagref(z)) != 0) {
        // [0, bound]: the integrand is not negative.
        call.integrand->bound(value, middle, radius, box_precision);
        arf_t top;
        arf_init(top);
        arb_get_ubound_arf(top, value, MAG_BITS);
        arb_set_arf(value, top);
        arf_clear(top);
        arb_mul_2exp_si(value, value, -1);
        mag_t half;
        mag_init(half);
        arb_get_mag(half, value);
        arb_add_error_mag(value, half);
        mag_clear(half);
        acb_set_arb(out, value);
    } else {
        Complex offset;
        acb_set(offset, z);
        acb_sub_arb(offset, offset, middle, box_precision);
        // Symmetric about 0, by the larger of the two sides.
        for (const arb_ptr part : {offset.real(), offset.imaginary()}) {
            mag_t side;
            mag_init(side);
            arb_get_mag(side, part);
            arb_zero(part);
            arb_add_error_mag(part, side);
            mag_clear(side);
        }
        Complex result;
        call.integrand->on_rectangle(result, middle, offset, box_precision);
        if (acb_is_finite(result) != 0)
            acb_set(out, result);
        else
            acb_indeterminate(out);
    }
    return 0;
}

}  // namespace

Real integrate(const Integrand& f, const std::vector<Real>& breaks, const Effort& effort,
               bool& exhausted) {
    Call call{&f, effort.box_precision, effort.evaluations};
    mag_t tolerance;
    mag_init(tolerance);
    scale_of_exponential(tolerance, effort.log_scale, effort.goal);
    acb_calc_integrate_opt_t options;
    acb_calc_integrate_opt_init(options);
    Real total;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
        options->eval_limit = std::max(call.left, 1L);
        Complex from;
        acb_set_arb(from, breaks[i]);
        Complex to;
        acb_set_arb(to, breaks[i + 1]);
        Complex part;
        acb_calc_integrate(part, evaluate, &call, from, to, effort.goal, tolerance, options,
                           effort.precision);
        // The integral of a real function: the imaginary part holds only errors.
        arb_add(total, total, part.real(), effort.precision);
    }
    exhausted = call.left <= 1;  // acb_calc_integrate stops at its limit less one
    mag_clear(tolerance);
    return total;
}

void quadratic_on_rectangle(Complex& out, const Real& constant, const Complex& slope,
                            const Complex& offset, long precision) {
    // w = x + iy, |x| <= a, |y| <= b: Re(-w^2/2) lies in [-a^2/2, b^2/2], and |Im(-w^2/2)| <= ab.
    mag_t a;
    mag_t b;
    mag_init(a);
    mag_init(b);
    arb_get_mag(a, offset.real());
    arb_get_mag(b, offset.imaginary());
    Complex square;
    mag_t product;
    mag_init(product);
    mag_mul(product, a, b);
    arb_add_error_mag(square.imaginary(), product);
    mag_mul(a, a, a);
    mag_mul(b, b, b);
    arf_t low;
    arf_t high;
    arf_init(low);
    arf_init(high);
    arf_set_mag(low, a);
    arf_neg(low, low);
    arf_set_mag(high, b);
    arb_set_interval_arf(square.real(), low, high, precision);
    arb_mul_2exp_si(square.real(), square.real(), -1);
    arf_clear(low);
    arf_clear(high);
    mag_clear(a);
    mag_clear(b);
    mag_clear(product);

    Complex exponent;
    acb_mul(exponent, slope, offset, precision);
    acb_add(exponent, exponent, square, precision);
    acb_add_arb(exponent, exponent, constant, precision);
    if (acb_is_finite(exponent) != 0)
        acb_exp(out, exponent, precision);
    else
        acb_indeterminate(out);
}

void quadratic_log_bound(Real& out, const Real& constant, const Real& slope, const Real& radius,
                         long precision) {
    // slope w - w^2/2 <= s^2/2 for every w, and where s >= r it is largest at w = r: s r - r^2/2.
    Real steepness;
    arb_abs(steepness, slope);
    if (arb_gt(steepness, radius) != 0) {
        arb_mul_2exp_si(out, radius, -1);
        arb_sub(out, steepness, out, precision);
        arb_mul(out, out, radius, precision);
    } else {
        arb_sqr(out, steepness, precision);
        arb_mul_2exp_si(out, out, -1);
    }
    arb_add(out, out, constant, precision);
}

}  // namespace assay::verify::arb
