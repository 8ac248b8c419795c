#include "verify/oracles/arb_planar.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/arb_refine.hpp"
#include "verify/oracles/arb_slices.hpp"

namespace assay::verify::arb {

namespace {

/// E[P^alpha Q^(1-alpha)] with an error of about 2^-goal of it.
Real planar_moment(double alpha, double q, const PlanarShifts& shifts, long goal, long precision,
                   bool& exhausted) {
    const Box box(alpha, shifts, -static_cast<double>(goal) * std::log(2.0), precision);
    const Slices rough(alpha, q, shifts, box, goal, 96);
    std::vector<double> places;
    Effort effort{};
    effort.log_scale =
        std::max(0.0, approximate_peak([&](double x) { return rough.approximate_log(x); },
                                       box.low[0], box.high[0], places));
    const long carried = static_cast<long>(std::log2(rough.largest_term() + 2)) + 28;
    effort.goal = goal;
    effort.precision = (goal + carried + 31) / 32 * 32;
    effort.box_precision = 64 + carried;
    effort.evaluations = 4000;
    const Slices integrand(alpha, q, shifts, box, goal + 8, effort.precision);
    std::vector<Real> breaks{Real(box.low[0])};
    if (places[0] > box.low[0] + 1 && places[0] < box.high[0] - 1) breaks.emplace_back(places[0]);
    breaks.emplace_back(box.high[0]);
    Real value = integrate(integrand, breaks, effort, exhausted);
    exhausted = exhausted || integrand.exhausted();
    Real circle;  // 2 pi
    arb_const_pi(circle, effort.precision);
    arb_mul_2exp_si(circle, circle, 1);
    arb_div(value, value, circle, effort.precision);
    arb_add_error(value, box.left_out);
    return value;
}

}  // namespace

PlanarShifts planar_shifts(double u1, double u2, double v1, double v2, long precision) {
    PlanarShifts shifts;
    // v = 0: any direction will do, best that of u.
    const bool turn_to_v = v1 != 0.0 || v2 != 0.0;
    const Real x(turn_to_v ? v1 : u1);
    const Real y(turn_to_v ? v2 : u2);
    Real length;
    arb_mul(length, x, x, precision);
    arb_addmul(length, y, y, precision);
    arb_sqrt(length, length, precision);
    arb_mul(shifts.along, x, Real(u1), precision);
    arb_addmul(shifts.along, y, Real(u2), precision);
    arb_div(shifts.along, shifts.along, length, precision);
    arb_mul(shifts.across, x, Real(u2), precision);
    arb_submul(shifts.across, y, Real(u1), precision);
    arb_div(shifts.across, shifts.across, length, precision);
    if (turn_to_v) shifts.length = length;
    return shifts;
}

Interval planar_divergence(double alpha, double q,
                           const std::function<PlanarShifts(long precision)>& shifts, long bits) {
    const PlanarShifts rough = shifts(64);
    const double distance =
        std::hypot(to_double(rough.along) - to_double(rough.length), to_double(rough.across));
    const double excess = alpha * (alpha - 1) / 2 * q * q * std::min(1.0, distance * distance);
    const long goal = bits + 24 + static_cast<long>(-std::log2(std::clamp(excess, 1e-300, 1.0)));
    const Real value = refine(bits, goal, [&](long wanted, bool& exhausted) {
        const long precision = 2 * wanted + 128;
        return divergence_of(
            planar_moment(alpha, q, shifts(precision), wanted, precision, exhausted), alpha,
            precision);
    });
    return max(Interval(0.0, bits), to_interval(value, bits + 16));  // F >= 1
}

}  // namespace assay::verify::arb
