#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "assay/pld/discretise.hpp"
#include "assay/pld/geometric_loss_distribution.hpp"
#include "assay/pld/hockey_stick.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// The grids that one step's ratio is put on, and what a doubling makes of it.

namespace assay::verify {

namespace {

using Shape = DominatingPair::Shape;

DominatingPair pair_at(const Point& p) {
    constexpr std::array shapes{Shape::removal, Shape::antipodal, Shape::symmetric};
    DominatingPair pair;
    pair.shape = shapes[static_cast<std::size_t>(p.integer("shape"))];
    pair.q = p["q"];
    pair.c = 1.0L / static_cast<real>(p["sigma"]);
    return pair;
}

Dimension shape_dimension() {
    return {"shape", Scale::linear, 0, 2, true, {0, 1, 2}};
}
Dimension any_probability() {
    return probability_dimension(1e-9, 1.0 - 1e-12);
}

Interval shift_at(const Point& p, long bits) {
    return Interval(1.0, bits) / p["sigma"];
}

// ---- masses of intervals ---------------------------------------------------------------------

/// The quantile of W = e^loss, with what rounding may move it by.
Interval quantile_at(const Point& p, double loss, long bits) {
    const double blur = std::ldexp(1.0, -60);
    const auto blurred = [&](const Interval& x, double size) {
        const Interval slack(blur * size, bits);
        return x + hull(-slack, slack);
    };
    const Interval c = shift_at(p, bits);
    const Interval k = exp(blurred(Interval(loss, bits), std::fabs(loss)));
    const Interval q(p["q"], bits);
    const Interval rest = 1.0 - q;
    const Interval z = [&] {
        if (p["shape"] != 1.0) return log(nonnegative(k - rest) / q) / c + c / 2.0;
        const Interval s = q * exp(-square(c) / 2.0);
        const Interval h = rest * (k - 1.0) / 2.0;
        const Interval root = sqrt(square(h) + k * square(s));
        // The positive root of s y^2 - 2 h y - k s = 0, on the side where nothing cancels.
        return loss >= 0.0 ? log((h + root) / s) / c : log(k * s / (root - h)) / c;
    }();
    if (!z.is_finite()) return z;
    return blurred(
        z, std::max(std::fabs(z.upper_double()), std::fabs(z.lower_double())) + c.upper_double());
}

/// P(a < Z < b), by the tails on one side.
Interval normal_between(const Interval& a, const Interval& b) {
    const Interval mass =
        a.is_nonnegative() ? normal_cdf(-a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
    return nonnegative(mass);
}

/// The loss at a normal quantile: where a cell begins, whatever its rounding.
double loss_at(const Point& p, double z) {
    const DominatingPair pair = pair_at(p);
    const auto log_mixture = [&](real x) { return std::log1p(pair.q * std::expm1(x)); };
    const real x = pair.c * z;
    const real half = 0.5L * pair.c * pair.c;
    const real loss = log_mixture(x - half);
    return static_cast<double>(pair.shape == Shape::antipodal ? loss - log_mixture(-x - half)
                                                              : loss);
}

/// The cell begins and ends at these losses; a symmetric pair's lies above ratio 1, or is mirrored.
std::array<double, 2> cell_at(const Point& p) {
    const double from = p["z"] + (p["beyond"] == 1.0 ? 1.0 / p["sigma"] : 0.0);
    return {loss_at(p, from), loss_at(p, from + p["width"])};
}

bool is_cell(const Point& p) {
    const auto [from, to] = cell_at(p);
    if (!(from < to) || !(std::fabs(from) <= 650.0) || !(std::fabs(to) <= 650.0)) return false;
    return p["shape"] != 2.0 || from >= 0.0;
}

Enclosure library_mass(const Point& p) {
    const auto [from, to] = cell_at(p);
    const bool mirrored = p["shape"] == 2.0 && p["mirrored"] == 1.0;
    const std::array<real, 2> boundaries{mirrored ? -to : from, mirrored ? -from : to};
    const PairMass mass = interval_masses(pair_at(p), boundaries).front();
    const bool under_p = (p["under_p"] == 1.0) != mirrored;
    const real value = under_p ? mass.under_p : mass.under_q;
    const real error = value * static_cast<real>(pair_mass_error);
    return {round_down(value - error), round_up(value + error)};
}

Interval exact_mass(const Point& p, long asked) {
    const long bits = asked + 192;
    const auto [from, to] = cell_at(p);
    const Interval a = quantile_at(p, from, bits);
    const Interval b = quantile_at(p, to, bits);
    if (!a.is_finite() || !b.is_finite()) return hull(Interval(0.0, bits), Interval(1.0, bits));
    const Interval c = shift_at(p, bits);
    const Interval q(p["q"], bits);
    const Interval middle = (1.0 - q) * normal_between(a, b);
    if (p["under_p"] == 1.0) return middle + q * normal_between(a - c, b - c);
    return p["shape"] == 1.0 ? middle + q * normal_between(a + c, b + c) : normal_between(a, b);
}

Check interval_mass_row() {
    Check row = library_row("pld.interval_masses.within_stated_error",
                            "masses of intervals of the loss are within 2^-46, but for what "
                            "rounding moves the ends (docs/error_bounds.md, privacy loss)",
                            Relation::overlaps,
                            {{shape_dimension(),
                              noise_dimension("sigma", 0.02, 1e4),
                              any_probability(),
                              linear_dimension("z", -40.0, 40.0, {-8.0, -1.0, 0.0, 1.0, 8.0, 40.0}),
                              positive_dimension("width", 1e-6, 20.0, {1e-3, 0.01, 0.024, 1.0}),
                              {"beyond", Scale::linear, 0, 1, true, {0, 1}},
                              {"mirrored", Scale::linear, 0, 1, true, {0, 1}},
                              {"under_p", Scale::linear, 0, 1, true, {0, 1}}},
                             is_cell},
                            400, 20000);
    row.oracle = "differences of normal probabilities";
    row.evaluate = library_mass;
    row.truth = exact_mass;
    return row;
}

// ---- grids -----------------------------------------------------------------------------------

Space grid_space(std::vector<Dimension> more) {
    Space space{{shape_dimension(), noise_dimension("sigma", 0.1, 50.0), any_probability(),
                 positive_dimension("step", 0.01, 0.5, {0.05, 0.5})},
                {}};
    for (Dimension& dimension : more) space.dimensions.push_back(std::move(dimension));
    return space;
}

/// doublings = -1: straight on the uniform grid; else by way of the geometric one.
PrivacyLossPmf distribution_at(const Point& p, Direction direction) {
    const DominatingPair pair = pair_at(p);
    const LossGrid grid{.step = short_step(p["step"]), .negligible = p["negligible"]};
    const long doublings = p.integer("doublings");
    if (doublings < 0) return discretise(pair, Adjacency::add_remove, direction, grid);
    const double scale = static_cast<double>(loss_range(pair, 1.0L).highest);
    const double top = std::clamp(20.0 * scale, 1e-6, 400.0);
    GeometricLossDistribution distribution(pair, geometric_grid(1e-3 * top, top, 0.2), direction);
    for (long i = 0; i < doublings; ++i)
        distribution = distribution.doubled(static_cast<int>(2 * i));
    return discretise(distribution.atoms(), Adjacency::add_remove, grid);
}

/// Sums of masses under Q and under P, with what is at infinity or at ratio 0.
struct Totals {
    long double q = 0.0L;
    long double p = 0.0L;
};

Totals totals_of(const PrivacyLossPmf& pmf) {
    Totals sum{pmf.null_mass, pmf.infinity_mass};
    for (std::size_t i = 0; i < pmf.masses.size(); ++i) {
        sum.q += static_cast<long double>(pmf.masses[i]);
        sum.p += static_cast<long double>(pmf.masses[i]) *
                 std::exp(static_cast<long double>(pmf.offset) +
                          static_cast<long double>(pmf.step) *
                              static_cast<long double>(pmf.first + static_cast<std::int64_t>(i)));
    }
    return sum;
}

std::vector<Check> mass_rows() {
    const Space space =
        grid_space({positive_dimension("negligible", 1e-20, 0.1, {1e-20, 1e-9, 1e-3}),
                    {"doublings", Scale::linear, -1, 3, true, {-1, 0, 1, 3}}});
    constexpr const char* oracle = "probabilities add up to 1, under P and under Q";
    Check upper =
        library_row("pld.discretise.keeps_mass",
                    "upper distributions with their masses at infinity and at ratio 0 lack "
                    "nothing of P or Q: E (W - 0)_+ and E (1 - 0 W)_+ are 1",
                    Relation::at_least, space, 60, 2000);
    upper.oracle = oracle;
    upper.evaluate = [](const Point& p) {
        const PrivacyLossPmf pmf = distribution_at(p, Direction::upper);
        const Totals sum = totals_of(pmf);
        const long double least =
            std::min(sum.q * std::exp(static_cast<long double>(pmf.mass_error)),
                     sum.p * std::exp(static_cast<long double>(pmf.mass_error + pmf.loss_error)));
        return exactly(round_up(least));
    };
    Check lower =
        library_row("pld.discretise.adds_no_mass", "lower distributions have no more than P or Q",
                    Relation::at_most, space, 60, 2000);
    lower.oracle = oracle;
    lower.evaluate = [](const Point& p) {
        const PrivacyLossPmf pmf = distribution_at(p, Direction::lower);
        const Totals sum = totals_of(pmf);
        const long double most =
            std::max(sum.q * std::exp(-static_cast<long double>(pmf.mass_error)),
                     sum.p * std::exp(-static_cast<long double>(pmf.mass_error + pmf.loss_error)));
        return exactly(round_down(most));
    };
    upper.truth = lower.truth = [](const Point&, long bits) { return Interval(1.0, bits); };
    return {upper, lower};
}

RatioDistribution distribution_of_pair(PayoffSide side, const Point& p, long bits) {
    const Interval c = shift_at(p, bits);
    if (p["shape"] == 1.0) return antipodal_ratio(p["q"], c);
    if (p["shape"] == 2.0) return symmetric_ratio(p["q"], c);
    return side == PayoffSide::removal ? removal_ratio(p["q"], c) : addition_ratio(p["q"], c);
}

std::vector<Check> payoff_rows() {
    std::vector<Check> rows;
    for (const PayoffSide side : payoff_sides) {
        Check row =
            library_row(fmt::format("pld.discretise.{}_of_one_step", name_of(side)),
                        "one step's divergence lies between those of its two distributions on a "
                        "grid, at every eps",
                        Relation::encloses,
                        grid_space({linear_dimension("eps", -3.0, 6.0, {-1.0, 0.0, 0.5, 2.0}),
                                    positive_dimension("negligible", 1e-20, 1e-3, {1e-20, 1e-9}),
                                    {"doublings", Scale::linear, -1, 0, true, {-1, 0}}}),
                        60, 2000);
        row.oracle = "normal probabilities";
        row.evaluate = [side](const Point& p) {
            const HockeyStick lower(distribution_at(p, Direction::lower));
            const HockeyStick upper(distribution_at(p, Direction::upper));
            return side == PayoffSide::removal
                       ? Enclosure{lower.removal(p["eps"]), upper.removal(p["eps"])}
                       : Enclosure{lower.addition(p["eps"]), upper.addition(p["eps"])};
        };
        row.truth = [side](const Point& p, long bits) {
            return min(
                nonnegative(refined(
                    bits,
                    [&](long b) {
                        return distribution_of_pair(side, p, b).excess(exp(Interval(p["eps"], b)));
                    })),
                Interval(1.0, bits));
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

// ---- doubling --------------------------------------------------------------------------------

/// A few deviations of one step's loss.
double typical_loss(const Point& p) {
    return static_cast<double>(loss_range(pair_at(p), 1.0L).highest);
}

GeometricLossDistribution coarse_distribution(const Point& p, Direction direction) {
    const double top = p["top"] * typical_loss(p);
    return {pair_at(p), geometric_grid(p["floor"] * top, top, p["spacing"]), direction};
}

/// sum (p - K q)_+ or sum (q - K p)_+ over atoms (q_i, p_i).
Interval payoff(PayoffSide side, const Interval& q, const Interval& p, const Interval& k) {
    return nonnegative(side == PayoffSide::removal ? p - k * q : q - k * p);
}

constexpr long doubling_bits = 128;

Interval exact_number(double x) {
    return {x, doubling_bits};
}

/// Of the product of two copies of these atoms, exactly.
Interval product_payoff(const RatioAtoms& atoms, PayoffSide side, const Interval& k) {
    const std::size_t n = atoms.under_q.size();
    Interval sum = exact_number(0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
            const Interval one = payoff(side, exact_number(atoms.under_q[i]) * atoms.under_q[j],
                                        exact_number(atoms.under_p[i]) * atoms.under_p[j], k);
            sum += i == j ? one : one * 2.0;
        }
    if (atoms.direction == Direction::lower) return sum;
    // Either factor at infinity (removal) or at ratio 0 (addition) while the other is anywhere.
    const bool removal = side == PayoffSide::removal;
    Interval finite = exact_number(0.0);
    for (const double mass : removal ? atoms.under_p : atoms.under_q) finite += exact_number(mass);
    return sum + (1.0 + finite) * (removal ? atoms.infinity_mass : atoms.null_mass);
}

/// What the doubled distribution says, with the errors that the doubling alone has added.
Interval doubled_payoff(const RatioAtoms& before, const RatioAtoms& after, PayoffSide side,
                        const Interval& k) {
    const bool upper = after.direction == Direction::upper;
    const bool removal = side == PayoffSide::removal;
    const double sign = upper ? 1.0 : -1.0;
    const Interval a =
        (exact_number(after.mass_error) - 2.0 * exact_number(before.mass_error)) * sign;
    const Interval s =
        (exact_number(after.loss_error) - 2.0 * exact_number(before.loss_error)) * sign;
    const Interval moved = k * exp(-s);
    Interval sum = exact_number(0.0);
    for (std::size_t i = 0; i < after.under_q.size(); ++i)
        sum += payoff(side, exact_number(after.under_q[i]), exact_number(after.under_p[i]), moved);
    if (upper) sum += exact_number(removal ? after.infinity_mass : after.null_mass);
    return sum * exp(removal ? a + s : a);
}

std::vector<Check> doubling_rows() {
    const Space space{{shape_dimension(),
                       noise_dimension("sigma", 0.3, 20.0),
                       linear_dimension("q", 0.01, 0.99, {0.1, 0.5}),
                       positive_dimension("spacing", 0.15, 0.7, {0.2, 0.5}),
                       positive_dimension("top", 0.3, 20.0, {1.0, 10.0}),
                       positive_dimension("floor", 1e-3, 0.1, {0.01}),
                       {"kept", Scale::linear, 0, 6, true, {0, 3}},
                       linear_dimension("place", -3.0, 3.0, {0.0})},
                      {}};
    std::vector<Check> rows;
    for (const Direction direction : {Direction::upper, Direction::lower})
        for (const PayoffSide side : payoff_sides) {
            const bool upper = direction == Direction::upper;
            Check row =
                library_row(fmt::format("pld.geometric_law.doubled_{}_{}",
                                        upper ? "upper" : "lower", name_of(side)),
                            upper ? "a doubled distribution is above the product of two copies in "
                                    "convex order (R.2)"
                                  : "a doubled distribution is below the product of two copies in "
                                    "convex order (R.2)",
                            upper ? Relation::at_least : Relation::at_most, space, 50, 1500);
            row.oracle = "all pairs of atoms, in intervals";
            // Thresholds over the losses that a product is likely to have.
            const auto threshold_at = [side](const Point& p) {
                const double loss = p["place"] * typical_loss(p);
                return exp(exact_number(side == PayoffSide::removal ? loss : -loss));
            };
            row.evaluate = [=](const Point& p) {
                const GeometricLossDistribution distribution = coarse_distribution(p, direction);
                const Interval found = doubled_payoff(
                    distribution.atoms(), distribution.doubled(static_cast<int>(p["kept"])).atoms(),
                    side, threshold_at(p));
                return upper ? exactly(found.upper_double()) : exactly(found.lower_double());
            };
            row.truth = [=](const Point& p, long) {
                return product_payoff(coarse_distribution(p, direction).atoms(), side,
                                      threshold_at(p));
            };
            rows.push_back(std::move(row));
        }
    return rows;
}

}  // namespace

std::vector<Check> pld_grid_rows() {
    std::vector<Check> rows{interval_mass_row()};
    for (std::vector<Check>& list : std::array{mass_rows(), payoff_rows(), doubling_rows()})
        for (Check& row : list) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
