#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "assay/account/trade_off_curve.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/checks/trade_off_parts.hpp"

// Curves of three outcomes, whose tests are enumerated: from samples that are close, and from a few
// that leave most of the curve to the chords and their extensions.

namespace assay::verify {

namespace {

using Masses = std::array<double, 3>;

/// In 64ths, which are exact.
Masses alternative(const Point& p) {
    return {p["p1"] / 64, p["p2"] / 64, 1.0 - (p["p1"] + p["p2"]) / 64};
}
Masses null(const Point& p) {
    return {p["q1"] / 64, p["q2"] / 64, 1.0 - (p["q1"] + p["q2"]) / 64};
}

Interval excess(const Masses& a, const Masses& b, const Interval& t) {
    Interval total(0.0, trade_off_bits);
    for (std::size_t i = 0; i < 3; ++i)
        total += max(Interval(0.0, trade_off_bits), a[i] - t * b[i]);
    return total;
}

DivergenceSample sample(const Point& p, double epsilon) {
    const auto side = [&](const Masses& a, const Masses& b) {
        const Interval value = excess(a, b, exp(Interval(epsilon, trade_off_bits)));
        return Enclosure{std::clamp(value.lower_double(), 0.0, 1.0),
                         std::clamp(value.upper_double(), 0.0, 1.0)};
    };
    return {epsilon, side(alternative(p), null(p)), side(null(p), alternative(p))};
}

TradeOffCurve close_curve(const Point& p) {
    return sampled_curve([&](double epsilon) { return sample(p, epsilon); }, {.reach = 4.5});
}
TradeOffCurve coarse_curve(const Point& p) {
    return TradeOffCurve(
        {sample(p, 0.0), sample(p, p["first"]), sample(p, p["first"] + p["next"])});
}

/// Of the second distribution against the first nothing is told.
TradeOffCurve half_known_curve(const Point& p) {
    return sampled_curve(
        [&](double epsilon) {
            DivergenceSample known = sample(p, epsilon);
            known.addition = {0.0, 1.0};
            return known;
        },
        {.reach = 4.5});
}

/// The least error of the other kind of any test of this level.
Interval missed_by_best(const Masses& a, const Masses& b, double level) {
    std::array<std::size_t, 3> order{0, 1, 2};  // by their ratio, the largest first
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return a[i] * b[j] > b[i] * a[j]; });
    Interval left(level, trade_off_bits);
    Interval missed(1.0, trade_off_bits);
    for (const std::size_t i : order) {
        // Exact but for the quotient, which is so too where both measures are the same.
        if (!certainly_at_most(Interval(b[i], trade_off_bits), left)) {
            missed -= left * a[i] / b[i];
            break;
        }
        missed -= Interval(a[i], trade_off_bits);
        left -= Interval(b[i], trade_off_bits);
    }
    return missed;
}

Interval error_at(const Point& p, long) {
    const Interval removal = missed_by_best(alternative(p), null(p), p["level"]);
    const Interval addition = missed_by_best(null(p), alternative(p), p["level"]);
    if (p["direction"] == 0.0) return removal;
    return p["direction"] == 1.0 ? addition : min(removal, addition);
}

TestDirection direction_of(const Point& p) {
    constexpr TestDirection directions[] = {TestDirection::removal, TestDirection::addition,
                                            TestDirection::worst};
    return directions[static_cast<std::size_t>(p.integer("direction"))];
}

Space outcomes_space(bool coarse) {
    Space space{{count_dimension("p1", 1, 30, {1, 20}),
                 count_dimension("p2", 1, 30, {1}),
                 count_dimension("q1", 1, 30, {30}),
                 count_dimension("q2", 1, 30, {1}),
                 linear_dimension("level", 0.002, 0.998, {0.05, 0.5}),
                 {"direction", Scale::linear, 0, 2, true, {0, 1, 2}}},
                {}};
    if (coarse) {
        space.dimensions.push_back(linear_dimension("first", 0.05, 1.5, {0.5}));
        space.dimensions.push_back(linear_dimension("next", 0.05, 2.0, {1.0}));
    }
    return space;
}

