#include "verify/oracles/balls_and_bins_epoch.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/oracles/trapezoid_collinear.hpp"
#include "verify/oracles/trapezoid_line.hpp"
#include "verify/oracles/trapezoid_moment.hpp"
#include "verify/oracles/trapezoid_planar.hpp"
#include "verify/oracles/trapezoid_refine.hpp"

namespace assay::verify {

namespace {

using trapezoid::collinear_rdp;
using trapezoid::Length;

// scale / noise.
Length ratio(double scale, double noise) {
    return [scale, noise](long bits) { return Interval(scale, bits) / noise; };
}

Length none() {
    return [](long bits) { return Interval(0.0, bits); };
}

Interval fixed_size(const Point& p, long bits) {
    return collinear_rdp(p["alpha"], p["q"], ratio(2.0, p["sigma"]), none(), bits);
}
Interval fixed_size_reverse(const Point& p, long bits) {
    return collinear_rdp(p["alpha"], p["q"], none(), ratio(2.0, p["sigma"]), bits);
}
Interval poisson(const Point& p, long bits) {
    return collinear_rdp(p["alpha"], p["q"], ratio(1.0, p["s"]), none(), bits);
}
Interval poisson_reverse(const Point& p, long bits) {
    return collinear_rdp(p["alpha"], p["q"], none(), ratio(1.0, p["s"]), bits);
}
Interval poisson_replace_one(const Point& p, long bits) {
    return collinear_rdp(p["alpha"], p["q"], ratio(1.0, p["sigma"]), ratio(-1.0, p["sigma"]), bits);
}
Interval replace_one_collinear(const Point& p, long bits) {
    if (p["x"] == p["y"]) return Interval(0.0, bits);
    return collinear_rdp(p["alpha"], p["q"], ratio(2.0 * p["x"], p["sigma"]),
                         ratio(2.0 * p["y"], p["sigma"]), bits);
}

Interval with_replacement(const Point& p, long bits, bool reverse) {
    using trapezoid::Density;
    using trapezoid::ShiftMixture;
    const double order = p["alpha"];
    const double noise = p["sigma"];
    const long batch = p.integer("B");
    const long size = p.integer("D");
    const Density v = [=](long working) {
        return ShiftMixture(batch, 1.0 / Interval::integer(size, working),
                            Interval(2.0, working) / noise);
    };
    const Density one = [](long working) {
        return ShiftMixture(0, Interval(0.0, working), Interval(0.0, working));
    };
    const trapezoid::LineMoment moment{order, reverse ? one : v, reverse ? v : one};
    const double mean = static_cast<double>(batch) / static_cast<double>(size);
    const double excess = trapezoid::rough_excess(order, mean, 4.0 / (noise * noise), 0.0, 0.0);
    return trapezoid::divergence_from([&](long working) { return log_moment(moment, working); },
                                      order, excess, bits);
}
Interval with_replacement_forward(const Point& p, long bits) {
    return with_replacement(p, bits, false);
}
Interval with_replacement_reverse(const Point& p, long bits) {
    return with_replacement(p, bits, true);
}
bool batch_covered(const Point& p) {
    return p.integer("B") >= 1 && p.integer("D") >= 2;
}

Interval absolute_moment(const Point& p, long bits) {
    return trapezoid::log_absolute_moment(p["sigma"], p.integer("j"), bits);
}
bool odd(const Point& p) {
    return p.integer("j") % 2 == 1;
}

Interval equilateral(const Point& p, long bits) {
    return equilateral_rdp(p["alpha"], p["sigma"], p["q"], false, bits);
}
Interval equilateral_attainable(const Point& p, long bits) {
    return equilateral_rdp(p["alpha"], p["sigma"], p["q"], true, bits);
}
Interval planar(const Point& p, long bits) {
    return planar_replace_one_rdp(p["alpha"], p["q"], p["u1"], p["u2"], p["v1"], p["v2"], bits);
}

}  // namespace

std::vector<Oracle> trapezoid_oracles() {
    constexpr std::string_view line = "trapezoid rule of the plain integrand";
    constexpr std::string_view plane = "trapezoid rule in two dimensions";
    std::vector<Oracle> oracles{
        {"exact.fixed_size_without_replacement", line, fixed_size},
        {"exact.fixed_size_without_replacement_reverse", line, fixed_size_reverse},
        {"exact.poisson_add_remove", line, poisson},
        {"exact.poisson_add_remove_reverse", line, poisson_reverse},
        {"exact.poisson_replace_one", line, poisson_replace_one},
        {"exact.replace_one_collinear", line, replace_one_collinear},
        {"exact.fixed_size_with_replacement", line, with_replacement_forward, batch_covered},
        {"exact.fixed_size_with_replacement_reverse", line, with_replacement_reverse,
         batch_covered},
        {"exact.log_absolute_moment", "sum of normal distribution functions", absolute_moment, odd},
        {"exact.replace_one_equilateral", plane, equilateral},
        {"exact.replace_one_equilateral_attainable", plane, equilateral_attainable},
        {"planar.replace_one", plane, planar},
    };
    for (const Oracle& oracle : balls_and_bins_epoch_oracles()) oracles.push_back(oracle);
    return oracles;
}

}  // namespace assay::verify
