#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/rdp/one_step.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/largest_component.hpp"
#include "verify/rows.hpp"

// Noise down to 1e-8, orders to 1e4, any sampling probability: where the component of the largest
// shift all but decides the divergence, inequalities know it to more digits than a double has.

namespace assay::verify {

namespace {

using Truth = std::function<Interval(const Point&, long)>;

constexpr double least_noise = 1e-8;
/// The inequalities then leave e^-100.
constexpr double narrow = 100.0;

/// Where (a-1) c^2/2 and, for two mixtures, c^2/4 outweigh the logarithms of the weights.
Space far_space(const char* noise, double scale, bool both_sides) {
    return {{order_dimension(1.0 + 1e-4, 1e4),
             {noise, Scale::logarithmic, least_noise, 0.1, false, {least_noise, 1e-5, 1e-3, 0.01}},
             probability_dimension()},
            [=](const Point& p) {
                const double half_square = 0.5 * std::pow(scale / p[noise], 2);
                const double removal = (p["alpha"] - 1.0) * half_square + std::log(p["q"]);
                return removal > narrow &&
                       (!both_sides || 0.5 * half_square + std::log1p(-p["q"]) > narrow);
            }};
}

/// The same for the addition direction, whose value is about q and whose bounds leave
/// e^{-c^2/32}/(a-1).
Space far_addition_space(const char* noise, double scale) {
    Space space = far_space(noise, scale, false);
    space.admits = [=](const Point& p) {
        const double part = std::pow(scale / p[noise], 2) / 32.0;
        return part + std::log(p["q"]) + std::min(0.0, std::log(p["alpha"] - 1.0)) > narrow;
    };
    return space;
}

Space far_batches() {
    return {
        {order_dimension(1.0 + 1e-4, 1e4),
         {"sigma", Scale::logarithmic, least_noise, 0.1, false, {least_noise, 7e-6, 1e-3, 0.01}},
         count_dimension("B", 1, 200, {1, 2, 5, 60}),
         count_dimension("D", 2, 1e6, {2, 10, 61, 50000})},
        [](const Point& p) {
            // What the largest shift gains on the next one.
            const double gain =
                (p["alpha"] - 1.0) * 2.0 / (p["sigma"] * p["sigma"]) * (2.0 * p["B"] - 1.0);
            return p["B"] < p["D"] && gain > narrow + 2.0 * std::log(p["D"]);
        }};
}

Check exact_row(const char* quantity, Space space, Truth truth) {
    Check row = library_row(fmt::format("{}.encloses_component", quantity),
                            fmt::format("the answer {} contains the exact value where the largest "
                                        "shift decides it",
                                        quantity),
                            Relation::encloses, std::move(space), 60, 1500);
    row.oracle = "inequalities: the largest component";
    row.evaluate = library_subject(quantity);
    row.truth = std::move(truth);
    row.widest = 1e-12;
    return row;
}

std::vector<Check> exact_rows() {
    const auto removal = [](const char* noise, double scale) -> Truth {
        return [=](const Point& p, long bits) {
            return component::removal(p["alpha"], p[noise], scale, p["q"], bits);
        };
    };
    const auto addition = [](const char* noise, double scale) -> Truth {
        return [=](const Point& p, long bits) {
            return component::addition(p["alpha"], p[noise], scale, p["q"], bits);
        };
    };
    return {
        exact_row("exact.fixed_size_without_replacement", far_space("sigma", 2.0, false),
                  removal("sigma", 2.0)),
        exact_row("exact.fixed_size_without_replacement_reverse", far_addition_space("sigma", 2.0),
                  addition("sigma", 2.0)),
        exact_row("exact.poisson_add_remove", far_space("s", 1.0, false), removal("s", 1.0)),
        exact_row("exact.poisson_add_remove_reverse", far_addition_space("s", 1.0),
                  addition("s", 1.0)),
        exact_row("exact.poisson_replace_one", far_space("sigma", 1.0, true),
                  [](const Point& p, long bits) {
                      return component::replacement(p["alpha"], p["sigma"], p["q"], bits);
                  }),
        exact_row("exact.fixed_size_with_replacement", far_batches(),
                  [](const Point& p, long bits) {
                      return component::with_replacement(p["alpha"], p["sigma"], p.integer("B"),
                                                         p.integer("D"), bits);
                  }),
    };
}

struct Step {
    const char* name;
    Mechanism (*mechanism)(const Point&);
    Adjacency adjacency;
    Space space;
    Truth truth;
};

std::vector<Step> steps() {
    const auto removal = [](double scale) -> Truth {
        return [=](const Point& p, long bits) {
            return component::removal(p["alpha"], p["sigma"], scale, p["q"], bits);
        };
    };
    const auto with_replacement = [](const Point& p) -> Mechanism {
        return FixedSizeWithReplacementGaussian{.noise_multiplier = p["sigma"],
                                                .batch_size = p.integer("B"),
                                                .dataset_size = p.integer("D")};
    };
    return {
        {"poisson_add_remove", poisson_at, Adjacency::add_remove, far_space("sigma", 1.0, false),
         removal(1.0)},
        {"poisson_zero_out", poisson_at, Adjacency::zero_out, far_space("sigma", 1.0, false),
         removal(1.0)},
        {"poisson_replace_one", poisson_at, Adjacency::replace_one, far_space("sigma", 1.0, true),
         [](const Point& p, long bits) {
             return component::replacement(p["alpha"], p["sigma"], p["q"], bits);
         }},
        {"fixed_size_add_remove", fixed_size_at, Adjacency::add_remove,
         far_space("sigma", 2.0, false), removal(2.0)},
        {"fixed_size_replace_one", fixed_size_at, Adjacency::replace_one,
         far_space("sigma", 2.0, false), removal(2.0)},
        {"with_replacement_add_remove", with_replacement, Adjacency::add_remove, far_batches(),
         [](const Point& p, long bits) {
             return component::with_replacement(p["alpha"], p["sigma"], p.integer("B"),
                                                p.integer("D"), bits);
         }},
    };
}

/// The three bounds of one step, each on its own side of the truth.
std::vector<Check> step_rows() {
    struct Side {
        const char* name;
        const char* claim;
        Bound OneStep::*bound;
        Relation relation;
    };
    std::vector<Check> rows;
    for (const Step& s : steps())
        for (const Side& side :
             {Side{"upper_far", "the best upper bound of one step is sound for large shifts",
                   &OneStep::upper, Relation::at_least},
              Side{"lower_far", "the attained side of one step is sound for large shifts",
                   &OneStep::lower, Relation::at_most},
              Side{"published_far",
                   "the best published upper bound of one step is sound for large shifts",
                   &OneStep::published_upper, Relation::at_least}}) {
            Check row = library_row(fmt::format("one_step.{}.{}", s.name, side.name), side.claim,
                                    side.relation, s.space, 40, 1000);
            row.oracle = "inequalities: the largest component";
            row.evaluate = [s, bound = side.bound](const Point& p) {
                return exactly(
                    (one_step_rdp(s.mechanism(p), s.adjacency, p["alpha"]).*bound).value);
            };
            row.truth = s.truth;
            rows.push_back(std::move(row));
        }
    return rows;
}

}  // namespace

std::vector<Check> far_component_rows() {
    return joined({exact_rows, step_rows});
}

}  // namespace assay::verify
