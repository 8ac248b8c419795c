#include <algorithm>
#include <array>
#include <cmath>

#include "assay/pld/near_bracket.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// Losses far below the points of a uniform grid, and epsilons whose exponentials are no doubles.

namespace assay::verify {

namespace {

/// eps in units of q c: W - 1 is q (X - 1), whatever q is.
Space near_space(double steps) {
    // Chords tell two steps from each other where W - 1 is no smaller.
    const Dimension q = steps == 1.0
                            ? Dimension{"q", Scale::logarithmic, 1e-14, 1e-9, false, {1e-12, 1e-10}}
                            : Dimension{"q", Scale::logarithmic, 1e-2, 0.5, false, {0.1}};
    return {{noise_dimension("sigma", 0.4, steps == 1.0 ? 100.0 : 4.0), q,
             count_dimension("T", steps, steps, {}),
             linear_dimension("z", 0.0, steps == 1.0 ? 8.0 : 4.0, {0.5, 3.0})},
            {}};
}

/// The epsilon at which X is e^{cz - c^2/2}; that of the addition is nearer to 0 than q.
double epsilon_of(const Point& p, PayoffSide side) {
    const double c = 1.0 / p["sigma"];
    const double sign = side == PayoffSide::removal ? 1.0 : -1.0;
    return std::fabs(std::log1p(p["q"] * std::expm1(sign * c * p["z"])));
}

Point at_epsilon(const Point& p, PayoffSide side) {
    Point moved = p;
    moved.set("eps", epsilon_of(p, side));
    return moved;
}

NearPlan plan_of(const Point& p, double negligible) {
    DominatingPair pair;
    pair.q = p["q"];
    pair.c = 1.0L / static_cast<real>(p["sigma"]);
    const RepeatedLossPair repeated{pair, p.integer("T")};
    NearPlan plan({&repeated, 1}, Adjacency::add_remove);
    plan.negligible = negligible;
    return plan;
}

Enclosure near_delta_of(const Point& p, PayoffSide side) {
    const DeltaSides sides = NearBracket(plan_of(p, 1e-60), 0.01).at(epsilon_of(p, side));
    return side == PayoffSide::removal ? Enclosure{sides.removal_lower, sides.removal_upper}
                                       : Enclosure{sides.addition_lower, sides.addition_upper};
}

std::vector<Check> near_rows() {
    std::vector<Check> rows;
    for (const PayoffSide side : payoff_sides)
        for (const double steps : {1.0, 2.0}) {
            Check row = library_row(std::string("pld.near.") +
                                        (steps == 1.0 ? "one_step." : "two_steps.") + name_of(side),
                                    "sums of losses of any small scale contain the divergence",
                                    steps == 1.0 ? Relation::encloses : Relation::overlaps,
                                    near_space(steps), 10, steps == 1.0 ? 200 : 40);
            row.oracle = "one step's divergence in Arb; chords of it under itself for two";
            row.evaluate = [side](const Point& p) { return near_delta_of(p, side); };
            row.truth = [side](const Point& p, long) {
                return repeated_excess(ratio_of(side, p["q"], 1.0, p["sigma"]),
                                       at_epsilon(p, side));
            };
            rows.push_back(std::move(row));
        }
    return rows;
}

/// Little noise and tiny rates: masses near the least doubles, with e^epsilon times as much in the
/// other measure.
Space tiny_space(std::vector<double> steps) {
    return {{{"sigma", Scale::logarithmic, 0.045, 0.065, false, {0.05, 0.0583}},
             {"q", Scale::logarithmic, 1e-12, 1e-7, false, {1e-11, 1e-10, 1e-9}},
             count_dimension("T", steps.front(), steps.back(), steps),
             linear_dimension("eps", 450.0, 900.0, {480.0, 560.0, 640.0})},
            {}};
}

DeltaSides tiny_sides(const Point& p) {
    return NearBracket(plan_of(p, 1e-120), 0.02, false).at(p["eps"]);
}

/// One step's divergence, W > e^epsilon where z > t.
Interval one_step(const Point& p, long bits) {
    return refined(bits, [&](long b) {
        const Interval q(p["q"], b);
        const Interval c = Interval(1.0, b) / p["sigma"];
        const Interval e(p["eps"], b);
        const Interval t = c / 2.0 + log1p(expm1(e) / q) / c;
        return q * normal_cdf(c - t) + (1.0 - q) * normal_cdf(-t) - exp(e) * normal_cdf(-t);
    });
}

/// Ordinary losses, which a uniform grid holds as well; `negligible` masses may leave.
Check grid_row() {
    const Space space{{noise_dimension("sigma", 0.6, 3.0),
                       {"q", Scale::logarithmic, 0.01, 0.3, false, {0.1}},
                       {"T", Scale::logarithmic, 3, 64, true, {4, 8, 64}},
                       linear_dimension("z", 0.0, 5.0, {0.5, 3.0}),
                       {"negligible", Scale::logarithmic, 1e-20, 1e-4, false, {1e-6, 1e-4}}},
                      {}};
    // Deviations of the loss, about.
    const auto epsilon_at = [](const Point& p) {
        const double c = std::min(1.0 / p["sigma"], 1.0);
        return p["z"] * p["q"] * std::sqrt(p["T"] * std::expm1(c * c));
    };
    Check row = library_row("pld.near.meets_grid",
                            "sums of losses and the uniform grid contain the same divergence",
                            Relation::overlaps, space, 60, 600);
    row.oracle = "the uniform grid's bracket";
    row.evaluate = [=](const Point& p) {
        const DeltaSides sides =
            NearBracket(plan_of(p, p["negligible"]), 0.05, false).at(epsilon_at(p));
        return Enclosure{sides.removal_lower, sides.removal_upper};
    };
    row.truth = [=](const Point& p, long bits) {
        const std::array<Phase, 1> phase{
            Phase{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}};
        const double epsilon = epsilon_at(p);
        const DeltaBracket grid =
            pld_delta(phase, Adjacency::add_remove, {&epsilon, 1}, {.relative_gap = 1e-2})
                .points.front();
        return hull(Interval(grid.removal_lower, bits), Interval(grid.removal_upper, bits));
    };
    return row;
}

std::vector<Check> tiny_rows() {
    Check upper = library_row("pld.near.tiny_masses.upper",
                              "sums of losses at the ends of doubles are not below one step's",
                              Relation::at_least, tiny_space({1, 2}), 12, 200);
    upper.oracle = "closed form: one step's divergence in MPFR";
    upper.evaluate = [](const Point& p) { return exactly(tiny_sides(p).removal_upper); };
    upper.truth = one_step;
    Check lower = library_row("pld.near.tiny_masses.lower",
                              "of sums of losses at the ends of doubles, the lower side is below",
                              Relation::at_most, tiny_space({1, 3, 5, 8}), 60, 200);
    lower.oracle = "the upper side";
    lower.evaluate = [](const Point& p) { return exactly(tiny_sides(p).removal_lower); };
    lower.truth = [](const Point& p, long bits) {
        return Interval(tiny_sides(p).removal_upper, bits);
    };
    return {std::move(upper), std::move(lower), grid_row()};
}

/// Steps with this probability are Gaussian, but for T 2^-53 of epsilon.

Space far_space() {
    return {{noise_dimension("sigma", 0.5, 5.0), count_dimension("T", 100, 1e6, {1000, 100000}),
             linear_dimension("z", -1.0, 6.0, {0.0, 3.0})},
            [](const Point& p) {
                const double mu = std::sqrt(p["T"]) / p["sigma"];
                return mu >= 30.0 && mu <= 1000.0;
            }};
}

/// z deviations above the mean loss.
double far_epsilon(const Point& p) {
    const double mu = std::sqrt(p["T"]) / p["sigma"];
    return 0.5 * mu * mu + p["z"] * mu;
}

DeltaBracket far_delta(const Point& p) {
    const std::array<Phase, 1> phase{
        Phase{SampledGaussian{p["sigma"], largest_probability}, p.integer("T")}};
    const double epsilon = far_epsilon(p);
    return pld_delta(phase, Adjacency::add_remove, {&epsilon, 1},
                     {.relative_gap = 5e-3, .most_products = 1e8})
        .points.front();
}

/// The Gaussian's divergence at an epsilon moved by `shift` T 2^-53.
Interval moved_delta(const Point& p, double shift, long bits) {
    return refined(bits, [&](long b) {
        const Interval e =
            Interval(far_epsilon(p), b) + Interval(shift * std::ldexp(p["T"], -52), b);
        return gaussian_delta(sqrt(Interval(p["T"], b)) / p["sigma"], e);
    });
}

std::vector<Check> far_rows() {
    Check removal = library_row(
        "pld.far.removal",
        "delta at epsilons up to 5e5: q^T delta_Gauss(eps + T log(1/q)) <= delta <= delta_Gauss",
        Relation::overlaps, far_space(), 5, 60);
    removal.oracle = "closed form: mu = sqrt(T)/sigma";
    removal.evaluate = [](const Point& p) { return side_of(far_delta(p), PayoffSide::removal); };
    removal.truth = [](const Point& p, long bits) {
        const Interval least = (1.0 - std::ldexp(p["T"], -52)) * moved_delta(p, 1.0, bits);
        return hull(least, moved_delta(p, 0.0, bits));
    };
    Check addition = library_row("pld.far.addition_lower",
                                 "the addition loses at most what Gaussian steps lose: delta <= "
                                 "delta_Gauss(eps - T log(1/q))",
                                 Relation::at_most, far_space(), 5, 60);
    addition.oracle = "closed form: mu = sqrt(T)/sigma";
    addition.evaluate = [](const Point& p) { return exactly(far_delta(p).addition_lower); };
    addition.truth = [](const Point& p, long bits) { return moved_delta(p, -1.0, bits); };
    return {std::move(removal), std::move(addition)};
}

}  // namespace

std::vector<Check> pld_near_far_rows() {
    std::vector<Check> rows = near_rows();
    for (auto* more : {tiny_rows, far_rows})
        for (Check& row : more()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
