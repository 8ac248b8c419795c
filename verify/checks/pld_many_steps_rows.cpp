#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/pld/composition_plan.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Many steps, where distributions are doubled before they are convolved.

namespace assay::verify {

namespace {

/// A step with this probability is a Gaussian step but for 2^-53 of its mass, and yet it passes
/// through the grids.

/// So little loss that no grid holds it: the upper side is a total variation distance.
Check variation_row() {
    Check row = library_row(
        "pld.nearly_unsampled.total_variation",
        "steps whose losses no grid holds: above the total variation of their "
        "antipodal pairs, in closed form",
        Relation::at_least,
        {{noise_dimension("sigma", 1e12, 1e15), count_dimension("T", 2, 1000, {2})}, {}}, 6, 100);
    row.oracle = "closed form: 2 Phi(sqrt(T)/sigma) - 1";
    row.evaluate = [](const Point& p) {
        const std::array<Phase, 1> phase{
            Phase{SampledGaussian{p["sigma"], largest_probability}, p.integer("T")}};
        Point at = p;
        at.set("eps", 0.0);
        return exactly(delta_of(phase, Adjacency::replace_one, at).upper.value);
    };
    row.truth = [](const Point& p, long bits) {
        const Interval half = sqrt(Interval(p["T"], bits + 128)) / p["sigma"];
        return (2.0 * normal_cdf(half) - 1.0) * (1.0 - 1e-12);
    };
    return row;
}

std::vector<Check> unsampled_rows() {
    const Space space{
        {noise_dimension("sigma", 3.0, 300.0),
         count_dimension("T", 2, 5000, {2, 3, 97, 1023, 2001, 4999}), epsilon_dimension(6.0)},
        [](const Point& p) {
            const double mu = std::sqrt(p["T"]) / p["sigma"];
            return mu >= 0.05 && mu <= 4.0 && p["eps"] <= 0.5 * mu * mu + 5.0 * mu;
        }};
    std::vector<Check> rows{variation_row()};
    for (const PayoffSide side : payoff_sides) {
        Check row = library_row(
            std::string("pld.nearly_unsampled.") + name_of(side),
            "steps with q = 1 - 2^-53 are Gaussian steps, but for T 2^-53 of their mass",
            Relation::overlaps, space, 12, 300);
        row.oracle = "closed form: mu = sqrt(T)/sigma";
        row.widest = 2e-3;
        row.evaluate = [side](const Point& p) {
            const std::array<Phase, 1> phase{
                Phase{SampledGaussian{p["sigma"], largest_probability}, p.integer("T")}};
            return side_of(delta_of(phase, Adjacency::add_remove, p), side);
        };
        row.truth = [](const Point& p, long bits) {
            // Q and P move by T 2^-53 in total variation at most; delta by K times that.
            const Interval k = exp(Interval(p["eps"], bits));
            const Interval slack = k * std::ldexp(p["T"], -52);
            return refined(bits,
                           [&](long b) {
                               const Interval e(p["eps"], b);
                               const Interval mu = sqrt(Interval(p["T"], b)) / p["sigma"];
                               return normal_cdf(mu / 2.0 - e / mu) -
                                      exp(e) * normal_cdf(-mu / 2.0 - e / mu);
                           }) +
                   hull(-slack, slack);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Second moments multiply: no step is lost or counted twice between doublings and blocks.
std::vector<Check> moment_rows() {
    const Space space{{noise_dimension("sigma", 0.5, 10.0), sampling_dimension(),
                       count_dimension("T", 2, 300, {49, 63, 97, 128, 255})},
                      {}};
    const auto log_square = [](const Point& p, Direction direction) {
        DominatingPair pair;
        pair.q = p["q"];
        pair.c = 1.0L / static_cast<real>(p["sigma"]);
        const RepeatedLossPair repeated{pair, p.integer("T")};
        CompositionPlan plan({&repeated, 1}, Adjacency::add_remove, 0.05);
        plan.neglect(1e-60);
        const double step = 0.02 * plan.scale() / std::sqrt(plan.factors());
        const LossBlocks blocks =
            plan.blocks(direction, {.spacing = 0.02, .step = short_step(std::min(step, 0.05))});
        return log_moment(blocks.parts(), 2.0);
    };
    std::vector<Check> rows;
    for (const bool upper : {false, true}) {
        Check row = library_row(
            fmt::format("pld.blocks.second_moment_{}", upper ? "upper" : "lower"),
            "log E W^2 of the blocks of T steps is on its side of T log E W^2, to 1e-9: what is "
            "cut off counts for less",
            upper ? Relation::at_least : Relation::at_most, space, 15, 400);
        row.oracle = "T log(1 + q^2 (e^{c^2} - 1)), c = 1/sigma";
        row.evaluate = [=](const Point& p) {
            const double side = upper ? 1.0 + 1e-9 : 1.0 - 1e-9;
            return exactly(side * log_square(p, upper ? Direction::upper : Direction::lower));
        };
        row.truth = [](const Point& p, long bits) {
            return p["T"] * log1p(square(Interval(p["q"], bits)) *
                                  expm1(square(1.0 / Interval(p["sigma"], bits))));
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Compositions whose losses no grid holds.
std::vector<Check> large_loss_rows() {
    const Space space{{noise_dimension("sigma", 1.0, 3.0),
                       count_dimension("T", 4e5, 4e6, {1000000}),
                       // Around what so many steps tell as the grids hold.
                       {"eps", Scale::linear, 3.1e4, 3.4e4, false, {3.2e4, 3.3e4}}},
                      [](const Point& p) {
                          const double mu = std::sqrt(p["T"]) / p["sigma"];
                          return mu >= 500.0 && mu <= 1400.0;
                      }};
    Check row = library_row("pld.large_losses.upper",
                            "where losses are too large for a grid, fewer steps give no upper side",
                            Relation::at_least, space, 4, 60);
    row.oracle = "closed form: mu = sqrt(T)/sigma, less T 2^-53";
    row.evaluate = [](const Point& p) {
        const std::array<Phase, 1> phase{
            Phase{SampledGaussian{p["sigma"], largest_probability}, p.integer("T")}};
        const double epsilon = p["eps"];
        return exactly(
            pld_delta(phase, Adjacency::add_remove, {&epsilon, 1}, {.relative_gap = 5e-3})
                .points.front()
                .upper.value);
    };
    row.truth = [](const Point& p, long bits) {
        return nonnegative(refined(bits, [&](long b) {
            return gaussian_delta(sqrt(Interval(p["T"], b)) / p["sigma"], p["eps"]) -
                   std::ldexp(p["T"], -53);
        }));
    };
    return {row};
}

Space phases_space() {
    return {{setting_dimension(2.0, 3.0), noise_dimension("sigma", 0.7, 10.0), sampling_dimension(),
             count_dimension("T", 1, 300, {1, 2, 97, 255}),
             count_dimension("T_2", 1, 300, {1, 3, 100}), epsilon_dimension(4.0)},
            [](const Point& p) {
                const double x = 1.0 / p["sigma"];
                const double steps = p["T"] + p["T_2"];
                const double deviation = p["q"] * std::sqrt(steps * std::expm1(x * x));
                return deviation >= 0.01 && deviation <= 4.0 && p["eps"] <= 3.0 * deviation;
            }};
}

Interval bracket(const std::vector<Phase>& phases, const Point& p) {
    const DeltaBracket found = delta_of(phases, setting_at(p).adjacency, p);
    return Interval::between(Interval(found.lower.value, 64), Interval(found.upper.value, 64));
}

std::vector<Check> split_rows() {
    Check row = library_row("pld.phases.split",
                            "T + T_2 steps are two phases of T and of T_2 steps, whose blocks are "
                            "others",
                            Relation::overlaps, phases_space(), 10, 200);
    row.oracle = "library: two phases";
    row.evaluate = [](const Point& p) {
        const Interval found =
            bracket({Phase{setting_at(p).mechanism, p.integer("T") + p.integer("T_2")}}, p);
        return Enclosure{found.lower_double(), found.upper_double()};
    };
    row.truth = [](const Point& p, long) {
        const Mechanism mechanism = setting_at(p).mechanism;
        return bracket({Phase{mechanism, p.integer("T")}, Phase{mechanism, p.integer("T_2")}}, p);
    };
    return {row};
}

}  // namespace

std::vector<Check> pld_many_steps_rows() {
    return joined({unsampled_rows, moment_rows, large_loss_rows, split_rows});
}

}  // namespace assay::verify