Check outcome_row(const char* id, const char* claim, Relation relation, Space space) {
    Check row = library_row(id, claim, relation, std::move(space), 40, 2000);
    row.oracle = "the test by enumeration, in intervals";
    return row;
}

/// The largest fall of the Bayes risk at any of many odds, and no less than it is between them:
/// both divergences fall with the odds.
std::pair<Interval, Interval> regret_between(const Point& p, long b) {
    Interval most(0.0, b);
    Interval above(0.0, b);
    constexpr int places = 60;
    Interval reported_before(0.0, b);
    Interval odds_before(1.0, b);
    for (int i = 0; i <= places; ++i) {
        const double eps = 6.0 * i / places;
        const Interval t = exp(Interval(eps, b));
        const Interval own =
            max(excess(alternative(p), null(p), t), excess(null(p), alternative(p), t));
        const Interval reported = gaussian_delta(Interval(p["mu"], b), eps);
        most = max(most, (reported - own) / (1.0 + t));
        if (i > 0) above = max(above, (reported_before - own) / (1.0 + odds_before));
        reported_before = reported;
        odds_before = t;
    }
    return {most, max(above, reported_before / (1.0 + odds_before))};
}

}  // namespace

std::vector<Check> trade_off_outcome_rows() {
    Check error = outcome_row("trade_off.three_outcomes.type_two_error",
                              "the type two error of three outcomes is that of the most powerful "
                              "test, in either direction and of the worse one",
                              Relation::encloses, outcomes_space(false));
    error.evaluate = [](const Point& p) {
        return close_curve(p).type_two_error(p["level"], direction_of(p));
    };
    error.truth = error_at;
    error.widest = 0.1;
    error.narrow_from = 1e-2;

    Check coarse_error = outcome_row("trade_off.three_outcomes.coarse_type_two_error",
                                     "also between a few samples, where it may be wide",
                                     Relation::encloses, outcomes_space(true));
    coarse_error.evaluate = [](const Point& p) {
        return coarse_curve(p).type_two_error(p["level"], direction_of(p));
    };
    coarse_error.truth = error_at;

    Check coarse_power = outcome_row("trade_off.three_outcomes.coarse_curve",
                                     "and its power as well (docs/proofs.md W.2)",
                                     Relation::encloses, outcomes_space(true));
    coarse_power.evaluate = [](const Point& p) {
        return coarse_curve(p).true_positive_rate(p["level"], direction_of(p));
    };
    coarse_power.truth = [](const Point& p, long b) { return 1.0 - error_at(p, b); };

    Check half_known = outcome_row(
        "trade_off.three_outcomes.half_known_curve",
        "where one order of the distributions is known alone, their total variation bounds the "
        "tests of the other",
        Relation::encloses, outcomes_space(false));
    half_known.evaluate = [](const Point& p) {
        return half_known_curve(p).true_positive_rate(p["level"], direction_of(p));
    };
    half_known.truth = coarse_power.truth;

    Check coarse_regret = outcome_row(
        "trade_off.three_outcomes.coarse_regret",
        "what reporting a mu costs is at least what any odds show, between samples as at them",
        Relation::at_least, outcomes_space(true));
    coarse_regret.space.dimensions[4] = positive_dimension("mu", 0.1, 4.0, {1.0});
    coarse_regret.space.dimensions.erase(coarse_regret.space.dimensions.begin() + 5);
    coarse_regret.evaluate = [](const Point& p) {
        const double mu = p["mu"];
        return coarse_curve(p).largest_excess([mu](double epsilon) {
            const Interval delta = gaussian_delta(Interval(mu, trade_off_bits), epsilon);
            return Enclosure{std::max(0.0, delta.lower_double()), delta.upper_double()};
        });
    };
    coarse_regret.quick_points = 16;
    coarse_regret.truth = [](const Point& p, long b) { return regret_between(p, b).first; };
    Check coarse_least = coarse_regret;
    coarse_least.id = "trade_off.three_outcomes.coarse_regret_lower";
    coarse_least.claim = "and at most what the best of them could show between two of many odds";
    coarse_least.relation = Relation::at_most;
    coarse_least.truth = [](const Point& p, long b) { return regret_between(p, b).second; };
    return {error, coarse_error, coarse_power, half_known, coarse_regret, coarse_least};
}

}  // namespace assay::verify
