#include "verify/oracles/arb_absolute_moment.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/arb_half_moment.hpp"
#include "verify/oracles/arb_refine.hpp"

namespace assay::verify::arb {

namespace {

Real shift_of(double sigma, long precision) {
    Real c;
    arb_div(c, Real(2.0), Real(sigma), precision);
    return c;
}

/// Left of -L and right of jc + L: |X-1| <= 1 where X < 1, |X-1| <= X where X > 1, and
/// E[X^j; z > b] = e^K Phi(jc - b), K = j(j-1)c^2/2, so that this part is at most
/// Phi(-L) + e^K Phi(-L) <= e^{K - L^2/2}.
void left_out(Real& out, const Real& c, long j, double low, double high, long precision) {
    Real length;
    arb_set_d(length, high);
    arb_submul_si(length, c, j, precision);
    arb_min(length, length, Real(-low), precision);
    arb_pos_inf(out);
    if (arb_is_positive(length) == 0) return;
    Real exponent;
    arb_sqr(exponent, c, precision);
    arb_mul_si(exponent, exponent, j, precision);
    arb_mul_si(exponent, exponent, j - 1, precision);
    arb_submul(exponent, length, length, precision);
    arb_mul_2exp_si(exponent, exponent, -1);
    arb_exp(out, exponent, precision);
}

Real absolute_moment(double sigma, long j, long goal, bool& exhausted) {
    const double c = 2 / sigma;
    const auto order = static_cast<double>(j);
    const double exponent = order * (order - 1) * c * c / 2;
    // A first look at where the integrand is large, then the range that the goal needs.
    const auto range = [&](double log_wanted) {
        return std::ceil(std::sqrt(2 * std::max(0.0, exponent * (1 + 1e-12) - log_wanted))) + 2;
    };
    const double reach = range(-40.0);
    const Real rough = shift_of(sigma, 64);
    const HalfMoment right(rough, j, true);
    const HalfMoment left(rough, j, false);
    std::vector<double> places;
    const double log_scale = std::max(
        approximate_peak([&](double z) { return left.approximate_log(z); }, -reach, c / 2, places),
        approximate_peak([&](double z) { return right.approximate_log(z); }, c / 2,
                         order * c + reach, places));
    const double length = range(log_scale - static_cast<double>(goal) * std::log(2.0));
    const double low = -length;
    const double high = std::ceil(order * c + length);

    Effort effort{};
    effort.goal = goal;
    // Near the kink 1 - e^{-|t|} loses no digits to expm1; j factors multiply its error.
    const long carried = static_cast<long>(std::log2(high * high * order + 2)) + 24;
    effort.precision = (goal + carried + 31) / 32 * 32;
    effort.box_precision = 64 + carried;
    effort.log_scale = log_scale;
    effort.evaluations = 200000;
    const Real shift = shift_of(sigma, effort.precision);
    Real kink;
    arb_mul_2exp_si(kink, shift, -1);
    const auto breaks = [&](const Real& from, double peak, const Real& to) {
        std::vector<Real> ends{from};
        if (peak > to_double(from) + 1 && peak < to_double(to) - 1) ends.emplace_back(peak);
        ends.push_back(to);
        return ends;
    };
    bool left_exhausted = false;
    bool right_exhausted = false;
    Real sum = integrate(HalfMoment(shift, j, false), breaks(Real(low), places[0], kink), effort,
                         left_exhausted);
    arb_add(sum, sum,
            integrate(HalfMoment(shift, j, true), breaks(kink, places[1], Real(high)), effort,
                      right_exhausted),
            effort.precision);
    exhausted = left_exhausted || right_exhausted;
    Real root;  // sqrt(2 pi)
    arb_const_pi(root, effort.precision);
    arb_mul_2exp_si(root, root, 1);
    arb_sqrt(root, root, effort.precision);
    arb_div(sum, sum, root, effort.precision);
    Real tails;
    left_out(tails, shift, j, low, high, effort.box_precision);
    arb_add_error(sum, tails);
    return sum;
}

}  // namespace

Interval log_absolute_moment(double sigma, long j, long bits) {
    const Real value = refine(bits, bits + 24, [&](long goal, bool& exhausted) {
        Real logarithm = absolute_moment(sigma, j, goal, exhausted);
        arb_log(logarithm, logarithm, goal + 64);
        return logarithm;
    });
    return to_interval(value, bits + 16);
}

}  // namespace assay::verify::arb
