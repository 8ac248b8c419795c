#include <algorithm>
#include <array>
#include <cmath>

#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// Losses of hundreds of nats, where windows and grids end.

namespace assay::verify {

namespace {

constexpr const char* claim =
    "P is at least q^T times T Gaussian steps: delta(eps) >= q^T delta_Gauss(eps + T log(1/q))";

/// The largest over t <= T steps that all draw the record, the others left out.
Interval least_delta(const Point& point, long bits) {
    Interval best(0.0, bits);
    for (long t = 1; t <= point.integer("T"); ++t)
        best = max(best, nonnegative(refined(bits, [&](long p) {
                       const Interval q(point["q"], p);
                       const Interval mu = sqrt(Interval::integer(t, p)) / point["sigma"];
                       const Interval e =
                           Interval(point["eps"], p) - Interval::integer(t, p) * log(q);
                       return power(q, t) * normal_cdf(mu / 2.0 - e / mu) -
                              exp(Interval(point["eps"], p)) * normal_cdf(-mu / 2.0 - e / mu);
                   })));
    return best;
}

Space space() {
    return {{{"sigma", Scale::logarithmic, 0.05, 0.3, false, {0.05, 0.1478, 0.1907, 0.3}},
             linear_dimension("q", 0.01, 0.95, {0.01, 0.445, 0.9}),
             count_dimension("T", 2, 12, {2, 3, 7}),
             {"eps", Scale::linear, 0.0, 500.0, false, {0.0, 200.0, 378.0, 429.0, 500.0}}},
            {}};
}

std::array<Phase, 1> phase_of(const Point& p) {
    return {Phase{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}};
}

/// Just below a delta that epsilons smaller than eps do not reach; 0 where that is no probability.
double unreached(const Point& p) {
    const double delta = 0.999 * least_delta(p, 64).lower_double();
    return delta >= 1e-300 && delta < 0.999 ? delta : 0.0;
}

}  // namespace

std::vector<Check> pld_little_noise_rows() {
    Check delta =
        library_row("pld.little_noise.upper", claim, Relation::at_least, space(), 20, 400);
    delta.oracle = "q^t times the Gaussian of t steps in closed form, t = 1..T";
    delta.evaluate = [](const Point& p) {
        const double epsilon = p["eps"];
        const double upper = pld_delta(phase_of(p), Adjacency::add_remove, {&epsilon, 1}, coarse)
                                 .points.front()
                                 .upper.value;
        return Enclosure{upper, upper};
    };
    delta.truth = least_delta;
    Check epsilon = library_row("pld.little_noise.epsilon",
                                "where delta(eps) exceeds a number, its epsilon exceeds eps",
                                Relation::at_least, space(), 20, 400);
    epsilon.oracle = delta.oracle;
    epsilon.evaluate = [](const Point& p) {
        const double target = unreached(p);
        const double upper =
            target > 0.0
                ? pld_epsilon(phase_of(p), Adjacency::add_remove, target, coarse).upper.value
                : p["eps"];
        return Enclosure{upper, upper};
    };
    epsilon.truth = [](const Point& p, long bits) { return Interval(p["eps"], bits); };
    return {delta, epsilon};
}

}  // namespace assay::verify
