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

constexpr long bits = trade_off_bits;

Space group_space() {
    return {{noise_dimension("sigma", 0.5, 10.0), probability_dimension(1e-3, 0.5),
             count_dimension("k", 2, 4, {2}), linear_dimension("z", -2.0, 6.0, {0.0})},
            {}};
}

Release one_step(const Point& p) {
    return {Adjacency::add_remove, {{SampledGaussian{p["sigma"], p["q"]}, 1}}};
}
TradeOff curve_of(const Point& p) {
    return TradeOff(one_step(p), {}, p.integer("k"));
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
    const Interval level = tail(Interval(p["z"], bits));
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
        return exactly(
            curve_of(p).true_positive_rate(levels_of(p).high, TestDirection::removal).upper.value);
    };
    rate.truth = power_against_all;
    Check misses =
        group_row("trade_off.group.type_two_error",
                  "and its type two error below that of this test", Relation::at_most, space);
    misses.evaluate = [](const Point& p) {
        return exactly(
            curve_of(p).type_two_error(levels_of(p).high, TestDirection::removal).lower.value);
    };
    misses.truth = [](const Point& p, long b) { return 1.0 - power_against_all(p, b); };
    Check mu = group_row("trade_off.group.smallest_mu",
                         "the smallest mu of the group is at least what this test shows",
                         Relation::at_least, often);
    mu.evaluate = [](const Point& p) {
        const double found = curve_of(p).gaussian_mu().mu.upper.value;
        return exactly(tail(Interval(p["z"], bits) - found).upper_double());
    };
    mu.truth = power_against_all;
    return {rate, misses, mu};
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
    row.evaluate = [](const Point& p) {
        return exactly(delta_of_group(one_step(p), p["eps"], p.integer("k"), goal_of(Effort::quick))
                           .upper.value);
    };
    row.truth = [](const Point& p, long b) {
        const Interval level = tail(Interval(p["z"], b));
        return max(Interval(0.0, b), power_against_all(p, b) - exp(Interval(p["eps"], b)) * level);
    };
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

}  // namespace

std::vector<Check> trade_off_group_rows() {
    std::vector<Check> rows = one_step_group_rows();
    rows.push_back(delta_row());
    rows.push_back(mixed_row());
    return rows;
}

}  // namespace assay::verify
