#include "verify/oracles/trapezoid_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/oracles/trapezoid_line_plan.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

namespace {

constexpr long most_terms = 1500000;

// Sum of e^{psi - scale} over the kept nodes; nothing when the densities take too many terms.
std::optional<Interval> sum_nodes(const LineMoment& moment, const LinePlan& plan, long bits) {
    const ShiftMixture p = moment.p(bits);
    const ShiftMixture q = moment.q(bits);
    const Interval order(moment.order, bits);
    const Interval rest = order - 1.0;
    const Interval h(plan.step, bits);
    const Interval p_step = exp(p.shift() * h);
    const Interval q_step = exp(q.shift() * h);
    Interval sum(0.0, bits);
    for (const LineCell& cell : plan.kept) {
        Interval z = h * Interval::integer(cell.first, bits);
        Interval p_exponential = exp(p.shift() * z);
        Interval q_exponential = exp(q.shift() * z);
        for (long k = cell.first; k <= cell.last; ++k) {
            Interval exponent = -square(z) / 2.0 - plan.scale;
            if (p.count() > 0) exponent += order * log(p.at_exponential(p_exponential));
            if (q.count() > 0) exponent -= rest * log(q.at_exponential(q_exponential));
            sum += exp(exponent);
            z += h;
            p_exponential *= p_step;
            q_exponential *= q_step;
        }
        if (p.terms() + q.terms() > most_terms) return std::nullopt;
    }
    return sum;
}

// P and Q have no zero below pi/|c| (as polynomials in e^{cz} they have negative zeros),
// |P(x+iy)| <= P(x), and Q keeps cos(cy/2)^sector_power of its size.
Strip strip_of(const LineMoment& moment) {
    const ShiftMixture p = moment.p(planning_bits);
    const ShiftMixture q = moment.q(planning_bits);
    const double power =
        (Interval(moment.order, planning_bits) - 1.0).upper_double() * q.sector_power();
    return {std::max(p.zero_rate(), q.zero_rate()), q.zero_rate(), std::nextafter(power, INFINITY)};
}

}  // namespace

std::optional<Interval> log_moment(const LineMoment& moment, long bits) {
    const double nats = static_cast<double>(bits) * std::numbers::ln2;
    const Strip strip = strip_of(moment);
    const double step = widest_step(strip, nats);
    if (!(step > 0)) return std::nullopt;
    const Interval error = rule_error(strip, Interval(step, planning_bits));
    if (!(error.upper_double() < 0.5)) return std::nullopt;
    const std::optional<LinePlan> plan = plan_line(moment, step, nats);
    if (!plan) return std::nullopt;

    // psi's parts lose their magnitude's bits, the sum its length's.
    const long working = bits + 24 + std::ilogb(plan->magnitude + std::abs(plan->scale) + 2) +
                         std::ilogb(static_cast<double>(plan->nodes) + 2);
    const std::optional<Interval> sum = sum_nodes(moment, *plan, working);
    if (!sum) return std::nullopt;
    const Interval factor = Interval(step, working) / sqrt(2.0 * Interval::pi(working));
    // |S - F| <= e F for the sum S over all nodes, so S/(1+e) <= F <= S/(1-e).
    const Interval one(1.0, working);
    return log(Interval::between(*sum * factor / (one + error),
                                 (*sum + plan->omitted) * factor / (one - error))) +
           plan->scale;
}

}  // namespace assay::verify::trapezoid
