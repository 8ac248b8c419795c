#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "verify/checks/pld_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Privacy loss distributions of one and two steps and of two phases.

namespace assay::verify {

namespace {

/// Where delta is not far below 1e-9: up to the loss of one step at 5 standard deviations.
bool worth_asking(const Point& p, PayoffSide side, double steps, double q, double c) {
    const double far = 5.0 * c + 0.5 * c * c;
    if (side == PayoffSide::removal) return p["eps"] <= std::log1p(q * std::expm1(far));
    return p["eps"] <= std::min(half_the_largest_loss(steps, q), -std::log1p(q * std::expm1(-far)));
}

// ---- fixed-size sampling -------------------------------------------------------------------

Space fixed_size_space(PayoffSide side, double steps) {
    return {{noise_dimension("sigma", 1.0, 20.0), sampling_dimension(),
             count_dimension("T", steps, steps, {}), epsilon_dimension(3.0)},
            [=](const Point& p) { return worth_asking(p, side, steps, p["q"], 2.0 / p["sigma"]); }};
}

DeltaBracket fixed_size_delta(Adjacency adjacency, const Point& p) {
    const std::array<Phase, 1> phase{Phase{FixedSizeGaussian{p["sigma"], p["q"]}, p.integer("T")}};
    return delta_of(phase, adjacency, p);
}

/// Under replace-one either side is held to a truth of its own, from which it may differ by 1 %:
/// the upper one to the symmetric pair, the lower one to the pair of two explicit data sets.
constexpr double room = 0.01;

std::vector<Check> replace_one_rows(const char* steps, const Space& space, int quick, int full) {
    const auto id = [&](const char* side) {
        return fmt::format("pld.fixed_size_replace_one.{}_{}", side, steps);
    };
    Check upper = composition_row(id("upper"),
                                  "the upper side is that of the symmetric pair, above it and "
                                  "within 1 %",
                                  space, quick, full);
    upper.evaluate = [](const Point& p) {
        const double found = fixed_size_delta(Adjacency::replace_one, p).upper.value;
        return Enclosure{found / (1.0 + room), found};
    };
    upper.truth = [](const Point& p, long) {
        return repeated_excess(symmetric_ratio(p["q"], Interval(2.0, ratio_bits) / p["sigma"]), p);
    };
    upper.widest = 2.0 * room;
    Check lower = composition_row(id("lower"),
                                  "the lower side is that of two explicit data sets, below it and "
                                  "within 1 %",
                                  space, quick, full);
    lower.evaluate = [](const Point& p) {
        const double found = fixed_size_delta(Adjacency::replace_one, p).removal_lower;
        return Enclosure{found, found * (1.0 + room)};
    };
    lower.truth = [](const Point& p, long) {
        return repeated_excess(ratio_of(PayoffSide::removal, p["q"], 2.0, p["sigma"]), p);
    };
    lower.widest = 2.0 * room;
    return {upper, lower};
}

std::vector<Check> fixed_size_rows() {
    std::vector<Check> rows;
    for (const int steps : {1, 2}) {
        const char* name = steps == 1 ? "one_step" : "two_steps";
        const int quick = steps == 1 ? 15 : 4;
        const int full = 15 * quick;
        for (const PayoffSide side : payoff_sides) {
            Check row =
                composition_row(fmt::format("pld.fixed_size_add_remove.{}_{}", name_of(side), name),
                                "a step is the pair of birrell2024 Theorem 3.1, noise sigma/2",
                                fixed_size_space(side, steps), quick, full);
            // The accountant closes the larger side; addition is up to 100 times below it here.
            if (side == PayoffSide::addition) row.widest = 2.0 * row.widest;
            row.evaluate = [side](const Point& p) {
                return side_of(fixed_size_delta(Adjacency::add_remove, p), side);
            };
            row.truth = [side](const Point& p, long) {
                return repeated_excess(ratio_of(side, p["q"], 2.0, p["sigma"]), p);
            };
            rows.push_back(std::move(row));
        }
        for (Check& row :
             replace_one_rows(name, fixed_size_space(PayoffSide::removal, steps), quick, full))
            rows.push_back(std::move(row));
    }
    return rows;
}

// ---- Poisson sampling under replace-one ------------------------------------------------------

std::vector<Check> antipodal_rows() {
    const Space space{{noise_dimension("sigma", 1.0, 20.0), sampling_dimension(),
                       count_dimension("T", 2, 2, {}), epsilon_dimension(3.0)},
                      [](const Point& p) {
                          return worth_asking(p, PayoffSide::removal, 1, p["q"], 1.0 / p["sigma"]);
                      }};
    Check row =
        composition_row("pld.poisson_replace_one.two_steps",
                        "two steps of the antipodal pair (docs/proofs.md, R.5 (b))", space, 4, 60);
    row.evaluate = [](const Point& p) {
        const std::array<Phase, 1> phase{
            Phase{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}};
        return side_of(delta_of(phase, Adjacency::replace_one, p), PayoffSide::removal);
    };
    row.truth = [](const Point& p, long) {
        return repeated_excess(antipodal_ratio(p["q"], Interval(1.0, ratio_bits) / p["sigma"]), p);
    };
    return {row};
}

// ---- two phases ----------------------------------------------------------------------------

/// q = 1 is a Gaussian step.
Phase step_of(double sigma, double q) {
    if (q == 1.0) return {Gaussian{.noise_multiplier = sigma}, 1};
    return {SampledGaussian{sigma, q}, 1};
}

Space phases_space(PayoffSide side) {
    return {{noise_dimension("sigma", 0.7, 10.0),
             {"q", Scale::logarithmic, 0.05, 1.0, false, {1.0, 0.3}},
             noise_dimension("other_sigma", 0.5, 10.0),
             {"other_q", Scale::logarithmic, 1e-2, 0.9, false, {0.01, 0.5}},
             epsilon_dimension(3.0)},
            [=](const Point& p) {
                return worth_asking(p, p["q"] == 1.0 ? PayoffSide::removal : side, 1.0, p["q"],
                                    1.0 / p["sigma"]);
            }};
}

std::vector<Check> phase_rows() {
    std::vector<Check> rows;
    for (const PayoffSide side : payoff_sides) {
        Check row = composition_row(
            fmt::format("pld.two_phases.{}", name_of(side)),
            "a Gaussian or Poisson step and another Poisson step contain the exact divergence",
            phases_space(side), 6, 100);
        row.evaluate = [side](const Point& p) {
            const std::array<Phase, 2> phases{step_of(p["sigma"], p["q"]),
                                              step_of(p["other_sigma"], p["other_q"])};
            return side_of(delta_of(phases, Adjacency::add_remove, p), side);
        };
        row.truth = [side](const Point& p, long) {
            return composed_excess(ratio_of(side, p["q"], 1.0, p["sigma"]),
                                   ratio_of(side, p["other_q"], 1.0, p["other_sigma"]), p);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<Check> pld_composition_rows() {
    return joined({fixed_size_rows, antipodal_rows, phase_rows});
}

}  // namespace assay::verify
