#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/epochs/lognormal_cells.hpp"
#include "assay/epochs/sum_payoffs.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// What sums of lognormals are made of: the cells of one of them, against normal distribution
// functions, and the payoffs of a sum of two distributions of atoms, against the sum over all
// pairs.

namespace assay::verify {

namespace {

// ---- cells ---------------------------------------------------------------------------------

/// Scores of the cell's ends, z = s log y + 1/(2s).
Interval score(const Point& p, double log_position, long bits) {
    return Interval(log_position, bits) * p["sigma"] + 0.5 / Interval(p["sigma"], bits);
}

double right_end(const Point& p) {
    return p["left"] + p["width"];
}

/// Between two positions: mass, E[Y / left - 1]; below the right one and above the left one: mass
/// and moment.
enum class Part { mass, excess, mass_below, moment_below, mass_above, moment_above };

Part part_at(const Point& p) {
    return static_cast<Part>(p.integer("part"));
}

double found_part(const Point& p) {
    const LognormalCells cells(p["sigma"]);
    switch (part_at(p)) {
        case Part::mass: return cells.between(p["left"], right_end(p)).mass;
        case Part::excess: return cells.between(p["left"], right_end(p)).excess;
        case Part::mass_below: return cells.below(right_end(p)).mass;
        case Part::moment_below: return cells.below(right_end(p)).moment;
        case Part::mass_above: return cells.above(p["left"]).mass;
        default: return cells.above(p["left"]).moment;
    }
}

Interval exact_part(const Point& p, long bits) {
    const Interval left = score(p, p["left"], bits);
    const Interval right = score(p, right_end(p), bits);
    const Interval slope = 1.0 / Interval(p["sigma"], bits);
    switch (part_at(p)) {
        case Part::mass: return normal_cdf(right) - normal_cdf(left);
        case Part::excess:
            return (normal_cdf(right - slope) - normal_cdf(left - slope)) *
                       exp(-Interval(p["left"], bits)) -
                   (normal_cdf(right) - normal_cdf(left));
        case Part::mass_below: return normal_cdf(right);
        case Part::moment_below: return normal_cdf(right - slope);
        case Part::mass_above: return normal_cdf(-left);
        default: return normal_cdf(slope - left);
    }
}

Check cells_row() {
    const Space space{{noise_dimension("sigma", 0.01, 1000.0),
                       linear_dimension("z", -30.0, 30.0, {-30.0, 0.0, 30.0}),
                       positive_dimension("width", 1e-4, 0.25, {1e-4, 0.25}),
                       {"part", Scale::linear, 0, 5, true, {0, 1, 2, 3, 4, 5}},
                       linear_dimension("left", -60.0, 60.0, {0.0})},
                      // Both ends, and the scores under the other mean, within +-36.
                      [](const Point& p) {
                          const double s = p["sigma"];
                          const double left = s * p["left"] + 0.5 / s;
                          const double right = s * right_end(p) + 0.5 / s;
                          return std::abs(left) < 36.0 && std::abs(right) < 36.0 &&
                                 std::abs(left - 1.0 / s) < 36.0 &&
                                 std::abs(right - 1.0 / s) < 36.0;
                      }};
    Check row = library_row("lognormal_cells.encloses_formula",
                            "masses and moments of cells of a lognormal, within the relative error "
                            "that they are given (docs/error_bounds.md)",
                            Relation::encloses, space, 60, 1500);
    row.oracle = "normal distribution functions";
    row.evaluate = [](const Point& p) {
        const LognormalCells cells(p["sigma"]);
        const double far =
            std::max(std::abs(cells.score(p["left"])), std::abs(cells.score(right_end(p))));
        const double value = found_part(p);
        const double error = cells.rounding(far + 1.0 / p["sigma"]) + 0x1p-52;
        return Enclosure{value * (1.0 - error), value * (1.0 + error)};
    };
    row.truth = [](const Point& p, long bits) {
        return refined(bits, [&](long working) { return exact_part(p, working); });
    };
    return row;
}

// ---- payoffs -------------------------------------------------------------------------------

constexpr double top_position = 40.0;

/// Atoms at small integers, so that thresholds meet them, or between.
AtomicDistribution drawn_distribution(const Point& p, std::uint64_t which) {
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "atoms", which);
    AtomicDistribution distribution;
    double position = 0.0;
    for (long i = 0; i < p.integer("atoms"); ++i) {
        distribution.positions.push_back(position);
        distribution.masses.push_back(draws.uniform());
        position += p["whole"] == 1.0 ? 1.0 + static_cast<double>(draws.below(3)) : draws.uniform();
    }
    if (p["above"] == 1.0) {
        distribution.above.mass = draws.uniform();
        distribution.above.moment =
            distribution.above.mass * top_position * (3.0 + draws.uniform());
    }
    return distribution;
}

Interval pair_payoff(const AtomicDistribution& a, const AtomicDistribution& b,
                     const Interval& threshold, bool excess) {
    const long bits = threshold.bits();
    Interval sum(0.0, bits);
    Interval mass(0.0, bits);
    Interval moment(0.0, bits);
    const auto add_product = [&](const MassMoment& x, const MassMoment& y) {
        mass += Interval(x.mass, bits) * y.mass;
        moment += Interval(x.mass, bits) * y.moment + Interval(x.moment, bits) * y.mass;
    };
    for (std::size_t i = 0; i < a.positions.size(); ++i)
        for (std::size_t j = 0; j < b.positions.size(); ++j) {
            const Interval over = Interval(a.positions[i], bits) + b.positions[j] - threshold;
            sum += Interval(a.masses[i], bits) * b.masses[j] * nonnegative(excess ? over : -over);
        }
    if (!excess) return sum;
    for (std::size_t i = 0; i < a.positions.size(); ++i)
        add_product({a.masses[i], a.masses[i] * a.positions[i]}, b.above);
    for (std::size_t j = 0; j < b.positions.size(); ++j)
        add_product(a.above, {b.masses[j], b.masses[j] * b.positions[j]});
    add_product(a.above, b.above);
    return sum + moment - threshold * mass;
}

Check payoffs_row() {
    const Space space{{count_dimension("atoms", 1, 40, {1, 2, 40}),
                       {"whole", Scale::linear, 0, 1, true, {0, 1}},
                       {"above", Scale::linear, 0, 1, true, {0, 1}},
                       {"excess", Scale::linear, 0, 1, true, {0, 1}},
                       {"threshold", Scale::linear, 0, 40, true, {0, 1, 7}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      {}};
    Check row =
        library_row("sum_payoffs.encloses_all_pairs",
                    "payoffs of a sum of two distributions of atoms are those of all pairs, within "
                    "4 (atoms + 8) roundings and a threshold that moves by as much",
                    Relation::encloses, space, 60, 1500);
    row.oracle = "sum over all pairs";
    row.evaluate = [](const Point& p) {
        const SumPayoffs sum(drawn_distribution(p, 0), drawn_distribution(p, 1));
        const double value =
            p["excess"] == 1.0 ? sum.excess(p["threshold"]) : sum.shortfall(p["threshold"]);
        const double error = 4.0 * (p["atoms"] + 8.0) * 0x1p-53;
        // Slopes are at most the mass of all pairs.
        const double moved = 0x1p-50 * p["threshold"] * std::pow(p["atoms"] + 1.0, 2.0);
        return Enclosure{value * (1.0 - error) - moved, value * (1.0 + error) + moved};
    };
    row.truth = [](const Point& p, long bits) {
        return pair_payoff(drawn_distribution(p, 0), drawn_distribution(p, 1),
                           Interval(p["threshold"], bits + 64), p["excess"] == 1.0);
    };
    return row;
}

}  // namespace

std::vector<Check> lognormal_rows() {
    return {cells_row(), payoffs_row()};
}

}  // namespace assay::verify
