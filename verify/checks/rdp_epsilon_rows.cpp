#include <fmt/format.h>

#include <cmath>

#include "assay/rdp/concentrated.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/rdp_curve.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Compositions of plain Gaussian steps, whose divergence alpha c^2/2 and profile are known exactly.

namespace assay::verify {

namespace {

/// "phases" equal phases of "T" steps.
std::vector<Phase> phases_at(const Point& p) {
    const Mechanism mechanism = Gaussian{.noise_multiplier = p["sigma"]};
    return {static_cast<std::size_t>(p.integer("phases")), Phase{mechanism, p.integer("T")}};
}

/// The clip norms by which a query changes.
double exchange(const Point& p) {
    return p["replace"] == 1.0 ? 2.0 : 1.0;
}

Adjacency adjacency(const Point& p) {
    return p["replace"] == 1.0 ? Adjacency::replace_one : Adjacency::add_remove;
}

/// n alpha (c/sigma)^2/2.
Interval gaussian_rdp(double order, double steps, double clip_norms, double noise, long bits) {
    return Interval(order, bits) * steps * square(Interval(clip_norms, bits) / noise) / 2.0;
}

/// canonne2020: 0 where delta^2 > 1 - e^{-D}, else the larger one of 0 and
/// D + log((a-1)/a) - (log delta + log a)/(a-1).
Interval written_conversion(double order, const Interval& rdp, double delta) {
    const long bits = rdp.bits();
    const Interval a(order, bits);
    const Interval zero(0.0, bits);
    const Interval epsilon =
        max(zero, rdp + log((a - 1.0) / a) - (log(Interval(delta, bits)) + log(a)) / (a - 1.0));
    const Interval guard = square(Interval(delta, bits)) + expm1(-rdp);
    if (guard.is_positive()) return zero;
    return certainly_at_most(guard, zero) ? epsilon : hull(zero, epsilon);
}

Dimension replace_dimension() {
    return {"replace", Scale::linear, 0, 1, true, {0, 1}};
}

Dimension delta_dimension() {
    return {"delta", Scale::logarithmic, 1e-12, 0.9, false, {1e-10, 1e-5, 0.1, 0.5}};
}

std::vector<Check> one_order_rows() {
    const Space space{{order_dimension(1.001, 1e4), noise_dimension("sigma", 0.1, 1000.0),
                       replace_dimension(), count_dimension("T", 1, 1e6, {1, 3, 1000}),
                       count_dimension("phases", 1, 2e4, {1, 2, 3, 20}), delta_dimension()},
                      {}};
    Check row = library_row(
        "epsilon.on_one_order.upper",
        "epsilon at one order is not below the written conversion of the sum over all steps",
        Relation::at_least, space, 300, 6000);
    row.oracle = "closed form: conversion of n alpha c^2/2";
    row.evaluate = [](const Point& p) {
        const double order = p["alpha"];
        return exactly(epsilon_bracket_on_grid(phases_at(p), adjacency(p), p["delta"], {&order, 1})
                           .upper.value);
    };
    row.truth = [](const Point& p, long bits) {
        return written_conversion(
            p["alpha"],
            gaussian_rdp(p["alpha"], p["phases"] * p["T"], exchange(p), p["sigma"], bits + 64),
            p["delta"]);
    };
    return {row};
}

std::vector<Check> composed_rows() {
    const Space space{
        {order_dimension(1.001, 1e4), noise_dimension("sigma", 0.1, 1000.0),
         noise_dimension("sigma_2", 0.1, 1000.0), replace_dimension(),
         count_dimension("T", 1, 1e6, {1, 3, 1000}), count_dimension("T_2", 1, 1e6, {1, 3, 1000})},
        {}};
    std::vector<Check> rows;
    for (const Direction direction : {Direction::lower, Direction::upper}) {
        Check row = library_row(
            fmt::format("curve.composed.{}", to_string(direction)),
            "a composition of two repeated curves stays on its side of the sum over all steps",
            direction == Direction::upper ? Relation::at_least : Relation::at_most, space, 200,
            4000);
        row.oracle = "closed form: n alpha c^2/2, both parts";
        row.evaluate = [direction](const Point& p) {
            const double order = p["alpha"];
            const auto part = [&](const char* noise, const char* steps) {
                return repeated(exact_curve(Gaussian{.noise_multiplier = p[noise]}, adjacency(p),
                                            direction, {&order, 1}),
                                p.integer(steps));
            };
            return exactly(composed(part("sigma", "T"), part("sigma_2", "T_2")).epsilons.front());
        };
        row.truth = [](const Point& p, long bits) {
            return gaussian_rdp(p["alpha"], p["T"], exchange(p), p["sigma"], bits + 64) +
                   gaussian_rdp(p["alpha"], p["T_2"], exchange(p), p["sigma_2"], bits + 64);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

/// gaussian.epsilon of all steps, at a shift on the side on which the oracle is true of the exact
/// shift as well.
std::function<Interval(const Point&, long)> epsilon_truth(bool upper) {
    return [upper, oracle = any_oracle("gaussian.epsilon")](const Point& p, long bits) {
        Point named = p;
        named.set("c", std::nextafter(1.0 / p["sigma"], upper ? 0.0 : 1e300));
        named.set("T", p["T"] * (p.has("phases") ? p["phases"] : 1.0));
        return oracle(named, bits);
    };
}

std::vector<Check> gaussian_rows() {
    std::vector<Check> rows;
    // Many phases: the rounding of their sum is far above that of a double. One order is enough.
    Check many = library_row("epsilon.gaussian_phases.lower",
                             "the lower side of epsilon of very many Gaussian phases is sound",
                             Relation::at_most,
                             {{noise_dimension("sigma", 0.3, 1000.0),
                               count_dimension("T", 1, 30, {1, 3}),
                               count_dimension("phases", 2e4, 1e5, {5e4, 1e5}),
                               {"delta", Scale::logarithmic, 1e-9, 0.5, false, {1e-5}}},
                              {}},
                             8, 100);
    many.oracle = "closed form: gaussian.epsilon of all steps";
    many.evaluate = [](const Point& p) {
        constexpr double order = 2.0;
        return exactly(
            epsilon_bracket_on_grid(phases_at(p), Adjacency::add_remove, p["delta"], {&order, 1})
                .lower.value);
    };
    many.truth = epsilon_truth(false);
    rows.push_back(std::move(many));
    // Large shifts: epsilon is about c^2/2, where one of the two normal tails is c deviations out.
    for (const bool upper : {false, true}) {
        Check far = library_row(
            fmt::format("epsilon.gaussian_far.{}", upper ? "upper" : "lower"),
            "epsilon of Gaussian steps with shifts of 30 to 300 deviations is bracketed",
            upper ? Relation::at_least : Relation::at_most,
            {{{"sigma", Scale::logarithmic, 1.0 / 300.0, 1.0 / 30.0, false, {0.005, 0.01, 0.02}},
              count_dimension("T", 1, 4, {1}),
              {"delta", Scale::logarithmic, 1e-12, 0.99, false, {1e-5, 0.5, 0.9}}},
             {}},
            25, 300);
        far.oracle = "closed form: gaussian.epsilon";
        far.evaluate = [upper](const Point& p) {
            const Phase phase{Gaussian{.noise_multiplier = p["sigma"]}, p.integer("T")};
            const PrivacyBracket bracket =
                epsilon_bracket({&phase, 1}, Adjacency::add_remove, p["delta"]);
            return exactly(upper ? bracket.upper.value : bracket.lower.value);
        };
        far.truth = epsilon_truth(upper);
        rows.push_back(std::move(far));
    }
    return rows;
}

/// Beside the divergence -log(1 - delta^2) above which the guard of canonne2020 stops.
std::vector<Check> guard_rows() {
    Check row =
        library_row("convert.canonne2020.guard",
                    "epsilon is 0 up to the divergence -log(1 - delta^2), and the formula beyond",
                    Relation::encloses,
                    {{order_dimension(1.0 + 1e-4, 100.0),
                      {"delta", Scale::linear, 1e-3, 0.999, false, {0.01, 0.5, 0.9}},
                      {"beyond", Scale::logarithmic, 1e-12, 0.1, false, {1e-12, 1e-6, 1e-4}},
                      {"below", Scale::linear, 0, 1, true, {0, 1}}},
                     {}},
                    120, 3000);
    const auto rdp = [](const Point& p) {
        const double step = p["below"] == 1.0 ? -p["beyond"] : p["beyond"];
        return -std::log1p(-p["delta"] * p["delta"]) * (1.0 + step);
    };
    row.oracle = "closed form with its guard";
    row.evaluate = [rdp](const Point& p) {
        return canonne2020_epsilon(p["alpha"], exactly(rdp(p)), p["delta"]);
    };
    row.truth = [rdp](const Point& p, long bits) {
        return written_conversion(p["alpha"], Interval(rdp(p), bits + 64), p["delta"]);
    };
    return {row};
}

/// Of a plain Gaussian step zCDP's rho is known: (c/sigma)^2/2.
std::vector<Check> concentrated_rows() {
    Check row =
        library_row("concentrated.zcdp.above_half_square",
                    "rho of a Gaussian step is not below c^2/2", Relation::at_least,
                    {{noise_dimension("sigma", 1e-8, 1e4), replace_dimension()}, {}}, 100, 2000);
    row.oracle = "closed form: c^2/2";
    row.evaluate = [](const Point& p) {
        return exactly(zcdp_rho(Gaussian{.noise_multiplier = p["sigma"]}, adjacency(p)).value);
    };
    row.truth = [](const Point& p, long bits) {
        return gaussian_rdp(1.0, 1.0, exchange(p), p["sigma"], bits + 64);
    };
    return {row};
}

}  // namespace

std::vector<Check> rdp_epsilon_rows() {
    return joined({one_order_rows, composed_rows, gaussian_rows, guard_rows, concentrated_rows});
}

}  // namespace assay::verify
