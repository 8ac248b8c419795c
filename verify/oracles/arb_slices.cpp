#include "verify/oracles/arb_slices.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/arb_refine.hpp"

namespace assay::verify::arb {

namespace {

constexpr long rough_goal = 8;
constexpr long rough_precision = 96;

std::optional<Mixture> mixture_along(double q, const Real& length, long precision) {
    if (arb_is_zero(length) != 0) return std::nullopt;
    return Mixture::two_point(q, length, precision);
}

}  // namespace

/// A box, and what is left outside. Joint convexity gives P^alpha Q^(1-alpha) <= (1-q) +
/// q X^alpha Y^(1-alpha), and the last product times the density of N(0,I) is e^K times that of
/// N(m,I), m = alpha u + (1-alpha) v, K = alpha(alpha-1)|u-v|^2/2. Where every side is at least L
/// away from 0 and from m, four half-planes of mass Phi(-L) <= e^{-L^2/2}/2 each remain:
/// at most 2 e^{K - L^2/2}.
Box::Box(double alpha, const PlanarShifts& s, double log_wanted, long precision) {
    const Real order(alpha);
    const Real beta(alpha - 1.0);  // exact
    Real mean[2];
    arb_mul(mean[0], order, s.along, precision);
    arb_submul(mean[0], beta, s.length, precision);
    arb_mul(mean[1], order, s.across, precision);
    Real exponent;
    arb_sub(exponent, s.along, s.length, precision);
    arb_sqr(exponent, exponent, precision);
    arb_addmul(exponent, s.across, s.across, precision);
    arb_mul(exponent, exponent, order, precision);
    arb_mul(exponent, exponent, beta, precision);
    arb_mul_2exp_si(exponent, exponent, -1);
    const double length = std::sqrt(2 * std::max(0.0, to_double(exponent) - log_wanted)) + 1;
    Real shortest(length + 2);
    const Real zero;
    for (int i = 0; i < 2; ++i) {
        const double middle = to_double(mean[i]);
        low[i] = std::floor(std::min(0.0, middle) - length);
        high[i] = std::ceil(std::max(0.0, middle) + length);
        Real side;
        arb_min(side, zero, mean[i], precision);
        arb_sub(side, side, Real(low[i]), precision);
        arb_min(shortest, shortest, side, precision);
        arb_max(side, zero, mean[i], precision);
        arb_sub(side, Real(high[i]), side, precision);
        arb_min(shortest, shortest, side, precision);
    }
    arb_pos_inf(left_out);
    if (arb_is_positive(shortest) == 0) return;
    arb_sqr(shortest, shortest, precision);
    arb_mul_2exp_si(shortest, shortest, -1);
    arb_sub(exponent, exponent, shortest, precision);
    arb_exp(left_out, exponent, precision);
    arb_mul_2exp_si(left_out, left_out, 1);
}

Slices::Slices(double alpha, double q, const PlanarShifts& shifts, const Box& box, long goal,
               long precision)
    : alpha_(alpha),
      shifts_(shifts),
      box_(box),
      goal_(goal),
      rest_(alpha, std::nullopt, mixture_along(q, shifts.length, precision)),
      second_(q) {
    arb_sub(first_, Real(1.0), second_, precision);
}

void Slices::at(Real& out, const Real& x, long precision) const {
    rest_.at(out, x, precision);
    arb_mul(out, out, slice(x, goal_, precision), precision);
}

// P^alpha is log-convex in x (log P is convex), and so is its integral over y: log G lies below
// its chord. bound_with adds the tangent above (1-alpha) log Q and the square.
void Slices::bound(Real& out, const Real& middle, const Real& radius, long precision) const {
    Real constant;
    Real slope;
    chord(constant, slope, middle, radius, precision);
    rest_.bound_with(out, constant, slope, middle, radius, precision);
}

// P = A + B e^{u1 x + ...}, A, B > 0, is off the negative axis while |Im(u1 x)| < pi, for every
// y; there |P(x+it,y)^alpha| = |P|^alpha <= P(x,y)^alpha, so |G(x+it)| <= G(x) <= e^chord.
void Slices::on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                          long precision) const {
    Real angle;
    arb_mul(angle, shifts_.along, offset.imaginary(), precision);
    arb_abs(angle, angle);
    if (!arb_lt(angle, Real(3.0))) {  // 3 < pi
        acb_indeterminate(out);
        return;
    }
    Real radius;
    arb_get_rad_arb(radius, offset.real());
    Real constant;
    Real slope;
    chord(constant, slope, centre, radius, precision);
    Complex product;
    rest_.on_rectangle_with(product, constant, slope, centre, offset, precision);
    if (acb_is_finite(product) == 0) {
        acb_indeterminate(out);
        return;
    }
    mag_t size;
    mag_init(size);
    acb_get_mag(size, product);
    acb_zero(out);
    arb_add_error_mag(out.real(), size);
    arb_add_error_mag(out.imaginary(), size);
    mag_clear(size);
}

