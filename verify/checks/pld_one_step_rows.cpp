#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assay/pld/dominating_losses.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// One step of every pair in closed form, over the widest ranges that are admitted.

namespace assay::verify {

namespace {

Space extreme_space(bool sampled) {
    Space space{
        {{"sigma",
          Scale::logarithmic,
          1e-8,
          1e4,
          false,
          {1e-8, 7e-6, 1e-3, 0.004, 0.006, 0.0071, 0.008, 0.0094, 0.05, 0.3, 1.0, 10.0, 1e4}},
         {"eps",
          Scale::logarithmic,
          1e-6,
          11330.0,  // above it e^eps times the least normal number counts
          false,
          {0.0, 1e-6, 0.1, 1.0, 30.0, 500.0, 11330.0}}},
        {}};
    if (sampled)
        space.dimensions.push_back(
            {"q",
             Scale::probability,
             1e-12,
             largest_probability,
             false,
             {1e-12, 1e-6, 0.001, 0.3, 0.5, 0.99, 1.0 - 1e-12, largest_probability}});
    return space;
}

/// A pair by its mechanism, and its excess at distance shift/sigma.
struct Pair {
    const char* id;
    const char* claim;
    Adjacency adjacency;
    PayoffSide side;
    double shift;
    Mechanism (*mechanism)(const Point&);
    RatioDistribution (*distribution)(double q, const Interval& c);
};

Mechanism gaussian(const Point& p) {
    return Gaussian{.noise_multiplier = p["sigma"]};
}
Mechanism poisson(const Point& p) {
    return SampledGaussian{p["sigma"], p["q"]};
}
Mechanism fixed_size(const Point& p) {
    return FixedSizeGaussian{p["sigma"], p["q"]};
}

constexpr Pair pairs[] = {
    {"pld.gaussian_add_remove.one_step", "one Gaussian step (balle2018)", Adjacency::add_remove,
     PayoffSide::removal, 1.0, gaussian, removal_ratio},
    {"pld.gaussian_replace_one.one_step", "one Gaussian step at distance 2 (balle2018)",
     Adjacency::replace_one, PayoffSide::addition, 2.0, gaussian, addition_ratio},
    {"pld.poisson_removal.one_step", "the removal of a record from one Poisson step (R.5 (a))",
     Adjacency::add_remove, PayoffSide::removal, 1.0, poisson, removal_ratio},
    {"pld.poisson_addition.one_step", "its addition (docs/proofs.md, R.5 (a))", Adjacency::zero_out,
     PayoffSide::addition, 1.0, poisson, addition_ratio},
    {"pld.poisson_replace_one.one_step", "the antipodal pair of one Poisson step (R.5 (b))",
     Adjacency::replace_one, PayoffSide::removal, 1.0, poisson, antipodal_ratio},
    {"pld.fixed_size_removal.one_step", "one step of fixed size is a removal at distance 2",
     Adjacency::add_remove, PayoffSide::removal, 2.0, fixed_size, removal_ratio},
    {"pld.fixed_size_addition.one_step", "or an addition (birrell2024 Theorem 3.1)",
     Adjacency::add_remove, PayoffSide::addition, 2.0, fixed_size, addition_ratio},
    {"pld.fixed_size_replace_one.one_step",
     "one step under replace-one: the symmetric pair, attained in the order of the removal",
     Adjacency::replace_one, PayoffSide::removal, 2.0, fixed_size, symmetric_ratio},
};

Interval truth_of(const Pair& pair, const Point& point, long bits) {
    const double q = point.has("q") ? point["q"] : 1.0;
    return min(nonnegative(refined(bits,
                                   [&](long p) {
                                       const Interval c = Interval(pair.shift, p) / point["sigma"];
                                       return pair.distribution(q, c).excess(
                                           exp(Interval(point["eps"], p)));
                                   })),
               Interval(1.0, bits));
}

/// What the masses say on their own, in the form in which they are read elsewhere.
Interval exported_delta(const DominatingLosses& losses, double epsilon, long bits) {
    Interval sum(losses.infinity_mass, bits);
    for (std::size_t i = 0; i < losses.masses.size(); ++i) {
        const double index = static_cast<double>(losses.first + static_cast<std::int64_t>(i));
        const Interval loss = losses.step * Interval(index, bits);
        if (losses.masses[i] > 0.0 && loss.upper_double() > epsilon)
            sum += losses.masses[i] * max(Interval(0.0, bits), 1.0 - exp(epsilon - loss));
    }
    return sum;
}

std::vector<Check> exported_rows() {
    std::vector<Check> rows;
    for (const PayoffSide side : payoff_sides) {
        Space space = extreme_space(true);
        space.dimensions[0] = noise_dimension("sigma", 0.3, 30.0);
        space.dimensions[1] = epsilon_dimension(4.0);
        Check row = library_row(
            fmt::format("pld.exported_losses.{}", name_of(side)),
            "losses on a grid, as other libraries read them, dominate one Poisson step and are "
            "close to it (docs/proofs.md R.5)",
            Relation::encloses, std::move(space), 12, 300);
        row.oracle = "normal probabilities in intervals";
        row.evaluate = [side](const Point& p) {
            constexpr double step = 5e-3;
            const DominatingLossPair losses =
                dominating_losses(poisson(p), Adjacency::add_remove, step);
            const double found =
                exported_delta(side == PayoffSide::removal ? losses.removal : losses.addition,
                               p["eps"], 128)
                    .lower_double();
            // The split costs the square of the step in units of the losses.
            const double part = step / (p["q"] * std::min(1.0, 1.0 / p["sigma"]));
            return Enclosure{found * (1.0 - 1e-2 - 0.6 * part * part) - 1e-6, found};
        };
        row.truth = [side](const Point& p, long bits) {
            return truth_of(side == PayoffSide::removal ? pairs[2] : pairs[3], p, bits);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<Check> pld_one_step_rows() {
    std::vector<Check> rows = exported_rows();
    for (const Pair& pair : pairs) {
        Check row = library_row(pair.id, pair.claim, Relation::encloses,
                                extreme_space(pair.mechanism != gaussian), 150, 20000);
        row.oracle = "normal probabilities, the quantile from a logarithm or a quadratic equation";
        row.evaluate = [pair](const Point& p) {
            const std::array<Phase, 1> phase{Phase{pair.mechanism(p), 1}};
            return side_of(delta_of(phase, pair.adjacency, p), pair.side);
        };
        row.truth = [pair](const Point& p, long bits) { return truth_of(pair, p, bits); };
        // (p + Kq) 2^-46 is what rounding may cost.
        row.widest = 1e-3;
        row.narrow_from = 1e-6;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace assay::verify
