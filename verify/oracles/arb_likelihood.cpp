#include "verify/oracles/arb_likelihood.hpp"

#include <cmath>
#include <utility>

namespace assay::verify::arb {

namespace {

/// The logarithm of M at both ends of a segment, as value at its middle and slope of its chord.
void chord(Real& value, Real& slope, const Mixture& m, const Real& middle, const Real& radius,
           long precision) {
    Real left;
    Real right;
    arb_sub(left, middle, radius, precision);
    arb_add(right, middle, radius, precision);
    m.log_value(left, Real(left), precision);
    m.log_value(right, Real(right), precision);
    arb_add(value, left, right, precision);
    arb_mul_2exp_si(value, value, -1);
    arb_sub(slope, right, left, precision);
    arb_mul_2exp_si(slope, slope, -1);
    arb_div(slope, slope, radius, precision);
}

/// -x^2/2.
void half_square(Real& out, const Real& x, long precision) {
    arb_sqr(out, x, precision);
    arb_mul_2exp_si(out, out, -1);
    arb_neg(out, out);
}

}  // namespace

LikelihoodMoment::LikelihoodMoment(double alpha, std::optional<Mixture> p, std::optional<Mixture> q)
    : order_(alpha), alpha_(alpha), beta_(alpha - 1.0), p_(std::move(p)), q_(std::move(q)) {
    // alpha - 1.0 is exact: a multiple of ulp(alpha), or of ulp(1) below 2, and not larger.
}

void LikelihoodMoment::exponent(Real& out, const Real& x, long precision) const {
    Real part;
    Real sum;
    half_square(sum, x, precision);
    if (p_) {
        p_->log_value(part, x, precision);
        arb_addmul(sum, alpha_, part, precision);
    }
    if (q_) {
        q_->log_value(part, x, precision);
        arb_submul(sum, beta_, part, precision);
    }
    arb_swap(out, sum);
}

double LikelihoodMoment::approximate_exponent(double x) const {
    double sum = -x * x / 2;
    if (p_) sum += order_ * p_->approximate_log(x);
    if (q_) sum -= (order_ - 1) * q_->approximate_log(x);
    return sum;
}

double LikelihoodMoment::largest_term(double reach) const {
    double sum = reach * reach;
    for (const auto* mixture : {&p_, &q_}) {
        if (!*mixture) continue;
        const double shift = std::abs(to_double((*mixture)->shift()));
        sum += order_ *
               ((*mixture)->log_range() + static_cast<double>((*mixture)->last()) * shift * reach);
    }
    return sum;
}

void LikelihoodMoment::at(Real& out, const Real& x, long precision) const {
    exponent(out, x, precision);
    arb_exp(out, out, precision);
}

void LikelihoodMoment::bound(Real& out, const Real& middle, const Real& radius,
                             long precision) const {
    bound_with(out, Real(), Real(), middle, radius, precision);
}

void LikelihoodMoment::on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                                    long precision) const {
    on_rectangle_with(out, Real(), Real(), centre, offset, precision);
}

// log P and log Q are convex (logarithms of sums of exponentials): on a segment, alpha log P is
// below its chord and (1-alpha) log Q below its tangent at the middle.
void LikelihoodMoment::bound_with(Real& out, Real constant, Real slope, const Real& middle,
                                  const Real& radius, long precision) const {
    Real value;
    half_square(value, middle, precision);
    arb_add(constant, constant, value, precision);
    arb_sub(slope, slope, middle, precision);
    if (p_) {
        Real steepness;
        chord(value, steepness, *p_, middle, radius, precision);
        arb_addmul(constant, alpha_, value, precision);
        arb_addmul(slope, alpha_, steepness, precision);
    }
    if (q_) {
        q_->log_value(value, middle, precision);
        arb_submul(constant, beta_, value, precision);
        Complex place;
        acb_set_arb(place, middle);
        Complex tangent;
        q_->slope(tangent, place, precision);
        arb_submul(slope, beta_, tangent.real(), precision);
    }
    quadratic_log_bound(out, constant, slope, radius, precision);
    arb_exp(out, out, precision);
}

// h(m + w) lies in h(m) + h'(R) w, R the rectangle (it is convex), and h'(R) is finite only if
// neither P nor Q has a zero in R, so that h is analytic there.
void LikelihoodMoment::on_rectangle_with(Complex& out, Real constant, const Real& extra_slope,
                                         const Real& centre, const Complex& offset,
                                         long precision) const {
    Complex rectangle;
    acb_add_arb(rectangle, offset, centre, precision);
    Complex slope;
    arb_sub(slope.real(), extra_slope, centre, precision);
    Complex part;
    if (p_) {
        p_->slope(part, rectangle, precision);
        acb_mul_arb(part, part, alpha_, precision);
        acb_add(slope, slope, part, precision);
    }
    if (q_) {
        q_->slope(part, rectangle, precision);
        acb_mul_arb(part, part, beta_, precision);
        acb_sub(slope, slope, part, precision);
    }
    if (acb_is_finite(slope) == 0) {
        acb_indeterminate(out);
        return;
    }
    Real value;
    exponent(value, centre, precision);
    arb_add(constant, constant, value, precision);
    quadratic_on_rectangle(out, constant, slope, offset, precision);
}

}  // namespace assay::verify::arb