/// The logarithm of the largest value for this x, roughly.
double Slices::approximate_log(double x) const {
    std::vector<double> places;
    return rest_.approximate_exponent(x) +
           peak_of(slice_integrand(Real(x), rough_precision), places);
}

/// About the size of the largest number in an exponent.
double Slices::largest_term() const {
    const double x = std::max(-box_.low[0], box_.high[0]);
    const double y = std::max(-box_.low[1], box_.high[1]);
    const double tilt = std::abs(to_double(shifts_.along)) * (x + to_double(shifts_.along));
    return rest_.largest_term(x) + alpha_ * std::abs(tilt) +
           slice_integrand(Real(0.0), rough_precision).largest_term(y);
}

double Slices::peak_of(const LikelihoodMoment& f, std::vector<double>& places) const {
    return approximate_peak([&](double y) { return f.approximate_exponent(y); }, box_.low[1],
                            box_.high[1], places);
}

/// y -> e^{-y^2/2} P(x,y)^alpha: a two-term mixture with weights 1-q and q e^{u1 x - u1^2/2}.
LikelihoodMoment Slices::slice_integrand(const Real& x, long precision) const {
    Real weight;
    arb_mul_2exp_si(weight, shifts_.along, -1);
    arb_sub(weight, x, weight, precision);
    arb_mul(weight, weight, shifts_.along, precision);
    arb_exp(weight, weight, precision);
    arb_mul(weight, weight, second_, precision);
    return {alpha_, Mixture::two_term(first_, weight, shifts_.across, precision), std::nullopt};
}

/// G(x) to `goal` bits.
Real Slices::slice(const Real& x, long goal, long precision) const {
    const LikelihoodMoment integrand = slice_integrand(x, precision);
    std::vector<double> places;
    Effort effort{};
    effort.log_scale = peak_of(integrand, places);
    effort.goal = goal;
    effort.precision = precision;
    effort.box_precision = std::min(precision, rough_precision);
    effort.evaluations = 20000;
    std::vector<Real> breaks{Real(box_.low[1])};
    if (places[0] > box_.low[1] + 1 && places[0] < box_.high[1] - 1) breaks.emplace_back(places[0]);
    breaks.emplace_back(box_.high[1]);
    bool exhausted = false;
    Real value = integrate(integrand, breaks, effort, exhausted);
    exhausted_ = exhausted_ || exhausted;
    return value;
}

/// log G at the ends of a segment, as value at its middle and slope.
void Slices::chord(Real& value, Real& slope, const Real& middle, const Real& radius,
                   long precision) const {
    Real left;
    Real right;
    arb_sub(left, middle, radius, precision);
    arb_add(right, middle, radius, precision);
    arb_log(left, slice(left, rough_goal, precision), precision);
    arb_log(right, slice(right, rough_goal, precision), precision);
    arb_add(value, left, right, precision);
    arb_mul_2exp_si(value, value, -1);
    arb_sub(slope, right, left, precision);
    arb_mul_2exp_si(slope, slope, -1);
    arb_div(slope, slope, radius, precision);
}

}  // namespace assay::verify::arb
