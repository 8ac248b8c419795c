#include <cmath>
#include <functional>

#include "verify/oracles/arb_absolute_moment.hpp"
#include "verify/oracles/arb_lognormal_sum.hpp"
#include "verify/oracles/arb_moment.hpp"
#include "verify/oracles/arb_planar.hpp"
#include "verify/oracles/arb_profile.hpp"
#include "verify/oracles/balls_and_bins_order_mean.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

namespace {

constexpr double most_draws = 5000;  // terms of one mixture; more would take seconds

Interval fixed_size(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 2.0, 0.0, p["q"]}, bits);
}
Interval fixed_size_reverse(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 0.0, 2.0, p["q"]}, bits);
}
Interval poisson(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["s"], 1.0, 0.0, p["q"]}, bits);
}
Interval poisson_reverse(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["s"], 0.0, 1.0, p["q"]}, bits);
}
Interval poisson_replace_one(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 1.0, -1.0, p["q"]}, bits);
}
Interval collinear(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 2 * p["x"], 2 * p["y"], p["q"]}, bits);
}
Interval with_replacement(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 2.0, 0.0, 0.0, p["B"], p["D"]}, bits);
}
Interval with_replacement_reverse(const Point& p, long bits) {
    return arb::divergence({p["alpha"], p["sigma"], 0.0, 2.0, 0.0, p["B"], p["D"]}, bits);
}
Interval profile(const Point& p, long bits) {
    return arb::profile(p["alpha"], p["sigma"], p["q"], bits);
}
Interval absolute_moment(const Point& p, long bits) {
    return arb::log_absolute_moment(p["sigma"], p.integer("j"), bits);
}

Interval planar(const Point& p, long bits) {
    const double u1 = p["u1"];
    const double u2 = p["u2"];
    const double v1 = p["v1"];
    const double v2 = p["v2"];
    if (p["q"] == 0.0 || (u1 == v1 && u2 == v2)) return Interval(0.0, bits);
    return arb::planar_divergence(
        p["alpha"], p["q"],
        [=](long precision) { return arb::planar_shifts(u1, u2, v1, v2, precision); }, bits);
}

/// Two shifts of the given length at 60 degrees to each other.
Interval at_sixty_degrees(const Point& p, long bits,
                          const std::function<void(arb::Real& length, long precision)>& set) {
    if (p["q"] == 0.0) return Interval(0.0, bits);
    return arb::planar_divergence(
        p["alpha"], p["q"],
        [&set](long precision) {
            arb::PlanarShifts shifts;
            set(shifts.length, precision);
            arb_mul_2exp_si(shifts.along, shifts.length, -1);
            arb_sqrt_ui(shifts.across, 3, precision);
            arb_mul(shifts.across, shifts.across, shifts.along, precision);
            return shifts;
        },
        bits);
}

/// Shifts of length c = 2/sigma.
Interval equilateral(const Point& p, long bits) {
    return at_sixty_degrees(p, bits, [sigma = p["sigma"]](arb::Real& length, long precision) {
        arb_div(length, arb::Real(2.0), arb::Real(sigma), precision);
    });
}

/// Shifts of length c sqrt(3)/2.
Interval attainable_equilateral(const Point& p, long bits) {
    return at_sixty_degrees(p, bits, [sigma = p["sigma"]](arb::Real& length, long precision) {
        arb_sqrt_ui(length, 3, precision);
        arb_div(length, length, arb::Real(sigma), precision);
    });
}

bool is_order(double alpha) {
    return alpha > 1 && std::isfinite(alpha);
}

bool has_noise(const Point& p) {
    const double noise = p[p.has("s") ? "s" : "sigma"];
    return noise > 0 && std::isfinite(noise);
}

bool drawn_once(const Point& p) {
    return is_order(p["alpha"]) && has_noise(p) && p["q"] >= 0 && p["q"] <= 1;
}
bool drawn_once_at_random(const Point& p) {
    return drawn_once(p) && p["q"] < 1;
}
bool drawn_often(const Point& p) {
    return is_order(p["alpha"]) && has_noise(p) && p.integer("B") >= 1 && p["B"] <= most_draws &&
           p.integer("D") >= 2;
}
bool some_power(const Point& p) {
    return has_noise(p) && p.integer("j") >= 1;
}
bool in_the_plane(const Point& p) {
    return is_order(p["alpha"]) && p["q"] >= 0 && p["q"] < 1;
}

}  // namespace

std::vector<Oracle> arb_oracles() {
    constexpr std::string_view method = "Arb integral";
    std::vector<Oracle> oracles{
        {"exact.fixed_size_without_replacement", method, fixed_size, drawn_once},
        {"exact.fixed_size_without_replacement_reverse", method, fixed_size_reverse, drawn_once},
        {"exact.fixed_size_with_replacement", method, with_replacement, drawn_often},
        {"exact.fixed_size_with_replacement_reverse", method, with_replacement_reverse,
         drawn_often},
        {"exact.poisson_add_remove", method, poisson, drawn_once},
        {"exact.poisson_add_remove_reverse", method, poisson_reverse, drawn_once},
        {"mironov2019.fractional_series", method, poisson, drawn_once},
        {"exact.poisson_replace_one", method, poisson_replace_one, drawn_once},
        {"exact.replace_one_collinear", method, collinear, drawn_once},
        {"profile.fixed_size_replace_one", method, profile, drawn_once_at_random},
        {"exact.log_absolute_moment", method, absolute_moment, some_power},
        {"exact.replace_one_equilateral", method, equilateral, drawn_once_at_random},
        {"exact.replace_one_equilateral_attainable", method, attainable_equilateral,
         drawn_once_at_random},
        {"planar.replace_one", method, planar, in_the_plane},
    };
    for (auto* list : {balls_and_bins_order_oracles, arb::lognormal_sum_oracles})
        for (const Oracle& oracle : list()) oracles.push_back(oracle);
    return oracles;
}

}  // namespace assay::verify
