#include <algorithm>
#include <cmath>

#include "assay/account/group_risk.hpp"
#include "assay/account/trade_off.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/checks/trade_off_parts.hpp"

// Groups of records: the test against all of them at once, whose level and power are normal tails.

namespace assay::verify {

namespace {

Space group_space() {
    return {{noise_dimension("sigma", 0.5, 10.0), probability_dimension(1e-3, 0.5),
             count_dimension("k", 2, 4, {2}), linear_dimension("z", -2.0, 6.0, {0.0})},
            {}};
}

Release group_step(const Point& p) {
    return {Adjacency::add_remove, {{SampledGaussian{p["sigma"], p["q"]}, 1}}};
}
TradeOff group_curve(const Point& p) {
    return TradeOff(group_step(p), {}, p.integer("k"));
}

/// P(z > u) where each of k records is drawn by itself.
Interval power_against_all(const Point& p, long b) {
    const Interval q(p["q"], b);
    const long k = p.integer("k");
    Interval sum(0.0, b);
    Interval binomial(1.0, b);
    for (long j = 0; j <= k; ++j) {
        sum += binomial * power(q, j) * power(1.0 - q, k - j) *
               tail(Interval(p["z"], b) - static_cast<double>(j) * c_of(p, b));
        binomial = binomial * static_cast<double>(k - j) / static_cast<double>(j + 1);
    }
    return sum;
}

/// The level of the threshold z as doubles around it.
struct Levels {
    double low;
    double high;
};
Levels levels_of(const Point& p) {
    const Interval level = tail(Interval(p["z"], trade_off_bits));
    return {std::clamp(level.lower_double(), 0.0, 1.0), std::clamp(level.upper_double(), 0.0, 1.0)};
}

Check group_row(const char* id, const char* claim, Relation relation, const Space& space) {
    Check row = library_row(id, claim, relation, space, 12, 200);
    row.oracle = "the test against all records, by normal distribution functions in intervals";
    return row;
}

std::vector<Check> one_step_group_rows() {
    const Space space = group_space();
    Space often = space;  // where the test against all of them shows more than one record does
    often.dimensions[1] = probability_dimension(0.2, 0.9);
    often.dimensions[3] = linear_dimension("z", 1.0, 6.0, {3.0});
    Check rate = group_row("trade_off.group.poisson_one_step",
                           "k records in one Poisson step: the upper side is above the test "
                           "against all of them (docs/proofs.md W.6)",
                           Relation::at_least, space);
    rate.evaluate = [](const Point& p) {
        return exactly(group_curve(p)
                           .true_positive_rate(levels_of(p).high, TestDirection::removal)
                           .upper.value);
    };
    rate.truth = power_against_all;
    Check misses =
        group_row("trade_off.group.type_two_error",
                  "and its type two error below that of this test", Relation::at_most, space);
    misses.evaluate = [](const Point& p) {
        return exactly(
            group_curve(p).type_two_error(levels_of(p).high, TestDirection::removal).lower.value);
    };
    misses.truth = [](const Point& p, long b) { return 1.0 - power_against_all(p, b); };
    Check mu = group_row("trade_off.group.smallest_mu",
                         "the smallest mu of the group is at least what this test shows",
                         Relation::at_least, often);
    mu.evaluate = [](const Point& p) {
        const double found = group_curve(p).gaussian_mu().mu.upper.value;
        return exactly(tail(Interval(p["z"], trade_off_bits) - found).upper_double());
    };
    mu.truth = power_against_all;
    return {rate, misses, mu};
}

void compare_deltas(Check& row) {
    row.evaluate = [](const Point& p) {
        return exactly(
            delta_of_group(group_step(p), p["eps"], p.integer("k"), goal_of(Effort::quick))
                .upper.value);
    };
    row.truth = [](const Point& p, long b) {
        const Interval level = tail(Interval(p["z"], b));
        return max(Interval(0.0, b), power_against_all(p, b) - exp(Interval(p["eps"], b)) * level);
    };
}

/// So many records that one of them is drawn for certain, to a double, among the ordinary ones.
Check delta_row() {
    Space space = group_space();
    space.dimensions[2] = count_dimension("k", 2, 400, {2, 3, 400});
    space.dimensions.push_back(probability_dimension(1e-3, 0.9));
    space.dimensions.erase(space.dimensions.begin() + 1);
    space.dimensions.push_back({"eps", Scale::linear, 0.0, 3.0, false, {0.0, 1.0}});
    Check row = group_row("trade_off.group.delta",
                          "delta of k records is at least power - e^eps level of this test",
                          Relation::at_least, space);
    compare_deltas(row);
    return row;
}

/// A Gaussian step beside one that hardly draws: the test looks at the former alone.
Check mixed_row() {
    Check row =
        group_row("trade_off.group.gaussian_beside_sampled",
                  "k records in a Gaussian step and a sampled one: above the test of the former",
                  Relation::at_least,
                  {{noise_dimension("sigma", 0.5, 10.0), count_dimension("k", 2, 4, {2}),
                    linear_dimension("z", -2.0, 6.0, {0.0})},
                   {}});
    row.quick_points = 4;
    row.full_points = 60;
    row.evaluate = [](const Point& p) {
        const Release release{Adjacency::add_remove,
                              {{Gaussian{p["sigma"]}, 1}, {SampledGaussian{20.0, 1e-4}, 1}}};
        return exactly(TradeOff(release, goal_of(Effort::quick), p.integer("k"))
                           .true_positive_rate(levels_of(p).high)
                           .upper.value);
    };
    row.truth = [](const Point& p, long b) {
        return tail(Interval(p["z"], b) - p["k"] * c_of(p, b));
    };
    return row;
}

/// e^eps is beyond the range of the library's numbers.
Check far_epsilon_row() {
    Check row =
        group_row("trade_off.group.far_epsilon",
                  "delta of k records at an epsilon whose exponential overflows is at "
                  "least power - e^eps level of this test",
                  Relation::at_least,
                  {{noise_dimension("sigma", 0.005, 0.02), probability_dimension(0.1, 0.9),
                    count_dimension("k", 2, 8, {6}), linear_dimension("z", 150.0, 400.0, {200.0}),
                    linear_dimension("eps", 11'000.0, 20'000.0, {11'357.0, 12'000.0})},
                   {}});
    compare_deltas(row);
    return row;
}

/// The probability that h of a batch of B of n records are of k: with or without replacement.
Interval drawn(long h, const Point& p, long b) {
    const Interval n(p["n"], b);
    const long batch = p.integer("B");
    const bool is_replaced = p.integer("replaced") == 1;
    Interval weight(1.0, b);
    for (long i = 0; i < batch; ++i) {
        const auto taken = [&](long before) {
            return is_replaced ? 0.0 : static_cast<double>(before);
        };
        const Interval left = n - taken(i);
        weight = weight * (i < h ? (p["k"] - taken(i)) / left : (n - p["k"] - taken(i - h)) / left);
        weight = weight * static_cast<double>(i < h ? batch - i : 1) /
                 static_cast<double>(i < h ? i + 1 : 1);
    }
    return weight;
}

/// All others are opposite to the records of the group: each of those that is drawn moves the sum
/// by two norms.
Check fixed_size_row() {
    Check row = group_row("trade_off.group.fixed_size",
                          "k of n records in a batch of fixed size: the upper side is above the "
                          "test against all of them",
                          Relation::at_least,
                          {{noise_dimension("sigma", 0.3, 10.0),
                            count_dimension("n", 12, 1000, {12, 60}),
                            count_dimension("B", 1, 3, {1, 3}),
                            count_dimension("k", 2, 5, {2, 5}),
                            linear_dimension("z", -2.0, 8.0, {1.0}),
                            {"replaced", Scale::linear, 0, 1, true, {0, 1}}},
                           {}});
    row.quick_points = 8;
    row.full_points = 60;
    row.evaluate = [](const Point& p) {
        const Mechanism step = p.integer("replaced") == 1
                                   ? Mechanism(FixedSizeWithReplacementGaussian{
                                         p["sigma"], p.integer("B"), p.integer("n")})
                                   : Mechanism(FixedSizeGaussian{p["sigma"], p["B"] / p["n"]});
        return exactly(
            TradeOff({Adjacency::add_remove, {{step, 1}}}, goal_of(Effort::quick), p.integer("k"))
                .true_positive_rate(levels_of(p).high, TestDirection::removal)
                .upper.value);
    };
    row.truth = [](const Point& p, long b) {
        Interval sum(0.0, b);
        for (long h = 0; h <= p.integer("B"); ++h)
            sum += drawn(h, p, b) *
                   tail(Interval(p["z"], b) - 2.0 * static_cast<double>(h) * c_of(p, b));
        return sum;
    };
    return row;
}

}  // namespace

std::vector<Check> trade_off_group_rows() {
    std::vector<Check> rows = one_step_group_rows();
    rows.push_back(delta_row());
    rows.push_back(far_epsilon_row());
    rows.push_back(fixed_size_row());
    rows.push_back(mixed_row());
    return rows;
}

}  // namespace assay::verify
