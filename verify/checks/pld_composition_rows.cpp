#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_product.hpp"
#include "verify/rows.hpp"

// Privacy loss distributions of one and two steps, of two phases, and of many sampled steps.

namespace assay::verify {

namespace {

enum class Side { removal, addition };
constexpr Side sides[] = {Side::removal, Side::addition};

const char* name_of(Side side) {
    return side == Side::removal ? "removal" : "addition";
}

RatioLaw ratio(Side side, double q, double shift, double sigma) {
    const Interval c = Interval(shift, ratio_bits) / sigma;
    return side == Side::removal ? removal_ratio(q, c) : addition_ratio(q, c);
}

Interval strike(const Point& p) {
    return exp(Interval(p["eps"], ratio_bits));
}

/// E (U V - e^eps)_+ to 0.2 % at least.
Interval composed(const RatioLaw& u, const RatioLaw& v, const Point& p) {
    constexpr int nodes = 1000;
    constexpr double widest = 2e-3;
    const Interval found = product_call(u, v, strike(p), nodes);
    if (!(found.relative_width() < widest)) throw Error("too few nodes");
    return found;
}

/// The divergence of one law or of its square.
Interval repeated(const RatioLaw& law, const Point& p) {
    return p["T"] == 1.0 ? law.call(strike(p)) : composed(law, law, p);
}

DeltaBracket delta_of(std::span<const Phase> phases, Adjacency adjacency, const Point& p) {
    const double epsilon = p["eps"];
    return pld_delta(phases, adjacency, {&epsilon, 1}, {.relative_gap = 5e-4}).points.front();
}

Enclosure side_of(const DeltaBracket& delta, Side side) {
    return side == Side::removal ? Enclosure{delta.removal_lower, delta.removal_upper}
                                 : Enclosure{delta.addition_lower, delta.addition_upper};
}

/// Half of what T steps lose at most under an addition.
double half_the_largest_loss(double steps, double q) {
    return -0.5 * steps * std::log1p(-q);
}

/// Where delta is not far below 1e-9: up to the loss of one step at 5 standard deviations.
bool worth_asking(const Point& p, Side side, double steps, double q, double c) {
    const double far = 5.0 * c + 0.5 * c * c;
    if (side == Side::removal) return p["eps"] <= std::log1p(q * std::expm1(far));
    return p["eps"] <= std::min(half_the_largest_loss(steps, q), -std::log1p(q * std::expm1(-far)));
}

Dimension sampling() {
    return {"q", Law::logarithmic, 1e-3, 0.9, false, {0.01, 0.1, 0.5}};
}

Check composition_row(std::string id, const char* claim, Space space, int quick, int full) {
    Check row =
        library_row(std::move(id), claim, Relation::overlaps, std::move(space), quick, full);
    row.oracle = "chords of one step's divergence under the other, above and below";
    row.widest = 1e-2;
    return row;
}

// ---- fixed-size sampling -------------------------------------------------------------------

Space fixed_size_space(Side side, double steps) {
    return {{noise_dimension("sigma", 1.0, 20.0), sampling(),
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
        return repeated(symmetric_ratio(p["q"], Interval(2.0, ratio_bits) / p["sigma"]), p);
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
        return repeated(ratio(Side::removal, p["q"], 2.0, p["sigma"]), p);
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
        for (const Side side : sides) {
            Check row =
                composition_row(fmt::format("pld.fixed_size_add_remove.{}_{}", name_of(side), name),
                                "a step is the pair of birrell2024 Theorem 3.1, noise sigma/2",
                                fixed_size_space(side, steps), quick, full);
            row.evaluate = [side](const Point& p) {
                return side_of(fixed_size_delta(Adjacency::add_remove, p), side);
            };
            row.truth = [side](const Point& p, long) {
                return repeated(ratio(side, p["q"], 2.0, p["sigma"]), p);
            };
            rows.push_back(std::move(row));
        }
        for (Check& row :
             replace_one_rows(name, fixed_size_space(Side::removal, steps), quick, full))
            rows.push_back(std::move(row));
    }
    return rows;
}

// ---- two phases ----------------------------------------------------------------------------

/// q = 1 is a Gaussian step.
Phase step_of(double sigma, double q) {
    if (q == 1.0) return {Gaussian{.noise_multiplier = sigma}, 1};
    return {SampledGaussian{sigma, q}, 1};
}

Space phases_space(Side side) {
    return {{noise_dimension("sigma", 0.7, 10.0),
             {"q", Law::logarithmic, 0.05, 1.0, false, {1.0, 0.3}},
             noise_dimension("other_sigma", 0.5, 10.0),
             {"other_q", Law::logarithmic, 1e-2, 0.9, false, {0.01, 0.5}},
             epsilon_dimension(3.0)},
            [=](const Point& p) {
                return worth_asking(p, p["q"] == 1.0 ? Side::removal : side, 1.0, p["q"],
                                    1.0 / p["sigma"]);
            }};
}

std::vector<Check> phase_rows() {
    std::vector<Check> rows;
    for (const Side side : sides) {
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
            return composed(ratio(side, p["q"], 1.0, p["sigma"]),
                            ratio(side, p["other_q"], 1.0, p["other_sigma"]), p);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

// ---- many sampled steps ----------------------------------------------------------------------

constexpr long most_sampled_steps = 1'000'000;

/// Mean of [1 - e^{eps - L}]_+, L drawn: under P = ((1-q) N_0 + q N_c)^T for a removal, with the
/// ratio dP/dQ, under Q for an addition, with its inverse.
Interval sampled_delta(const Point& p, Side side, long bits) {
    const double q = p["q"];
    const double c = 1.0 / p["sigma"];
    const long T = p.integer("T");
    const long samples = most_sampled_steps / T;
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "sampled steps", 0);
    double sum = 0.0;
    double squares = 0.0;
    for (long i = 0; i < samples; ++i) {
        double loss = 0.0;
        for (long t = 0; t < T; ++t) {
            const bool shifted = side == Side::removal && draws.uniform() < q;
            const double z = draws.normal() + (shifted ? c : 0.0);
            loss += std::log1p(q * std::expm1(c * z - 0.5 * c * c));
        }
        const double gain = -std::expm1(p["eps"] - (side == Side::removal ? loss : -loss));
        sum += std::max(gain, 0.0);
        squares += std::max(gain, 0.0) * std::max(gain, 0.0);
    }
    const auto n = static_cast<double>(samples);
    const double mean = sum / n;
    const double error = std::sqrt((squares / n - mean * mean) / (n - 1.0));
    const Interval slack(6.0 * error, bits);
    return Interval(mean, bits) + hull(-slack, slack);
}

/// Where delta is above about 1e-2.
Space sampled_space(Side side) {
    return {{noise_dimension("sigma", 0.5, 5.0),
             sampling(),
             count_dimension("T", 3, 200, {3, 10, 100}),
             epsilon_dimension(4.0),
             {"seed", Law::logarithmic, 1, 1e9, true, {}}},
            [=](const Point& p) {
                const double x = 1.0 / p["sigma"];
                const double deviation = p["q"] * std::sqrt(p["T"] * std::expm1(x * x));
                if (side == Side::addition && p["eps"] > half_the_largest_loss(p["T"], p["q"]))
                    return false;
                return deviation >= 0.05 && deviation <= 4.0 && p["eps"] <= deviation;
            }};
}

std::vector<Check> sampled_rows() {
    std::vector<Check> rows;
    for (const Side side : sides) {
        Check row = library_row(fmt::format("pld.poisson_{}.meets_sampled_steps", name_of(side)),
                                "3 to 200 Poisson steps meet the mean of sampled losses, but for 6 "
                                "standard errors: chance exceeds them once in 5e8 times",
                                Relation::overlaps, sampled_space(side), 6, 100);
        row.oracle = "1,000,000 steps drawn one by one, the losses of T added";
        row.widest = 1e-2;
        row.evaluate = [side](const Point& p) {
            const std::array<Phase, 1> phase{
                Phase{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}};
            return side_of(delta_of(phase, Adjacency::add_remove, p), side);
        };
        row.truth = [side](const Point& p, long bits) { return sampled_delta(p, side, bits); };
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<Check> pld_composition_rows() {
    return joined({fixed_size_rows, phase_rows, sampled_rows});
}

}  // namespace assay::verify
