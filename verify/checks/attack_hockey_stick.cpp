#include <algorithm>
#include <cmath>

#include "assay/rdp/epsilon_bracket.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_cells.hpp"
#include "verify/oracles/published_hockey_stick.hpp"

namespace assay::verify {

namespace {

using lemma::Cells;
using lemma::hockey_stick_lower;
using lemma::PlaneDistribution;
using lemma::real;

/// A pair q N_u + (1-q) N_0, q N_v + (1-q) N_0 on a line: its two distributions on cells.
struct CellPair {
    std::vector<real> p;
    std::vector<real> q;
};

CellPair pair_on_line(double q, real u, real v, int count) {
    const Cells cells(std::min<real>({0, u, v}) - cells_beyond,
                      std::max<real>({0, u, v}) + cells_beyond, count);
    const std::vector<real> zero = cells.of(0);
    CellPair pair{cells.of(u), cells.of(v)};
    const real weight = q;
    for (std::size_t i = 0; i < zero.size(); ++i) {
        pair.p[i] = weight * pair.p[i] + (1 - weight) * zero[i];
        pair.q[i] = weight * pair.q[i] + (1 - weight) * zero[i];
    }
    return pair;
}

double down(real x) {
    const double nearest = static_cast<double>(x);
    return static_cast<real>(nearest) > x ? std::nextafter(nearest, -1.0) : nearest;
}

real on_line(const Point& p, const char* x, const char* y, real t) {
    constexpr int count = 1500;
    const real length = 2.0L / static_cast<real>(p["sigma"]) * (1.0L - 0x1p-50L);
    const CellPair pair = pair_on_line(p["q"], length * p[x], length * p[y], count);
    return hockey_stick_lower(pair.p, pair.q, t);
}

real in_plane(const Point& p, const Shifts& s, real t) {
    const auto [first, second] = mixtures_on_cells(p["q"], s, 150);
    return hockey_stick_lower(first, second, t);
}

/// H_t of the product of two ordered pairs.
real product(const CellPair& a, const CellPair& b, real t) {
    return hockey_stick_lower(PlaneDistribution{{1, a.p, b.p}}, PlaneDistribution{{1, a.q, b.q}},
                              t);
}

real two_steps(const Point& p, real t) {
    constexpr int count = 250;
    const real length = 2.0L / static_cast<real>(p["sigma"]) * (1.0L - 0x1p-50L);
    return product(pair_on_line(p["q"], length * p["x"], length * p["y"], count),
                   pair_on_line(p["q"], length * p["x2"], length * p["y2"], count), t);
}

/// sup H_t over the pairs of one step, from normal probabilities: h(t) above 1, and
/// 1 - t + t h(1/t) below.
Enclosure one_step_profile(const Point& p) {
    constexpr long bits = 64;
    const double t = p["t"];
    const double c = 2.0 / p["sigma"];
    const double larger = std::nextafter(c, 4.0 * c);  // rounding may only help the claim
    const Interval log_t = log(Interval(t, 256));      // far narrower than what is asked of h
    if (t >= 1.0) return exactly(one_step_delta_remove(larger, p["q"], log_t, bits).upper_double());
    const Interval h = one_step_delta_remove(larger, p["q"], -log_t, bits);
    return exactly((1.0 - Interval(t, bits) + t * h).upper_double());
}

/// e^eps rounded up: H_t falls with t.
real threshold(const Point& p) {
    return std::exp(static_cast<real>(p["eps"])) * (1 + 0x1p-60L);
}

ClaimedValue library_delta(Adjacency adjacency, bool poisson, std::int64_t steps) {
    return [=](const Point& p) {
        const Phase phase{poisson ? Mechanism(SampledGaussian{p["sigma"], p["q"]})
                                  : Mechanism(FixedSizeGaussian{p["sigma"], p["q"]}),
                          steps};
        return exactly(delta_bracket({&phase, 1}, adjacency, p["eps"]).upper.value);
    };
}

Dimension threshold_dimension() {
    return positive_dimension("t", 0.2, 6.0, {0.5, 0.9, 1.0, 1.1, 2.0});
}
Dimension epsilon_dimension() {
    return linear_dimension("eps", 0.0, 4.0, {0.0, 0.1, 1.0});
}
std::vector<Dimension> pair_dimensions() {
    return {linear_dimension("x", -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0}),
            linear_dimension("y", -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0})};
}
std::vector<Dimension> two_pairs() {
    std::vector<Dimension> all = pair_dimensions();
    all.push_back(linear_dimension("x2", -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0}));
    all.push_back(linear_dimension("y2", -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0}));
    return all;
}

