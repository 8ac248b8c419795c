#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/epochs/adaptive_sum.hpp"
#include "assay/epochs/geometric_sum.hpp"
#include "assay/epochs/log_distribution.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/arb_lognormal_sum.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Discretised distributions of sums of lognormals, one at a time: the payoffs (S - k)_+ and (k -
// S)_+ are no smaller on the side `above` and no larger on the side `below` than those of the sum
// itself, the rounding that the distribution reports counted.

namespace assay::verify {

namespace {

constexpr long distribution_precision = 96;

/// A distribution of S by atoms: positions y hold up to rounding.position (y + level).
struct Discrete {
    AtomicDistribution distribution;
    DistributionRounding rounding;
    double level = 0.0;
    double infinite = 0.0;  // moment at infinity
};

bool is_excess(const Point& p) {
    return p["excess"] == 1.0;
}

/// E (S - k)_+ or E (k - S)_+ with positions and masses moved by the rounding to one side. What
/// lies above the atoms lies above every threshold.
Interval payoff(const Discrete& s, double threshold, bool excess, bool upper) {
    const double shift = upper == excess ? s.rounding.position : -s.rounding.position;
    const Interval zero(0.0, distribution_precision);
    const auto moved = [&](double y, double mass) {
        return Interval(y, distribution_precision) +
               Interval(shift, distribution_precision) *
                   (Interval(y, distribution_precision) + s.level * mass);
    };
    Interval sum(excess ? s.infinite : 0.0, distribution_precision);
    for (std::size_t i = 0; i < s.distribution.positions.size(); ++i) {
        const Interval over = moved(s.distribution.positions[i], 1.0) - threshold;
        sum += Interval(s.distribution.masses[i], distribution_precision) *
               max(zero, excess ? over : -over);
    }
    if (excess)
        sum += moved(s.distribution.above.moment, s.distribution.above.mass) -
               Interval(s.distribution.above.mass, distribution_precision) * threshold;
    const double mass = s.rounding.mass;
    return sum * exp(Interval(upper ? mass : -mass, distribution_precision));
}

/// n e^y.
double threshold_at(const Point& p) {
    return p["n"] * std::exp(p["y"]);
}

// ---- the three grids -----------------------------------------------------------------------

GeometricSums geometric_sums(const Point& p, ConvexSide side) {
    return {side, p["step"], p["floor"], std::log(p["n"]) + std::max(p["y"], 0.0) + 0.5};
}

/// The distribution of n lognormals, two of them added as one distribution with itself or as two.
GeometricGridDistribution geometric_distribution(GeometricSums& sums, const Point& p) {
    const GeometricGridDistribution single = sums.lognormal(p["sigma"]);
    if (p["n"] == 1.0) return single;
    const GeometricGridDistribution other = single;
    return sums.sum(single, p["same"] == 1.0 ? single : other);
}

Discrete discrete(const GeometricSums& sums, const GeometricGridDistribution& distribution) {
    return {sums.atoms(distribution), distribution.rounding};
}

Discrete geometric(const Point& p, ConvexSide side) {
    GeometricSums sums = geometric_sums(p, side);
    return discrete(sums, sums.trimmed(geometric_distribution(sums, p), p["trim"], 1.0));
}

Discrete centred(const Point& p, ConvexSide side) {
    const auto grid = [&](double n) {
        return centred_grid(n, std::sqrt(n) / p["sigma"], p["step"], -0.1 * p["floor"] * n,
                            1.5 * std::max(n, threshold_at(p)));
    };
    const CentredDistribution single = centred_lognormal(p["sigma"], grid(1.0), side);
    if (p["n"] == 1.0) return {atoms(single), single.rounding, 1.0};
    const CentredDistribution other = single;
    const CentredDistribution both =
        centred_sum(single, p["same"] == 1.0 ? single : other, grid(2.0), side);
    return {atoms(both), both.rounding, 2.0};
}

/// S on cells that are uniform in the logarithm, as compositions of epochs take it.
Discrete logarithmic(const Point& p, ConvexSide side) {
    GeometricSums sums(side, 0.02, -9.0, std::log(p["n"]) + std::max(p["y"], 0.0) + 2.0);
    const GeometricGridDistribution single = sums.lognormal(p["sigma"]);
    GeometricGridDistribution nothing;
    nothing.low = {1.0, 0.0};
    const SumPayoffs sum(sums.atoms(p["n"] == 1.0 ? nothing : single), sums.atoms(single));
    const bool up = (side == ConvexSide::above) == is_excess(p);
    const double shift = single.rounding.position;
    const LogDistribution distribution = log_distribution_of_sum(
        sum, 1.0, {up ? shift : -shift, 0.0},
        {p["step"], p["floor"], std::log(p["n"]) + std::max(p["y"], 0.0),
         is_excess(p) ? LogGrid::Counts::moment : LogGrid::Counts::mass, 1e-12},
        side);
    Discrete found;
    found.rounding = {distribution.rounding.mass + 2.0 * single.rounding.mass,
                      distribution.rounding.position};
    found.infinite = distribution.infinite;
    const auto add = [&](double mass, double position) {
        if (!(mass > 0.0)) return;
        found.distribution.positions.push_back(position);
        found.distribution.masses.push_back(mass);
    };
    // Left ends of the cells and 0, or barycentres.
    const bool ends = side == ConvexSide::above;
    add(distribution.low.mass, ends ? 0.0 : distribution.low.moment / distribution.low.mass);
    for (std::size_t i = 0; i < distribution.mass.size(); ++i)
        add(distribution.mass[i],
            ends ? std::exp(p["step"] *
                            static_cast<double>(distribution.first + static_cast<std::int64_t>(i)))
                 : distribution.moment[i] / distribution.mass[i]);
    return found;
}

// ---- against the sum itself ----------------------------------------------------------------

Interval exact_payoff(const Point& p, long bits) {
    const double threshold = threshold_at(p);
    const Interval shortfall = arb::lognormal_shortfall(
        p.integer("n"), Interval(threshold, bits + 64), p["sigma"], bits + 16);
    return nonnegative(is_excess(p) ? shortfall + p["n"] - threshold : shortfall);
}

Space distributions_space() {
    return {{positive_dimension("sigma", 0.3, 5.0, {0.5, 1.0}),
             positive_dimension("step", 0.03, 0.25, {0.05, 0.25}),
             {"n", Scale::linear, 1, 2, true, {1, 2}},
             {"same", Scale::linear, 0, 1, true, {0, 1}},
             linear_dimension("y", -4.0, 2.0, {-3.0, -1.0, 0.0}),
             {"excess", Scale::linear, 0, 1, true, {0, 1}},
             linear_dimension("floor", -9.0, -1.0, {-9.0, -3.0, -1.0}),
             positive_dimension("trim", 1e-30, 1.0, {1e-30, 1e-3, 0.1})},
            {}};
}

struct Grid {
    const char* subject;
    const char* description;
    Discrete (*distribution)(const Point&, ConvexSide);
};

constexpr Grid grids[] = {
    {"geometric_sum", "the geometric grid, its lowest cells merged", geometric},
    {"centred_sum", "the grid around the mean", centred},
    {"log_law", "cells of the logarithm", logarithmic}};

Check order_row(const Grid& grid, ConvexSide side) {
    const bool above = side == ConvexSide::above;
    Check row = library_row(
        fmt::format("{}.{}", grid.subject, above ? "above_dominates" : "below_is_dominated"),
        fmt::format("on {} the distribution `{}` has payoffs no {} than the sum of lognormals "
                    "(docs/proofs.md, convex order of sums)",
                    grid.description, above ? "above" : "below", above ? "smaller" : "larger"),
        above ? Relation::at_least : Relation::at_most, distributions_space(), 40, 600);
    row.oracle = "arb: E (k - S)_+ of one or two lognormals";
    row.evaluate = [=](const Point& p) {
        return enclosure_of(
            payoff(grid.distribution(p, side), threshold_at(p), is_excess(p), above));
    };
    row.truth = exact_payoff;
    return row;
}

// ---- merging the lowest cells --------------------------------------------------------------

/// Before or after merging; the rounding of the merge alone is counted, after it.
Side merged(ConvexSide side, bool after) {
    return [=](const Point& p) {
        GeometricSums sums = geometric_sums(p, side);
        const GeometricGridDistribution distribution = geometric_distribution(sums, p);
        Discrete found = discrete(sums, distribution);
        found.rounding = {};
        if (after) {
            const GeometricGridDistribution trimmed = sums.trimmed(distribution, p["trim"], 1.0);
            found = discrete(sums, trimmed);
            found.rounding.mass -= distribution.rounding.mass;
            found.rounding.position -= distribution.rounding.position;
        }
        return payoff(found, threshold_at(p), is_excess(p), side == ConvexSide::above);
    };
}

std::vector<Check> merge_rows() {
    return {
        at_most_law("law.geometric_sum.merged_above_dominates",
                    "merging the lowest cells of a distribution `above` makes no payoff smaller",
                    distributions_space(), 40, 600, merged(ConvexSide::above, false),
                    merged(ConvexSide::above, true)),
        at_most_law("law.geometric_sum.merged_below_is_dominated",
                    "merging the lowest cells of a distribution `below` makes no payoff larger",
                    distributions_space(), 40, 600, merged(ConvexSide::below, true),
                    merged(ConvexSide::below, false))};
}

}  // namespace

std::vector<Check> convex_sum_rows() {
    std::vector<Check> rows;
    for (const Grid& grid : grids)
        for (const ConvexSide side : {ConvexSide::above, ConvexSide::below})
            rows.push_back(order_row(grid, side));
    for (Check& row : merge_rows()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
