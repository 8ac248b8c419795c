#include <cmath>
#include <numbers>
#include <vector>

#include "assay/pld/one_jump.hpp"
#include "assay/pld/turned_pairs.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_cells.hpp"

// One jump between Gaussian steps, where every function in it has a closed form.

namespace assay::verify {

namespace {

using real = long double;

real normal_tail_of(real x) {
    return 0.5L * std::erfc(x / std::numbers::sqrt2_v<real>);
}

/// D_{e^eps} of two normal distributions at distance mu.
real gaussian_delta(real mu, real eps) {
    return normal_tail_of(eps / mu - mu / 2) - std::exp(eps) * normal_tail_of(eps / mu + mu / 2);
}

/// int g1(y) D_{e^{eps+y}} dy: g1 is the density of N(-mu^2/2, mu^2) up to its mode and constant
/// from there on.
real gaussian_jump(real first, real last, real eps) {
    const real mode = -last * last / 2;
    const real peak = 1 / (last * std::sqrt(2 * std::numbers::pi_v<real>));
    const auto value = [&](real y) {
        const real z = y < mode ? (y - mode) / last : 0;
        return peak * std::exp(-z * z / 2) * gaussian_delta(first, eps + y);
    };
    const real low = mode - 11 * last;
    const real high = mode + 14 * first + first * first + std::max<real>(0, -eps - mode) + 1;
    real sum = 0;
    for (const auto& [from, to] : {std::pair{low, mode}, std::pair{mode, high}}) {
        constexpr int panels = 4000;  // Simpson's rule
        const real h = (to - from) / panels;
        for (int i = 0; i < panels; ++i) {
            const real y = from + h * static_cast<real>(i);
            sum += h / 6 * (value(y) + 4 * value(y + h / 2) + value(y + h));
        }
    }
    return sum;
}

constexpr double far_room = 5e-3;

Check gaussian_row() {
    const Space space{{positive_dimension("first", 0.2, 5.0, {1.0}),
                       positive_dimension("last", 0.05, 2.0, {0.3}), epsilon_dimension(8.0)},
                      [](const Point& p) {
                          const double mu = std::hypot(p["first"], p["last"]);
                          return p["last"] <= p["first"] && p["eps"] <= 0.5 * mu * mu + 5.0 * mu;
                      }};
    Check row = library_row("pld.one_jump.gaussian",
                            "one jump between Gaussian steps has a closed form, above which the "
                            "answer lies by at most 0.5 %",
                            Relation::encloses, space, 25, 300);
    row.oracle = "normal density up to its mode, Simpson's rule";
    row.evaluate = [](const Point& p) {
        const double first = p["first"];
        const double last = p["last"];
        const double eps = p["eps"];
        DominatingPair before;
        before.c = first;
        DominatingPair after;
        after.c = last;
        JumpSplit split{{{before, 1}}, {{after, 1}}, {}};
        for (double excess = 0.05; excess < 2000.0; excess *= 1.25)
            split.moments.push_back(
                {1.0 + excess, 0.5 * excess * (1.0 + excess) * first * first * (1.0 + 1e-12)});
        const auto truth = static_cast<double>(gaussian_jump(first, last, eps));
        const OneJump jump(split, Adjacency::replace_one, eps, eps, truth, 1e-4, 1);
        const double found = jump.delta(eps);
        return Enclosure{found < 1.0 ? found / (1.0 + far_room) : 0.0, found};
    };
    row.truth = [](const Point& p, long bits) {
        const real value = gaussian_jump(p["first"], p["last"], p["eps"]);
        const auto truth = static_cast<double>(value);
        return min(Interval(truth, bits) * (1.0 + 1e-9), Interval(1.0, bits));
    };
    return row;
}

/// E gamma(W), gamma(x) the best delta of one more step at the ratio x: what two steps reach whose
/// second pair is turned round where that pays.
real two_turned_steps(real c, real q, real eps) {
    const real threshold = std::exp(eps);
    const auto value = [&](real z) {
        const real w = 1 + q * std::expm1(c * z - c * c / 2);
        return std::exp(-z * z / 2) * w * lemma::dominating_profile(c, q, threshold / w);
    };
    const real low = -11;
    const real high = 2 * c + 11;
    constexpr int panels = 6000;
    const real h = (high - low) / panels;
    real sum = 0;
    for (int i = 0; i < panels; ++i) {
        const real z = low + h * static_cast<real>(i);
        sum += h / 6 * (value(z) + 4 * value(z + h / 2) + value(z + h));
    }
    return sum / std::sqrt(2 * std::numbers::pi_v<real>);
}

Space two_step_space() {
    return {{noise_dimension("sigma", 0.8, 8.0),
             {"q", Scale::logarithmic, 0.02, 0.9, false, {0.3}},
             epsilon_dimension(3.0)},
            [](const Point& p) {
                const double c = 2.0 / p["sigma"];
                return p["eps"] <= std::log1p(p["q"] * std::expm1(4.0 * c + 0.5 * c * c));
            }};
}

DominatingPair one_sided(const Point& p) {
    DominatingPair pair;
    pair.q = static_cast<double>(p["q"]);
    pair.c = 2.0L / static_cast<real>(p["sigma"]);
    return pair;
}

Interval turned_truth(const Point& p, long bits) {
    const real c = 2.0L / static_cast<real>(p["sigma"]);
    return Interval(static_cast<double>(two_turned_steps(c, p["q"], p["eps"])), bits) *
           (1.0 - 1e-7);
}

Check turned_row() {
    Check row = library_row("pld.turned_pairs.two_steps",
                            "two steps of which the second is turned round where that pays: below "
                            "the integral of the one-step profile, and within 2 %",
                            Relation::encloses, two_step_space(), 20, 200);
    row.oracle = "Simpson's rule over the one-step profile";
    row.evaluate = [](const Point& p) {
        const double eps = p["eps"];
        const real c = 2.0L / static_cast<real>(p["sigma"]);
        const auto about = static_cast<double>(two_turned_steps(c, p["q"], eps));
        const TurnedPairs turned({one_sided(p), 2}, {}, Adjacency::replace_one, 2, eps, about,
                                 1e-5);
        const double found = turned.delta(eps);
        return Enclosure{found, 1.02 * found};
    };
    row.truth = turned_truth;
    return row;
}

real all_steps(const Point& p) {
    return static_cast<real>(p["c"]) * std::sqrt(static_cast<real>(p["steps"] + p["others"]));
}

/// A Gaussian step turned round is itself: blocks of whatever sizes reach all steps and no more.
Check turned_blocks_row() {
    const Space space{{positive_dimension("c", 0.05, 1.0, {0.3}),
                       count_dimension("steps", 2, 60, {5, 25, 49}),
                       count_dimension("blocks", 2, 24, {2, 24}),
                       epsilon_dimension(4.0),
                       {"others", Scale::linear, 0, 3, true, {0, 2}}},
                      [](const Point& p) {
                          const double mu = p["c"] * std::sqrt(p["steps"]);
                          return p["blocks"] <= p["steps"] && p["eps"] <= 0.5 * mu * mu + 2.0 * mu;
                      }};
    Check row = library_row("pld.turned_pairs.gaussian_blocks",
                            "Gaussian steps in blocks of two sizes: below the closed form, and "
                            "within 3 %",
                            Relation::encloses, space, 12, 200);
    row.oracle = "closed form: mu = c sqrt(steps)";
    row.evaluate = [](const Point& p) {
        DominatingPair pair;
        pair.c = static_cast<real>(p["c"]);
        const double eps = p["eps"];
        const real mu = all_steps(p);
        std::vector<RepeatedLossPair> others;
        if (p["others"] > 0.0) others.push_back({pair, p.integer("others")});
        const TurnedPairs turned({pair, p.integer("steps")}, others, Adjacency::replace_one,
                                 p.integer("blocks"), eps,
                                 static_cast<double>(gaussian_delta(mu, eps)), 1e-4);
        const double found = turned.delta(eps);
        return Enclosure{found, 1.03 * found};
    };
    row.truth = [](const Point& p, long bits) {
        const real mu = all_steps(p);
        return Interval(static_cast<double>(gaussian_delta(mu, p["eps"])), bits) * (1.0 + 1e-12);
    };
    return row;
}

Check jump_above_turned_row() {
    Check row = library_row("pld.one_jump.two_steps",
                            "one jump between two steps is above what turned pairs reach",
                            Relation::at_least, two_step_space(), 20, 200);
    row.oracle = "Simpson's rule over the one-step profile";
    row.evaluate = [](const Point& p) {
        DominatingPair last = one_sided(p);
        last.shape = DominatingPair::Shape::symmetric;
        JumpSplit split{{{one_sided(p), 1}}, {{last, 1}}, {}};
        const double q = p["q"];
        const double c = 2.0 / p["sigma"];
        for (double excess = 0.05; excess < 60.0; excess *= 1.25) {
            const double order = 1.0 + excess;  // W^a is convex in its two parts
            split.moments.push_back(
                {order, std::log1p(q * std::expm1(0.5 * order * excess * c * c)) + 1e-12});
        }
        const double eps = p["eps"];
        const OneJump jump(split, Adjacency::replace_one, eps, eps, 1e-6, 1e-4);
        return exactly(jump.delta(eps));
    };
    row.truth = turned_truth;
    return row;
}

}  // namespace

std::vector<Check> pld_one_jump_rows() {
    return {gaussian_row(), turned_row(), turned_blocks_row(), jump_above_turned_row()};
}

}  // namespace assay::verify
