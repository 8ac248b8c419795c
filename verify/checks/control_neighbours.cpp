#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_pairs.hpp"

// False variants of what bounds the newer samplers.

namespace assay::verify {

namespace {

using real = long double;

/// E (X_c - t)_+.
real lognormal_call(real c, real t) {
    if (t <= 0) return 1 - t;
    const real z = std::log(t) / c + c / 2;
    return plain::normal_tail(z - c) - t * plain::normal_tail(z);
}
/// E (1-q + q X_c - t)_+.
real sampled_call(real c, real q, real t) {
    return q * lognormal_call(c, 1 + (t - 1) / q);
}

// ---- Kahane's inequality -----------------------------------------------------------------------

Control kahane_control() {
    const Space space{{noise_dimension("sigma", 0.7, 5.0),
                       {"q", Scale::logarithmic, 0.01, 0.9, false, {0.1, 0.5}},
                       linear_dimension("part", 0.3, 0.9, {0.5}),
                       epsilon_dimension(1.0)},
                      [](const Point& p) { return p["eps"] * p["sigma"] <= 1.0; }};
    const Against truth{
        "normal probabilities",
        [](const Point& p, long bits) {
            const Interval c = 2.0 / Interval(p["sigma"], std::max(bits, 128L));
            return removal_ratio(p["q"], c).excess(exp(Interval(p["eps"], std::max(bits, 128L))));
        },
        Relation::at_least};
    const auto at = [](const Point& p, real part) {
        return near(sampled_call(part * 2 / static_cast<real>(p["sigma"]), p["q"],
                                 std::exp(static_cast<real>(p["eps"]))));
    };
    return control(
        "kahane_without_the_diagonal",
        "covariances compared off the diagonal alone: 0 and a record's own shift have "
        "none there, so any smaller shift would do",
        truth, space, [=](const Point& p) { return at(p, p["part"]); },
        [=](const Point& p) { return at(p, 1); });
}

// ---- one jump
// ------------------------------------------------------------------------------------

/// KL(P || Q) and KL(Q || P) of P = (1-q) N_0 + q N_c, Q = N_0, by Simpson's rule.
real divergence_of(real c, real q, bool of_mixture) {
    constexpr int panels = 3000;
    const real low = -11;
    const real h = (c + 22) / panels;
    const auto value = [&](real z) {
        const real w = 1 + q * std::expm1(c * z - c * c / 2);
        const real density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi_v<real>);
        return density * (of_mixture ? w * std::log(w) : -std::log(w));
    };
    real sum = 0;
    for (int i = 0; i < panels; ++i) {
        const real z = low + h * static_cast<real>(i);
        sum += h / 6 * (value(z) + 4 * value(z + h / 2) + value(z + h));
    }
    return sum;
}

Control wrong_maximum_control() {
    const Space space{{noise_dimension("sigma", 0.6, 4.0),
                       {"q", Scale::logarithmic, 0.02, 0.9, false, {0.1, 0.5}}},
                      {}};
    const Against truth{"Simpson's rule at (0, 2re)",
                        [](const Point& p, long bits) {
                            const real c = 2.0L / static_cast<real>(p["sigma"]);
                            const real value = divergence_of(c, p["q"], true);
                            return Interval(static_cast<double>(value), bits) * (1.0 - 1e-7);
                        },
                        Relation::at_least};
    const auto at = [](const Point& p, bool of_mixture) {
        const real c = 2.0L / static_cast<real>(p["sigma"]);
        return near(divergence_of(c, p["q"], of_mixture), 1e-8L);
    };
    return control(
        "running_maximum_from_the_right",
        "densities of thresholds made to fall instead of rise: the pair (2re, 0) claimed "
        "worst for -log t, whose t f'' falls",
        truth, space, [=](const Point& p) { return at(p, false); },
        [=](const Point& p) { return at(p, true); });
}

// ---- sums of few batches
// -------------------------------------------------------------------------

/// E ((Y + Y')/2 - K)_+ with Y' on cells: its mean on each, or what has that mean at both ends.
real two_batches(const Point& p, bool at_ends) {
    const real r = 1.0L / static_cast<real>(p["sigma"]);
    const real K = std::exp(static_cast<real>(p["eps"]));
    const auto cells = static_cast<int>(p.integer("cells"));
    const auto call_at = [&](real y) { return lognormal_call(r, 2 * K - y) / 2; };
    const auto lognormal = [&](real z) { return std::exp(r * z - r * r / 2); };
    const real low = -7;
    const real width = (14 + r) / static_cast<real>(cells);
    real sum = plain::normal_tail(-low) * call_at(0);
    for (int i = 0; i < cells; ++i) {
        const real left = low + width * static_cast<real>(i);
        const real right = left + width;
        const real mass = plain::normal_tail(left) - plain::normal_tail(right);
        const real mean = (plain::normal_tail(left - r) - plain::normal_tail(right - r)) / mass;
        if (!(mass > 0)) continue;
        if (!at_ends) {
            sum += mass * call_at(mean);
            continue;
        }
        const real share = (mean - lognormal(left)) / (lognormal(right) - lognormal(left));
        sum += mass * ((1 - share) * call_at(lognormal(left)) + share * call_at(lognormal(right)));
    }
    const real top = low + width * static_cast<real>(cells);
    const real beyond = plain::normal_tail(top);
    // Beyond the cells: at its mean below, with slope 1/2 above.
    const real mean = plain::normal_tail(top - r) / beyond;
    sum += beyond * (at_ends ? call_at(0) + mean / 2 : call_at(mean));
    return sum;
}

Control swapped_sides_control() {
    const Space space{{noise_dimension("sigma", 0.6, 2.0),
                       {"cells", Scale::linear, 4, 20, true, {6, 10}},
                       {"eps", Scale::linear, 0.0, 1.0, false, {0.0, 0.5}},
                       count_dimension("T", 2, 2, {})},
                      {}};
    return control(
        "few_batches_sides_swapped",
        "batches put at the means of cells claimed to bound a sum of two from above",
        bounds("balls_and_bins.delta_remove", Method::arb), space,
        [](const Point& p) { return near(two_batches(p, false)); },
        [](const Point& p) { return near(two_batches(p, true)); });
}

// ---- draws with replacement
// ----------------------------------------------------------------------

/// sum_{1 <= k <= K} a_k and what the others have.
Enclosure told_hits(const Point& p, bool with_rest) {
    const long B = p.integer("B");
    const real D = p["D"];
    const real c = 2.0L / static_cast<real>(p["sigma"]);
    const real none = std::pow(1 - 1 / D, static_cast<real>(B));
    const real t = 1 + std::expm1(static_cast<real>(p["eps"])) / (1 - none);
    real sum = 0;
    for (long k = 1; k <= B; ++k) {
        const real weight = plain::binomial(static_cast<real>(B), k) *
                            std::pow(D, -static_cast<real>(k)) *
                            std::pow(1 - 1 / D, static_cast<real>(B - k));
        if (k <= p.integer("K"))
            sum += weight * lognormal_call(static_cast<real>(k) * c, t);
        else if (with_rest)
            sum += weight;
    }
    return near(sum, 1e-10L);
}

Control dropped_mass_control() {
    const Space space{{noise_dimension("sigma", 0.8, 3.0),
                       {"B", Scale::linear, 3, 8, true, {3, 6}},
                       count_dimension("D", 9, 60, {10, 20}),
                       {"K", Scale::linear, 1, 2, true, {1, 2}},
                       epsilon_dimension(4.0)},
                      {}};
    const Against truth{
        "normal probabilities, all hits",
        [](const Point& p, long) {
            const Interval c = 2.0 / Interval(p["sigma"], ratio_bits);
            return told_hits_ratio(p.integer("B"), p.integer("D"), c).excess(threshold(p));
        },
        Relation::at_least};
    return control(
        "hits_truncated_mass_dropped",
        "a mixture over hits cut after K of them, with the mass of the others forgotten", truth,
        space, [](const Point& p) { return told_hits(p, false); },
        [](const Point& p) { return told_hits(p, true); });
}

}  // namespace

std::vector<Control> neighbour_controls() {
    return {kahane_control(), wrong_maximum_control(), swapped_sides_control(),
            dropped_mass_control()};
}

}  // namespace assay::verify
