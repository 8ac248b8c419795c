#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/pld/pair_masses.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_cells.hpp"
#include "verify/rows.hpp"

// Hockey-stick divergences of explicit gradients against the pairs of newer samplers: draws with
// replacement, batches of fixed size against a null record, Poisson batches that are cut.

namespace assay::verify {

namespace {

using lemma::Cells;
using lemma::hockey_stick_lower;
using lemma::real;

constexpr int most_draws = 5;

/// A mixture of N(mean, 1).
struct Mixture {
    std::vector<real> weights;
    std::vector<real> means;

    void add(real weight, real mean) {
        weights.push_back(weight);
        means.push_back(mean);
    }
};

/// H_t, P against Q or turned round, from cells of the line.
real on_line(const Mixture& p, const Mixture& q, const Point& point) {
    constexpr int count = 1200;
    real low = 0;
    real high = 0;
    for (const Mixture* one : {&p, &q})
        for (const real mean : one->means) {
            low = std::min(low, mean);
            high = std::max(high, mean);
        }
    const Cells cells(low - cells_beyond, high + cells_beyond, count);
    const auto distribution = [&](const Mixture& one) {
        std::vector<real> sum;
        for (std::size_t k = 0; k < one.weights.size(); ++k) {
            const std::vector<real> part = cells.of(one.means[k]);
            if (sum.empty()) sum.assign(part.size(), 0);
            for (std::size_t i = 0; i < part.size(); ++i) sum[i] += one.weights[k] * part[i];
        }
        return sum;
    };
    const real t = std::exp(static_cast<real>(point["eps"])) * (1 + 0x1p-60L);
    const std::vector<real> first = distribution(p);
    const std::vector<real> second = distribution(q);
    return point.integer("reverse") == 1 ? hockey_stick_lower(second, first, t)
                                         : hockey_stick_lower(first, second, t);
}

Attained attained_at_least(std::function<real(const Point&)> attained) {
    return [=](const Point& p, long bits) {
        const auto nearest = static_cast<double>(attained(p) - 1e-15L);
        return Interval(std::max(0.0, std::nextafter(nearest, -1.0)), bits);
    };
}

/// The dominating pair in the order asked for.
ClaimedValue pair_of(std::function<Mechanism(const Point&)> mechanism, Adjacency adjacency) {
    return [=](const Point& p) {
        const PairDivergence found =
            pair_divergence(dominating_pair(mechanism(p), adjacency), p["eps"]);
        return exactly(p.integer("reverse") == 1 ? found.addition.upper : found.removal.upper);
    };
}

std::vector<Dimension> setting() {
    return {noise_dimension("sigma", 0.5, 20.0),
            linear_dimension("eps", 0.0, 4.0, {0.0, 0.1, 1.0}),
            {"reverse", Scale::linear, 0.0, 1.0, true, {0.0, 1.0}}};
}
Dimension coordinate(const std::string& name) {
    return linear_dimension(name.c_str(), -1.0, 1.0, {-1.0, 0.0, 0.5, 1.0});
}
real clipped(const Point& p, real shift) {
    return shift / static_cast<real>(p["sigma"]) * (1.0L - 0x1p-50L);
}

// ---- draws with replacement ------------------------------------------------------------------

Mechanism with_replacement(const Point& p) {
    return FixedSizeWithReplacementGaussian{p["sigma"], p.integer("B"), p.integer("D")};
}
Space draws_space(const std::vector<std::string>& paths) {
    std::vector<Dimension> first = setting();
    first.push_back({"B", Scale::linear, 1, most_draws, true, {1, 2, 3, most_draws}});
    first.push_back(count_dimension("D", 2, 1e3, {2, 3, 6, 10}));
    std::vector<Dimension> steps;
    for (const std::string& path : paths)
        for (int k = 1; k <= most_draws; ++k)
            steps.push_back(coordinate(fmt::format("{}{}", path, k)));
    return space_of(first, steps, [](const Point& p) { return p["B"] < p["D"]; });
}

/// Bin(k; B, 1/D) at the places that k steps lead to.
Mixture path_of(const Point& p, const std::function<real(int)>& step) {
    Mixture mixture;
    const auto draws = static_cast<real>(p["B"]);
    const real odds = 1 / (static_cast<real>(p["D"]) - 1);
    real weight = std::pow(1 - 1 / static_cast<real>(p["D"]), draws);
    real place = 0;
    mixture.add(weight, place);
    for (int k = 1; k <= p.integer("B"); ++k) {
        weight *= (draws - static_cast<real>(k - 1)) / static_cast<real>(k) * odds;
        place += step(k);
        mixture.add(weight, place);
    }
    return mixture;
}
real at(const Point& p, const char* path, int k) {
    return p[fmt::format("{}{}", path, k)];
}

/// Steps u and v with |u - v| <= 1: where they are farther apart, v is drawn towards u.
real towards(const Point& p, int k) {
    const real u = at(p, "u", k);
    return u + std::clamp(at(p, "v", k) - u, -1.0L, 1.0L);
}

std::vector<Check> draws_attacks() {
    const auto against_none = [](const Point& p) {
        const real c = clipped(p, 2);
        Mixture none;
        none.add(1, 0);
        return on_line(path_of(p, [&](int k) { return c * at(p, "u", k); }), none, p);
    };
    const auto exchanged = [](const Point& p) {
        const real c = clipped(p, 2);
        return on_line(path_of(p, [&](int k) { return c * at(p, "u", k); }),
                       path_of(p, [&](int k) { return c * towards(p, k); }), p);
    };
    // u - v is the record itself, v what it has displaced.
    const auto nulled = [](const Point& p) {
        const real r = clipped(p, 1);
        return on_line(path_of(p, [&](int k) { return r * (at(p, "u", k) + at(p, "v", k)); }),
                       path_of(p, [&](int k) { return r * at(p, "v", k); }), p);
    };
    const char* example = "a union of cells of explicit paths";
    return {
        attack_row("attack.with_replacement.add_remove",
                   "H_t of every path of shifts, against none, is at most that of the straight one "
                   "(docs/proofs.md, E.5)",
                   "closed form: pair_divergence", example, draws_space({"u"}), 60, 2000,
                   pair_of(with_replacement, Adjacency::add_remove),
                   attained_at_least(against_none)),
        attack_row("attack.with_replacement.replace_one",
                   "H_t of two paths whose steps differ by 2/sigma at most is at most that of the "
                   "pair that tells the hits (F.9)",
                   "closed form: pair_divergence", example, draws_space({"u", "v"}), 60, 2000,
                   pair_of(with_replacement, Adjacency::replace_one), attained_at_least(exchanged)),
        attack_row("attack.with_replacement.zero_out",
                   "the same for a record against a null one (F.9)", "closed form: pair_divergence",
                   example, draws_space({"u", "v"}), 60, 2000,
                   pair_of(with_replacement, Adjacency::zero_out), attained_at_least(nulled))};
}

// ---- fixed size against a null record ----------------------------------------------------------

Mechanism without_replacement(const Point& p) {
    return FixedSizeGaussian{p["sigma"], p["q"]};
}

Mixture two_points(real q, real mean) {
    Mixture mixture;
    mixture.add(1 - q, 0);
    mixture.add(q, mean);
    return mixture;
}

real nulled_in_plane(const Point& p) {
    constexpr int count = 120;
    const real r = clipped(p, 1);
    const real q = p["q"];
    const real v1 = r * static_cast<real>(p["lv"]);
    const real angle = p["tu"];
    const real u1 = v1 + r * static_cast<real>(p["lu"]) * std::cos(angle);
    const real u2 = r * static_cast<real>(p["lu"]) * std::sin(angle);
    const Cells across(std::min({0.0L, u1, v1}) - cells_beyond,
                       std::max({0.0L, u1, v1}) + cells_beyond, count);
    const Cells up(std::min(0.0L, u2) - cells_beyond, std::max(0.0L, u2) + cells_beyond, count);
    const lemma::PlaneDistribution with{{1 - q, across.of(0), up.of(0)},
                                        {q, across.of(u1), up.of(u2)}};
    const lemma::PlaneDistribution without{{1 - q, across.of(0), up.of(0)},
                                           {q, across.of(v1), up.of(0)}};
    const real t = std::exp(static_cast<real>(p["eps"])) * (1 + 0x1p-60L);
    return p.integer("reverse") == 1 ? hockey_stick_lower(without, with, t)
                                     : hockey_stick_lower(with, without, t);
}

std::vector<Check> null_record_attacks() {
    std::vector<Dimension> first = setting();
    first.push_back(probability_dimension(1e-3, 0.99));
    const Space line = space_of(first, {coordinate("u"), coordinate("v")}, {});
    const Space plane = space_of(
        first, {fraction("lu"), linear_dimension("lv", -1.0, 1.0, {-1.0, 0.0, 1.0}), angle("tu")},
        {});
    const char* claim =
        "a record against a null one: H_t of mixtures with |u - v|, |v| <= 1/sigma is at most that "
        "of the pair of Theorem 8, in either order";
    return {attack_row("attack.theorem_8.line", claim, "closed form: pair_divergence",
                       "a union of cells of the line", line, 80, 3000,
                       pair_of(without_replacement, Adjacency::zero_out),
                       attained_at_least([](const Point& p) {
                           const real r = clipped(p, 1);
                           const real v = r * static_cast<real>(p["v"]);
                           const real u = v + r * static_cast<real>(p["u"]);
                           return on_line(two_points(p["q"], u), two_points(p["q"], v), p);
                       })),
            attack_row("attack.theorem_8.plane", claim, "closed form: pair_divergence",
                       "a union of cells of the plane", plane, 40, 800,
                       pair_of(without_replacement, Adjacency::zero_out),
                       attained_at_least(nulled_in_plane))};
}

// ---- Poisson batches that are cut --------------------------------------------------------------

real choose(long n, long k) {
    if (k < 0 || k > n) return 0;
    real value = 1;
    for (long i = 0; i < k; ++i) value *= static_cast<real>(n - i) / static_cast<real>(i + 1);
    return value;
}

/// Sums of one data set: `up` records with 1/sigma, `down` with -1/sigma and `null` with 0, and
/// perhaps one record of its own shift, each drawn with probability q, then cut to B.
Mixture released(const Point& p, bool is_there, real own) {
    const long up = p.integer("up");
    const long down = p.integer("down");
    const long null = p.integer("null");
    const long B = p.integer("B");
    const real q = p["q"];
    const real r = clipped(p, 1);
    const long n = up + down + null + (is_there ? 1 : 0);
    Mixture mixture;
    for (long drawn = 0; drawn <= n; ++drawn) {
        const real of_drawn = choose(n, drawn) * std::pow(q, static_cast<real>(drawn)) *
                              std::pow(1 - q, static_cast<real>(n - drawn));
        const long left = std::min(drawn, B);
        // A uniform subset of the drawn ones, which are uniform given their number.
        for (long special = 0; special <= (is_there ? 1 : 0); ++special)
            for (long i = 0; i <= up; ++i)
                for (long j = 0; j <= down; ++j) {
                    const real share = choose(up, i) * choose(down, j) *
                                       choose(null, left - special - i - j) / choose(n, left);
                    if (share == 0) continue;
                    mixture.add(of_drawn * share,
                                r * static_cast<real>(i - j) + static_cast<real>(special) * own);
                }
    }
    return mixture;
}

/// The records of the release: under add/remove the special one is beyond them.
long records_of(const Point& p, Adjacency adjacency) {
    return p.integer("up") + p.integer("down") + p.integer("null") +
           (adjacency == Adjacency::add_remove ? 0 : 1);
}

/// q = 1/times.
Check truncated_attack(const char* name, const char* claim, Adjacency adjacency, real other) {
    std::vector<Dimension> first = setting();
    for (const char* kind : {"up", "down", "null"})
        first.push_back({kind, Scale::linear, 0, 3, true, {0, 1, 3}});
    first.push_back({"times", Scale::linear, 2, 5, true, {2, 3}});
    first.push_back({"B", Scale::linear, 1, 6, true, {1, 2, 3}});
    const Space space = space_of(first, {coordinate("x")}, [=](const Point& p) {
        const long n = records_of(p, adjacency);
        return n >= 2 && n % p.integer("times") == 0 && p.integer("B") <= n &&
               p.integer("B") * p.integer("times") >= n;
    });
    const auto attained = [=](const Point& p) {
        Point named = p;
        named.set("q", 1.0 / p["times"]);
        const real own = clipped(p, 1) * static_cast<real>(p["x"]);
        if (adjacency == Adjacency::add_remove)
            return on_line(released(named, true, own), released(named, false, 0), p);
        return on_line(released(named, true, own), released(named, true, other * own), p);
    };
    return attack_row(
        fmt::format("attack.truncated_poisson.{}", name), claim, "closed form: pair_divergence",
        "all batches of few records, cells of the line", space, 60, 2000,
        [=](const Point& p) {
            const long n = records_of(p, adjacency);
            const Mechanism mechanism =
                TruncatedPoissonGaussian{p["sigma"], n / p.integer("times"), n, p.integer("B")};
            const PairDivergence found =
                pair_divergence(dominating_pair(mechanism, adjacency), p["eps"]);
            return exactly(p.integer("reverse") == 1 ? found.addition.upper : found.removal.upper);
        },
        attained_at_least(attained));
}

std::vector<Check> truncated_attacks() {
    return {truncated_attack("add_remove",
                             "Poisson batches that are cut: every pair of small data sets is below "
                             "the pair that tells whether the others fill the batch (T.11)",
                             Adjacency::add_remove, 0),
            truncated_attack("replace_one", "the same for a record and its antipode",
                             Adjacency::replace_one, -1),
            truncated_attack("zero_out", "the same for a record and a null one",
                             Adjacency::zero_out, 0)};
}

}  // namespace

std::vector<Check> neighbour_attacks() {
    return joined({draws_attacks, null_record_attacks, truncated_attacks});
}

}  // namespace assay::verify
