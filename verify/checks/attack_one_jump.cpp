#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/jump_chain.hpp"
#include "assay/rdp/one_step.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/entropic_cells.hpp"

// Fixed-size sampling without replacement under replace-one: the functions whose t f'' does not
// fall (docs/proofs.md C.6), and what rests on them (F.4-F.6).

namespace assay::verify {

namespace {

using lemma::Cells;
using lemma::real;

real clipped_length(const Point& p) {
    return 2.0L / static_cast<real>(p["sigma"]) * (1.0L - 0x1p-50L);
}

Interval at_least_zero(real lower, long bits) {
    const double nearest = static_cast<double>(lower);
    return Interval(std::max(0.0, std::nextafter(nearest, -1.0)), bits);
}

real in_plane(const Point& p, const Shifts& s) {
    const auto [first, second] = mixtures_on_cells(p["q"], s, 120);
    return lemma::entropic_lower(first, second, p["s"]);
}

/// The distributions of (1-q) N_0 + q N_u and (1-q) N_0 + q N_v on cells, lengths relative to
/// 2/sigma.
struct Distributions {
    std::vector<real> p;
    std::vector<real> q;
};
Distributions on_line(const Point& p, double x, double y, int count) {
    const real u = clipped_length(p) * x;
    const real v = clipped_length(p) * y;
    const Cells cells(std::min<real>({0, u, v}) - cells_beyond,
                      std::max<real>({0, u, v}) + cells_beyond, count);
    const std::vector<real> zero = cells.of(0);
    Distributions distributions{cells.of(u), cells.of(v)};
    const real q = p["q"];
    for (std::size_t i = 0; i < zero.size(); ++i) {
        distributions.p[i] = q * distributions.p[i] + (1 - q) * zero[i];
        distributions.q[i] = q * distributions.q[i] + (1 - q) * zero[i];
    }
    return distributions;
}

/// Two steps whose second pair is turned round where the first ratio exceeds a threshold.
real adaptive_steps(const Point& p) {
    constexpr int count = 250;
    const Distributions one = on_line(p, p["x"], p["y"], count);
    const Distributions two = on_line(p, p["x2"], p["y2"], count);
    const real t = std::exp(static_cast<real>(p["eps"])) * (1 + 0x1p-60L);
    const auto cut = static_cast<real>(p["cut"]);
    real sum = 0;
    for (std::size_t i = 0; i < one.p.size(); ++i) {
        const bool turned = one.p[i] > cut * one.q[i];
        const std::vector<real>& first = turned ? two.q : two.p;
        const std::vector<real>& second = turned ? two.p : two.q;
        for (std::size_t j = 0; j < first.size(); ++j)
            sum += std::max<real>(0, one.p[i] * first[j] - t * one.q[i] * second[j]);
    }
    return sum - 1e-15L * (1 + t);
}

Dimension coordinate(const char* name) {
    return linear_dimension(name, -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0});
}

std::vector<Check> theorem_1_prime() {
    std::vector<Dimension> first = noise_and_probability();
    first.push_back(positive_dimension("s", 0.1, 8.0, {0.5, 0.9, 1.0, 1.1, 2.0}));
    const auto close = [](const Point& p) { return std::abs(p["x"] - p["y"]) <= 1.0; };
    const Space line = space_of(first, {coordinate("x"), coordinate("y")}, close);
    const Space plane = space_of(first, plane_points(), {});
    const Space space = space_of(first, space_points(), {});
    const char* claim =
        "E_Q f_s(P/Q) of three clipped vectors is at most that of (2re, 0) (Theorem 1')";
    const char* subject = "chords of f_s(W) on cells";
    const ClaimedValue claimed = [](const Point& p) {
        const real c = 2.0L / static_cast<real>(p["sigma"]);
        const real value = lemma::entropic_one_sided_upper(c, p["q"], p["s"]);
        return exactly(std::nextafter(static_cast<double>(value), 1e300));
    };
    return {
        attack_row("attack.theorem_1_prime.line", claim, subject, "cells of the line", line, 120,
                   4000, claimed,
                   [](const Point& p, long bits) {
                       const Distributions distributions = on_line(p, p["x"], p["y"], 1500);
                       return at_least_zero(
                           lemma::entropic_lower(distributions.p, distributions.q, p["s"]), bits);
                   }),
        attack_row("attack.theorem_1_prime.plane", claim, subject, "cells of the plane", plane, 80,
                   1500, claimed,
                   [](const Point& p, long bits) {
                       return at_least_zero(in_plane(p, fixed_size_in_plane(p)), bits);
                   }),
        attack_row("attack.theorem_1_prime.space", claim, subject, "cells of the plane", space, 60,
                   1000, claimed, [](const Point& p, long bits) {
                       return at_least_zero(in_plane(p, fixed_size_in_space(p)), bits);
                   })};
}

std::vector<Check> two_steps() {
    std::vector<Dimension> pairs = noise_and_probability();
    pairs.push_back(linear_dimension("eps", 0.0, 4.0, {0.0, 0.1, 1.0}));
    const Space space =
        space_of(pairs,
                 {coordinate("x"), coordinate("y"), coordinate("x2"), coordinate("y2"),
                  positive_dimension("cut", 0.1, 10.0, {1.0})},
                 [](const Point& p) {
                     return std::abs(p["x"] - p["y"]) <= 1.0 && std::abs(p["x2"] - p["y2"]) <= 1.0;
                 });
    Check row = attack_row(
        "attack.one_jump.two_steps",
        "delta of two steps withstands pairs of which the second depends on the first output (F.4)",
        "library: delta, upper", "a union of cells of two outputs", space, 12, 240,
        [](const Point& p) {
            const Release release(Adjacency::replace_one,
                                  {{FixedSizeGaussian{p["sigma"], p["q"]}, 2}});
            return exactly(delta(release, p["eps"], goal_of(Effort::quick), 1e-13).upper.value);
        },
        [](const Point& p, long bits) { return at_least_zero(adaptive_steps(p), bits); });
    row.searched = false;
    return {row};
}

// ---- one group of the chain ------------------------------------------------------------------

/// U(e^y) of a density constant on cells.
real excess_of(const ChainLink& link, real y) {
    const real threshold = std::exp(y);
    real low = link.first;
    real exp_low = std::exp(low);
    real sum = 0;
    for (std::size_t i = 0; i < link.density.size() && low < y; ++i) {
        const real end = link.first + static_cast<real>(link.step) * static_cast<real>(i + 1);
        const real high = std::min(y, end);
        const real exp_high = std::exp(high);
        sum += link.density[i] * (threshold * (high - low) - (exp_high - exp_low));
        low = high;
        exp_low = exp_high;
    }
    return sum;
}

constexpr double chain_epsilon = 0.8;

/// The chain after 24 steps, and after one more.
std::vector<ChainLink> two_links(const Point& p) {
    DominatingPair pair;
    pair.q = static_cast<real>(p["q"]);
    pair.c = 2.0L / static_cast<real>(p["sigma"]);
    DominatingPair symmetric = pair;
    symmetric.shape = DominatingPair::Shape::symmetric;
    ChainMoments moments;
    std::vector<double> orders;
    for (double excess = 1e-4; excess < 500.0; excess *= 1.15) orders.push_back(1.0 + excess);
    const Mechanism step = FixedSizeGaussian{p["sigma"], p["q"]};
    const std::vector<Enclosure> rdp = exact_rdp(step, Adjacency::replace_one, orders);
    for (std::size_t i = 0; i < orders.size(); ++i)
        moments.moments.push_back({orders[i], (orders[i] - 1.0) * rdp[i].upper * (1.0 + 1e-14)});
    moments.divergence = rdp.front().upper;
    moments.order = orders[orders.size() / 2 + 10];
    moments.epsilon = chain_epsilon;
    moments.delta = 1e-3;
    moments.log_reach = 3.0;
    return jump_chain(pair, symmetric, moments, Adjacency::replace_one, 24, 25, 1e-3);
}

/// That of the point asked for last is kept: the subject and the example both need it.
const std::vector<ChainLink>& links_at(const Point& p) {
    thread_local Point where_asked;
    thread_local std::vector<ChainLink> found;
    if (!(p == where_asked)) {
        found = two_links(p);
        where_asked = p;
    }
    return found;
}

/// log of the ratio before the last group.
real place_of(const Point& p) {
    const real scale =
        std::sqrt(24.0L) * 2 * static_cast<real>(p["q"]) / static_cast<real>(p["sigma"]);
    return scale * static_cast<real>(p["z"]);
}

std::vector<Check> chain_groups() {
    std::vector<Dimension> first{noise_dimension("sigma", 1.5, 10.0),
                                 {"q", Scale::logarithmic, 0.05, 0.5, false, {0.1, 0.3}},
                                 linear_dimension("z", -3.0, 4.0, {0.0, 1.0, 2.0})};
    const Space space = space_of(first, {coordinate("x"), coordinate("y")},
                                 [](const Point& p) { return std::abs(p["x"] - p["y"]) <= 1.0; });
    Check row = attack_row(
        "attack.jump_chain.one_group",
        "one more step of any pair pays at most what the next link of the chain says (F.7)",
        "library: jump_chain", "Jensen's inequality on cells of the line", space, 40, 400,
        [](const Point& p) {
            const std::vector<ChainLink>& links = links_at(p);
            if (links.size() < 2) throw Error("the chain ended at its first group");
            const ChainLink& link = links.back();
            const real y = place_of(p);
            const RisingThresholds& errors = link.thresholds;
            const real value =
                std::exp(static_cast<real>(errors.mass_error)) *
                    (excess_of(link, y + errors.loss_error) + errors.infinity_mass * std::exp(y)) +
                std::exp(static_cast<real>(link.log_power) + link.order * y);
            return exactly(static_cast<double>(value * (1 + 1e-12L)));
        },
        [](const Point& p, long bits) {
            const std::vector<ChainLink>& links = links_at(p);
            if (links.size() < 2) return Interval(0.0, bits);
            const ChainLink& link = links.front();
            const real y = place_of(p);
            const Distributions distributions = on_line(p, p["x"], p["y"], 600);
            real sum = 0;
            for (std::size_t i = 0; i < distributions.p.size(); ++i)
                if (distributions.p[i] > 0 && distributions.q[i] > 0)
                    sum += distributions.q[i] *
                           excess_of(link, y + std::log(distributions.p[i] / distributions.q[i]));
            return at_least_zero(
                sum * (1 - 1e-12L) + link.thresholds.infinity_mass * std::exp(y) * (1 - 1e-12L),
                bits);
        });
    return {row};
}

}  // namespace

std::vector<Check> one_jump_attacks() {
    std::vector<Check> rows = theorem_1_prime();
    for (Check& check : two_steps()) rows.push_back(std::move(check));
    for (Check& check : chain_groups()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