bool close(const Point& p, const char* x, const char* y) {
    return std::abs(p[x] - p[y]) <= 1.0;
}
bool one_pair_close(const Point& p) {
    return close(p, "x", "y");
}
bool both_close(const Point& p) {
    return close(p, "x", "y") && close(p, "x2", "y2");
}
bool planar_close(const Point& p) {
    const double angle = p["tv"];
    return std::hypot(p["lu"] - p["lv"] * std::cos(angle), p["lv"] * std::sin(angle)) <= 1.0;
}

/// H_t >= what the cells say; the point is refused by none, a useless one is 0.
Attained at_least_zero(std::function<real(const Point&)> attained) {
    return
        [=](const Point& p, long bits) { return Interval(std::max(0.0, down(attained(p))), bits); };
}

std::vector<Dimension> with(std::vector<Dimension> dimensions, Dimension last) {
    dimensions.push_back(std::move(last));
    return dimensions;
}

std::vector<Check> theorem_5() {
    const Space line = space_of(with(noise_and_probability(), threshold_dimension()),
                                pair_dimensions(), one_pair_close);
    const Space plane = space_of(with(noise_and_probability(), threshold_dimension()),
                                 distance_points(), planar_close);
    const Space two =
        space_of(with(noise_and_probability(), threshold_dimension()), two_pairs(), both_close);
    const auto exact_t = [](const Point& p) { return static_cast<real>(p["t"]); };
    const char* claim =
        "H_t of a pair with |u|, |v|, |u-v| <= 2/sigma is at most the profile (Theorem 5 (i))";
    return {
        attack_row("attack.theorem_5.line", claim, "closed form: one_step.delta_remove",
                   "a union of cells of the line", line, 120, 4000, one_step_profile,
                   at_least_zero([=](const Point& p) { return on_line(p, "x", "y", exact_t(p)); })),
        attack_row("attack.theorem_5.plane", claim, "closed form: one_step.delta_remove",
                   "a union of cells of the plane", plane, 80, 1000, one_step_profile,
                   at_least_zero(
                       [=](const Point& p) { return in_plane(p, by_distances(p), exact_t(p)); })),
        attack_row(
            "attack.theorem_5.two_steps",
            "the product of two ordered pairs stays below that of the symmetric pair "
            "(Theorem 5 (ii))",
            "chords of the two-fold profile", "a union of cells of two outputs", two, 80, 1000,
            [](const Point& p) {
                const real c = 2.0L / static_cast<real>(p["sigma"]);
                const real value = lemma::dominating_profile_of_two(c, p["q"], p["t"]);
                return exactly(std::nextafter(static_cast<double>(value), 2.0));
            },
            at_least_zero([=](const Point& p) { return two_steps(p, exact_t(p)); })),
    };
}

std::vector<Check> deltas() {
    const Space line = space_of(with(noise_and_probability(), epsilon_dimension()),
                                pair_dimensions(), one_pair_close);
    const Space two =
        space_of(with(noise_and_probability(), epsilon_dimension()), two_pairs(), both_close);
    const Space clipped =
        space_of(with(noise_and_probability(), epsilon_dimension()), poisson_points(), {});
    const char* example = "a union of cells of explicit outputs";
    std::vector<Check> rows{
        attack_row(
            "attack.delta.fixed_size_one_step",
            "delta of one replace-one step, fixed size, withstands explicit pairs",
            "library: delta_bracket, upper", example, line, 8, 240,
            library_delta(Adjacency::replace_one, false, 1),
            at_least_zero([](const Point& p) { return on_line(p, "x", "y", threshold(p)); })),
        attack_row("attack.delta.fixed_size_two_steps", "delta of two such steps",
                   "library: delta_bracket, upper", example, two, 8, 240,
                   library_delta(Adjacency::replace_one, false, 2),
                   at_least_zero([](const Point& p) { return two_steps(p, threshold(p)); })),
        attack_row("attack.delta.poisson_one_step",
                   "delta of one replace-one step, Poisson, withstands clipped vectors",
                   "library: delta_bracket, upper", example, clipped, 8, 240,
                   library_delta(Adjacency::replace_one, true, 1),
                   at_least_zero([](const Point& p) {
                       return in_plane(p, poisson_in_plane(p), threshold(p));
                   })),
    };
    for (Check& row : rows) row.searched = false;  // 20 ms and more a point
    return rows;
}

}  // namespace

std::vector<Check> hockey_stick_attacks() {
    std::vector<Check> rows = theorem_5();
    for (Check& check : deltas()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
