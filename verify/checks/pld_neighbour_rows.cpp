#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "assay/account/account.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/neighbour_parts.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/oracles/ratio_pairs.hpp"
#include "verify/rows.hpp"

// Samplers whose pairs are not those of one record against none: draws with replacement, batches of
// fixed size against a null record, Poisson batches that are cut, shuffled epochs.

namespace assay::verify {

namespace {

using Ratio = std::function<RatioDistribution(const Point&, PayoffSide)>;
using MechanismAt = std::function<Mechanism(const Point&)>;

/// A statement about one side of pld_delta, both orders.
struct PairRow {
    const char* sampler;
    const char* claim;
    Adjacency adjacency;
    MechanismAt mechanism;
    Ratio ratio;
    Space space;
};

constexpr double room = 0.01;

Interval excess_of(const RatioDistribution& one, const Point& p, int nodes) {
    if (p["T"] == 1.0) return one.excess(threshold(p));
    return product_excess(one, one, threshold(p), nodes);
}

Space with_steps(Space space, int steps) {
    space.dimensions.push_back(count_dimension("T", steps, steps, {}));
    return space;
}

/// One step, and two: enclosed, where the pair is attained by two data sets.
void add_enclosed(const PairRow& pair, int quick_two, std::vector<Check>& rows) {
    for (const int steps : {1, 2})
        for (const PayoffSide side : payoff_sides) {
            Check row = library_row(fmt::format("pld.{}.{}_{}", pair.sampler, name_of(side),
                                                steps == 1 ? "one_step" : "two_steps"),
                                    pair.claim, Relation::overlaps, with_steps(pair.space, steps),
                                    steps == 1 ? 25 : quick_two, steps == 1 ? 400 : 10 * quick_two);
            if (steps == 1) row.relation = Relation::encloses;
            row.oracle = "normal probabilities at a place found by bisection";
            row.evaluate = [=](const Point& p) {
                const std::array<Phase, 1> phase{Phase{pair.mechanism(p), p.integer("T")}};
                return side_of(delta_of(phase, pair.adjacency, p), side);
            };
            row.truth = [=](const Point& p, long) {
                return excess_of(pair.ratio(p, side), p, 300);
            };
            row.widest = steps == 1 ? 1e-3 : 5e-2;  // of the smaller direction too
            row.narrow_from = 1e-6;
            rows.push_back(std::move(row));
        }
}

/// The upper side is that of a pair that nobody need attain: above it, and within 1 %.
void add_upper(const PairRow& pair, int quick_two, std::vector<Check>& rows) {
    for (const int steps : {1, 2})
        for (const PayoffSide side : payoff_sides) {
            if (steps == 2 && quick_two == 0) continue;
            Check row = library_row(fmt::format("pld.{}.upper_{}_{}", pair.sampler, name_of(side),
                                                steps == 1 ? "one_step" : "two_steps"),
                                    pair.claim, Relation::overlaps, with_steps(pair.space, steps),
                                    steps == 1 ? 25 : quick_two, steps == 1 ? 400 : 10 * quick_two);
            row.oracle = "normal probabilities at a place found by bisection";
            if (steps == 1) row.relation = Relation::encloses;
            row.evaluate = [=](const Point& p) {
                const std::array<Phase, 1> phase{Phase{pair.mechanism(p), p.integer("T")}};
                const double found = side_of(delta_of(phase, pair.adjacency, p), side).upper;
                return Enclosure{found / (1.0 + room) - 1e-9, found};
            };
            row.truth = [=](const Point& p, long) {
                return excess_of(pair.ratio(p, side), p, 300);
            };
            row.widest = 2.0 * room;
            row.narrow_from = 1e-6;
            rows.push_back(std::move(row));
        }
}

// ---- fixed size with replacement -------------------------------------------------------------

Space hits_space() {
    return {{noise_dimension("sigma", 0.7, 10.0),
             {"B", Scale::linear, 1, 6, true, {1, 2, 5}},
             count_dimension("D", 2, 300, {3, 7, 40}),
             epsilon_dimension(3.0)},
            [](const Point& p) {
                return p["B"] < p["D"] && p["eps"] <= p["B"] * (8.0 / p["sigma"] + 0.5);
            }};
}
Interval shift_of(double shift, const Point& p) {
    return Interval(shift, ratio_bits) / p["sigma"];
}
Mechanism with_replacement(const Point& p) {
    return FixedSizeWithReplacementGaussian{p["sigma"], p.integer("B"), p.integer("D")};
}
Ratio hits(double shift) {
    return [=](const Point& p, PayoffSide side) {
        return hits_ratio(p.integer("B"), p.integer("D"), shift_of(shift, p),
                          side == PayoffSide::addition);
    };
}

/// What two explicit data sets attain is at least the lower side, and little more.
Check attained_row(std::string id, const char* claim, Adjacency adjacency, MechanismAt mechanism,
                   Space space, std::function<Interval(const Point&)> attained) {
    Check row = library_row(std::move(id), claim, Relation::encloses,
                            with_steps(std::move(space), 1), 25, 400);
    row.oracle = "normal probabilities of two explicit data sets";
    row.evaluate = [=](const Point& p) {
        const std::array<Phase, 1> phase{Phase{mechanism(p), 1}};
        const double found = delta_of(phase, adjacency, p).lower.value;
        return Enclosure{found, found * (1.0 + room) + 1e-9};
    };
    row.truth = [=](const Point& p, long) { return attained(p); };
    row.widest = 2.0 * room;
    row.narrow_from = 1e-6;
    return row;
}

Interval larger_excess(const Ratio& ratio, const Point& p) {
    return max(ratio(p, PayoffSide::removal).excess(threshold(p)),
               ratio(p, PayoffSide::addition).excess(threshold(p)));
}

std::vector<Check> with_replacement_pairs() {
    std::vector<Check> rows;
    add_enclosed({"with_replacement_add_remove",
                  "draws with replacement: the straight path is a dominating pair, attained "
                  "(docs/proofs.md, E.5)",
                  Adjacency::add_remove, with_replacement, hits(2.0), hits_space()},
                 2, rows);
    add_upper({"with_replacement_replace_one",
               "draws with replacement under replace-one: the upper side is the pair that tells "
               "the hits (F.9)",
               Adjacency::replace_one, with_replacement,
               [](const Point& p, PayoffSide) {
                   return told_hits_ratio(p.integer("B"), p.integer("D"), shift_of(2.0, p));
               },
               hits_space()},
              2, rows);
    rows.push_back(
        attained_row("pld.with_replacement_replace_one.lower_one_step",
                     "its lower side is a record and its antipode, which all others are equal to",
                     Adjacency::replace_one, with_replacement, hits_space(),
                     [](const Point& p) { return larger_excess(hits(2.0), p); }));
    rows.push_back(attained_row("pld.with_replacement_zero_out.lower_one_step",
                                "under zero-out the lower side is a record among null ones",
                                Adjacency::zero_out, with_replacement, hits_space(),
                                [](const Point& p) { return larger_excess(hits(1.0), p); }));
    return rows;
}

// ---- fixed size without replacement against a null record --------------------------------------

Space null_space() {
    return {{noise_dimension("sigma", 0.7, 10.0), sampling_dimension(), epsilon_dimension(3.0)},
            [](const Point& p) { return p["eps"] <= 8.0 / p["sigma"] + 0.5; }};
}
Mechanism without_replacement(const Point& p) {
    return FixedSizeGaussian{p["sigma"], p["q"]};
}
Interval halved(const Point& p, bool addition) {
    return halved_excess(p["q"], shift_of(1.0, p), threshold(p), addition);
}

std::vector<Check> null_record_rows() {
    std::vector<Check> rows;
    add_upper({"fixed_size_zero_out",
               "a record against a null one in batches of fixed size: the upper side is the pair "
               "of Theorem 8, in either order",
               Adjacency::zero_out, without_replacement,
               [](const Point& p, PayoffSide side) {
                   return null_record_ratio(p["q"], shift_of(1.0, p), side == PayoffSide::addition);
               },
               null_space()},
              3, rows);
    rows.push_back(attained_row(
        "pld.fixed_size_zero_out.lower_one_step",
        "its lower side is the better of two data sets: all others null, or opposite to the record",
        Adjacency::zero_out, without_replacement, null_space(), [](const Point& p) {
            const Interval null =
                max(ratio_of(PayoffSide::removal, p["q"], 1.0, p["sigma"]).excess(threshold(p)),
                    ratio_of(PayoffSide::addition, p["q"], 1.0, p["sigma"]).excess(threshold(p)));
            return max(null, max(halved(p, false), halved(p, true)));
        }));
    return rows;
}

// ---- Poisson batches that are cut --------------------------------------------------------------

Mechanism truncated(const Point& p) {
    return TruncatedPoissonGaussian{p["sigma"], p.integer("b"), p.integer("n"), p.integer("B")};
}
Space truncated_space() {
    return {{noise_dimension("sigma", 0.7, 10.0),
             count_dimension("n", 3, 200, {5, 20}),
             {"b", Scale::linear, 1, 60, true, {1, 2, 5}},
             {"B", Scale::linear, 1, 90, true, {2, 8}},
             epsilon_dimension(2.0)},
            [](const Point& p) {
                const double mean = p["b"];
                return p["b"] <= 0.6 * p["n"] && p["B"] >= p["b"] && p["B"] <= 2.0 * mean + 6.0 &&
                       p["eps"] <= 6.0 / p["sigma"] + 0.3;
            }};
}

/// P(the others fill the batch).
Interval crowded(const Point& p, long others) {
    return binomial_tail({others, p["b"], p["n"]}, p.integer("B") - 1, ratio_bits);
}
/// How much larger than that a sum of geometric terms may be: as much as the first term's part of
/// the tail allows.
double room_of_tail(const Point& p, long others) {
    const double q = p["b"] / p["n"];
    const double quotient =
        (static_cast<double>(others) - p["B"]) * q / ((p["B"] + 1.0) * (1.0 - q));
    return quotient < 0.99 ? 1.001 / (1.0 - std::max(quotient, 0.0)) : 1e300;
}

/// Both pairs, told which.
Interval cut_excess(const Point& p, long others, const Ratio& whole, const Ratio& cut,
                    PayoffSide side) {
    const Interval full = crowded(p, others);
    return (1.0 - full) * whole(p, side).excess(threshold(p)) +
           full * cut(p, side).excess(threshold(p));
}
double part_of(const Point& p) {
    return p["b"] / p["n"];
}
Ratio sampled(double shift) {
    return [=](const Point& p, PayoffSide side) {
        return ratio_of(side, part_of(p), shift, p["sigma"]);
    };
}

struct CutRow {
    const char* id;
    const char* claim;
    Adjacency adjacency;
    Ratio whole;
    Ratio cut;
};

std::vector<Check> truncated_rows() {
    const CutRow cases[] = {
        {"add_remove",
         "one step, cut or not: a removal at distance 1 or, with the probability of "
         "a full batch, 2 (docs/proofs.md, T.11)",
         Adjacency::add_remove, sampled(1.0), sampled(2.0)},
        {"replace_one", "the same under replace-one: antipodal or symmetric",
         Adjacency::replace_one,
         [](const Point& p, PayoffSide) { return antipodal_ratio(part_of(p), shift_of(1.0, p)); },
         [](const Point& p, PayoffSide) { return symmetric_ratio(part_of(p), shift_of(2.0, p)); }},
        {"zero_out", "the same under zero-out: a removal or the pair of Theorem 8",
         Adjacency::zero_out, sampled(1.0), [](const Point& p, PayoffSide side) {
             return null_record_ratio(part_of(p), shift_of(1.0, p), side == PayoffSide::addition);
         }}};
    std::vector<Check> rows;
    for (const CutRow& one : cases)
        for (const PayoffSide side : payoff_sides) {
            const bool is_added = one.adjacency == Adjacency::add_remove;
            Check row = library_row(
                fmt::format("pld.truncated_poisson_{}.upper_{}_one_step", one.id, name_of(side)),
                one.claim, Relation::encloses, truncated_space(), 20, 300);
            row.oracle = "exact binomial tail and normal probabilities";
            row.evaluate = [=](const Point& p) {
                const std::array<Phase, 1> phase{Phase{truncated(p), 1}};
                const double found = side_of(delta_of(phase, one.adjacency, p), side).upper;
                const long others = p.integer("n") - (is_added ? 0 : 1);
                const double more = (room_of_tail(p, others) - 1.0) *
                                    crowded(p, others).upper_double() *
                                    one.cut(p, side).excess(threshold(p)).upper_double();
                return Enclosure{std::max(found / (1.0 + room) - more - 1e-9, 0.0), found};
            };
            row.truth = [=](const Point& p, long) {
                return cut_excess(p, p.integer("n") - (is_added ? 0 : 1), one.whole, one.cut, side);
            };
            rows.push_back(std::move(row));
        }
    return rows;
}

/// All others null: the record is drawn and stays with the probability q E min(1, B/(s+1)), s the
/// other records drawn.
Check truncated_lower_row() {
    Space space = truncated_space();
    space.dimensions.push_back({"adjacency", Scale::linear, 0, 2, true, {0, 1, 2}});
    Check row =
        library_row("pld.truncated_poisson.lower_one_step",
                    "the lower side of cut batches is at most what a record among null ones "
                    "tells",
                    Relation::at_most, std::move(space), 30, 400);
    row.oracle = "exact binomial masses and normal probabilities";
    row.evaluate = [](const Point& p) {
        const std::array<Phase, 1> phase{Phase{truncated(p), 1}};
        const DeltaBracket found =
            delta_of(phase, static_cast<Adjacency>(p.integer("adjacency")), p);
        return Enclosure{found.lower.value, found.upper.value};
    };
    row.truth = [](const Point& p, long) {
        const auto adjacency = static_cast<Adjacency>(p.integer("adjacency"));
        const long others = p.integer("n") - (adjacency == Adjacency::add_remove ? 0 : 1);
        Interval stays(0.0, ratio_bits);
        for (long s = 0; s <= others; ++s)
            stays += binomial_mass({others, p["b"], p["n"]}, s, ratio_bits) *
                     (static_cast<double>(std::min(s + 1, p.integer("B"))) /
                      Interval(static_cast<double>(s + 1), ratio_bits));
        const double q = part_of(p) * stays.upper_double();
        if (adjacency == Adjacency::replace_one)
            return antipodal_ratio(q, shift_of(1.0, p)).excess(threshold(p));
        return max(ratio_of(PayoffSide::removal, q, 1.0, p["sigma"]).excess(threshold(p)),
                   ratio_of(PayoffSide::addition, q, 1.0, p["sigma"]).excess(threshold(p)));
    };
    return row;
}

/// The same of the front door, whose lower side may rest on Renyi divergences.
Check truncated_front_door_row() {
    Check row = truncated_lower_row();
    row.id = "account.truncated_poisson.lower_one_step";
    row.claim = "and that of all accountants together as well";
    row.evaluate = [](const Point& p) {
        const Release release{static_cast<Adjacency>(p.integer("adjacency")), {{truncated(p), 1}}};
        return exactly(delta(release, p["eps"], goal_of(Effort::quick), 1e-9).lower.value);
    };
    return row;
}

// ---- shuffled epochs ---------------------------------------------------------------------------

Check shuffled_lower_row() {
    Space space{{noise_dimension("sigma", 0.8, 4.0),
                 {"batches", Scale::linear, 2, 20, true, {2, 5}},
                 epsilon_dimension(2.0)},
                [](const Point& p) { return p["eps"] * p["sigma"] <= 2.0; }};
    Check row = library_row("shuffle.two_epochs.lower",
                            "two shuffled epochs tell at least what their largest sums do, in the "
                            "better order (chua2025 Proposition 2.6)",
                            Relation::overlaps, std::move(space), 2, 24);
    row.oracle = "chords of one epoch's divergence under the other";
    row.evaluate = [](const Point& p) {
        const Release release(Adjacency::zero_out,
                              {{Shuffled{p["sigma"], p.integer("batches")}, 2}});
        const double found = delta(release, p["eps"], goal_of(Effort::normal), 1e-9).lower.value;
        return Enclosure{found, found * 1.02};
    };
    row.truth = [](const Point& p, long) {
        Interval best(0.0, ratio_bits);
        for (const bool addition : {false, true}) {
            const RatioDistribution one =
                largest_ratio(p.integer("batches"), shift_of(1.0, p), addition);
            best = max(best, product_excess(one, one, threshold(p), 200));
        }
        return best;
    };
    row.widest = 0.04;
    return row;
}

Check shuffled_epsilon_row() {
    const Space space{{noise_dimension("sigma", 0.4, 3.0),
                       {"batches", Scale::linear, 2, 20, true, {2, 5}},
                       {"delta", Scale::logarithmic, 1e-8, 0.05, false, {1e-5, 1e-3}}},
                      {}};
    Check row = library_row("shuffle.one_epoch.epsilon_lower",
                            "at the lower side of epsilon the largest sum of a shuffled epoch "
                            "still exceeds delta",
                            Relation::at_most, space, 12, 100);
    row.oracle = "one epoch's divergence in Arb, in the better order";
    const auto lower = [](const Point& p) {
        const Release release(Adjacency::zero_out,
                              {{Shuffled{p["sigma"], p.integer("batches")}, 1}});
        return epsilon(release, p["delta"], goal_of(Effort::quick)).lower.value;
    };
    row.evaluate = [lower](const Point& p) {  // 0 claims nothing
        return exactly(lower(p) > 0.0 ? p["delta"] : 0.0);
    };
    row.truth = [lower](const Point& p, long) {
        Point at = p;
        at.set("eps", lower(p));
        Interval best(0.0, ratio_bits);
        for (const bool addition : {false, true})
            best = max(best, largest_ratio(p.integer("batches"), shift_of(1.0, p), addition)
                                 .excess(threshold(at)));
        return best;
    };
    return row;
}

Check shuffled_upper_row() {
    Space space{{noise_dimension("sigma", 0.8, 8.0), count_dimension("batches", 2, 1e6, {2, 1000}),
                 count_dimension("epochs", 1, 100, {1, 2, 10}), epsilon_dimension(4.0)},
                [](const Point& p) {
                    const double mu = std::sqrt(p["epochs"]) / p["sigma"];
                    return p["eps"] <= 4.0 * mu + 0.5 * mu * mu;
                }};
    Check row = library_row("shuffle.epochs.upper",
                            "shuffled epochs are above by batches in a fixed order: one Gaussian "
                            "step an epoch (docs/proofs.md, T.9)",
                            Relation::encloses, std::move(space), 20, 200);
    row.oracle = "closed form";
    row.evaluate = [](const Point& p) {
        const Release release(Adjacency::zero_out,
                              {{Shuffled{p["sigma"], p.integer("batches")}, p.integer("epochs")}});
        const double found = delta(release, p["eps"], goal_of(Effort::quick), 1e-9).upper.value;
        return Enclosure{found / 1.02 - 1e-12, found};
    };
    row.truth = [](const Point& p, long) {
        return gaussian_steps_delta(p["epochs"], p["sigma"], p["eps"]);
    };
    return row;
}

}  // namespace

std::vector<Check> pld_neighbour_rows() {
    std::vector<Check> rows =
        joined({with_replacement_pairs, null_record_rows, truncated_rows, random_allocation_rows});
    rows.push_back(truncated_lower_row());
    rows.push_back(truncated_front_door_row());
    rows.push_back(shuffled_lower_row());
    rows.push_back(shuffled_epsilon_row());
    rows.push_back(shuffled_upper_row());
    return rows;
}

}  // namespace assay::verify
