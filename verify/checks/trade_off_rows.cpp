#include <algorithm>
#include <cmath>

#include "assay/account/trade_off.hpp"
#include "assay/numeric/directed.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/checks/trade_off_parts.hpp"
#include "verify/oracles/arb_two_steps.hpp"
#include "verify/rows.hpp"

// What an attacker can do: tests of Neyman and Pearson in closed form, by their threshold z. The
// level of a threshold is no double: a curve has to contain the power at the doubles around it.

namespace assay::verify {

namespace {

using Curve = std::function<TradeOff(const Point&)>;
using Level = std::function<Interval(const Point&, long)>;

Enclosure around(const TradeOff& curve, const Interval& level, TestDirection direction) {
    const double low = std::clamp(level.lower_double(), 0.0, 1.0);
    const double high = std::clamp(level.upper_double(), 0.0, 1.0);
    return {curve.true_positive_rate(low, direction).lower.value,
            curve.true_positive_rate(high, direction).upper.value};
}

/// The power of the test at a threshold, between those of the curve at the levels around.
Check power_row(const std::string& id, const std::string& claim, const Space& space,
                const Curve& curve_at, const Level& level_at, const Level& power_at,
                TestDirection direction, Relation relation = Relation::encloses) {
    Check row = library_row(id, claim, relation, space, 12, 200);
    row.oracle = "the likelihood ratio test, by normal distribution functions in intervals";
    row.evaluate = [=](const Point& p) {
        return around(curve_at(p), level_at(p, trade_off_bits), direction);
    };
    row.truth = power_at;
    return row;
}

Space gaussian_space() {
    return {{noise_dimension("sigma", 0.3, 100.0),
             count_dimension("steps", 1, 1000, {1}),
             linear_dimension("z", -6.0, 20.0, {0.0, 7.0}),
             {"exchanged", Scale::linear, 0, 1, true, {0, 1}}},
            {}};
}

/// An exchanged record moves the sum by two clip norms.
Interval gaussian_mu_of(const Point& p, long b) {
    return (1.0 + p["exchanged"]) * sqrt(Interval(p["steps"], b)) * c_of(p, b);
}

std::vector<Check> gaussian_rows() {
    const auto curve = [](const Point& p) {
        return trade_off({p["exchanged"] == 1.0 ? Adjacency::replace_one : Adjacency::add_remove,
                          {{Gaussian{p["sigma"]}, p.integer("steps")}}});
    };
    const auto level = [](const Point& p, long b) { return tail(Interval(p["z"], b)); };
    const auto power = [](const Point& p, long b) {
        return tail(Interval(p["z"], b) - gaussian_mu_of(p, b));
    };
    Check rate = power_row("trade_off.gaussian.true_positive_rate",
                           "Gaussian steps have the trade-off function of two normal distributions "
                           "(docs/proofs.md W.3)",
                           gaussian_space(), curve, level, power, TestDirection::worst);
    rate.widest = 1e-10;
    Check error = library_row("trade_off.gaussian.type_two_error",
                              "and its type two error keeps its digits where it is small",
                              Relation::encloses, gaussian_space(), 12, 200);
    error.oracle = rate.oracle;
    error.evaluate = [=](const Point& p) {
        const Interval at = level(p, trade_off_bits);
        const TradeOff found = curve(p);
        return Enclosure{found.type_two_error(std::clamp(at.upper_double(), 0.0, 1.0)).lower.value,
                         found.type_two_error(std::clamp(at.lower_double(), 0.0, 1.0)).upper.value};
    };
    error.truth = [](const Point& p, long b) {
        return normal_cdf(Interval(p["z"], b) - gaussian_mu_of(p, b));
    };
    return {rate, error};
}

Space one_step_space() {
    return {{noise_dimension("sigma", 0.4, 10.0), probability_dimension(1e-4, 0.9),
             linear_dimension("z", -4.0, 7.0, {0.0})},
            {}};
}

TradeOff one_step_curve(const Point& p) {
    return trade_off({Adjacency::add_remove, {{SampledGaussian{p["sigma"], p["q"]}, 1}}});
}

std::vector<Check> one_step_rows() {
    const auto null_tail = [](const Point& p, long b) { return tail(Interval(p["z"], b)); };
    const auto mixed_tail = [](const Point& p, long b) {
        return mixture_tail(Interval(p["q"], b), c_of(p, b), Interval(p["z"], b));
    };
    // The other direction rejects below -z.
    const auto null_below = [](const Point& p, long b) { return normal_cdf(-Interval(p["z"], b)); };
    const auto mixed_below = [](const Point& p, long b) {
        const Interval q(p["q"], b);
        const Interval u = -Interval(p["z"], b);
        return (1.0 - q) * normal_cdf(u) + q * normal_cdf(u - c_of(p, b));
    };
    Check removal =
        power_row("trade_off.poisson.one_step.removal",
                  "one Poisson step: the test that claims the record was there", one_step_space(),
                  one_step_curve, null_tail, mixed_tail, TestDirection::removal);
    Check addition = power_row(
        "trade_off.poisson.one_step.addition", "one Poisson step: the test that claims it was not",
        one_step_space(), one_step_curve, mixed_below, null_below, TestDirection::addition);
    removal.widest = addition.widest = 1e-2;
    removal.narrow_from = addition.narrow_from = 1e-9;
    Check swapped =
        power_row("control.trade_off_one_direction_for_both",
                  "the curve of the direction addition is taken for that of removal",
                  one_step_space(), one_step_curve, null_tail, mixed_tail, TestDirection::addition);
    swapped.kind = Kind::control;
    return {removal, addition, swapped};
}

/// A test of two coordinates, in either direction.
struct TwoStepsRow {
    const char* name;
    const char* what;
    double hits;
    arb::TwoSteps::Kind kind;
    Release (*release)(const Point&);
};

std::vector<Check> two_steps_rows_of(const TwoStepsRow& row) {
    Space space{{noise_dimension("sigma", 0.5, 8.0), linear_dimension("z", -2.0, 5.0, {0.0})}, {}};
    if (row.kind == arb::TwoSteps::Kind::mixture)
        space.dimensions.push_back(probability_dimension(1e-3, 0.9));
    const auto probability = [row](const Point& p, long b, bool under_p, bool above) {
        const double q = row.kind == arb::TwoSteps::Kind::mixture ? p["q"] : 0.5;
        return arb::probability({row.kind, row.hits, p["sigma"], q}, p["z"], under_p, above, b);
    };
    const auto curve = [row](const Point& p) { return trade_off(row.release(p)); };
    std::vector<Check> rows;
    for (const bool removal : {true, false}) {
        // Where the record was there, the ratio is large: removal rejects above, with the null Q.
        Check check = power_row(
            std::string("trade_off.") + row.name + (removal ? ".removal" : ".addition"),
            std::string(row.what) + (removal ? ": the test that claims the record was there"
                                             : ": the test that claims it was not"),
            space, curve,
            [=](const Point& p, long) { return probability(p, 128, !removal, removal); },
            [=](const Point& p, long b) { return probability(p, b, removal, removal); },
            removal ? TestDirection::removal : TestDirection::addition);
        check.oracle = "the likelihood ratio test, by Arb's integral over the first coordinate";
        check.quick_points = 8;
        check.widest = 2e-2;
        check.narrow_from = 1e-9;
        rows.push_back(std::move(check));
    }
    return rows;
}

std::vector<Check> two_steps_rows() {
    using Kind = arb::TwoSteps::Kind;
    const TwoStepsRow samplers[] = {
        {"poisson.two_steps", "two Poisson steps (docs/proofs.md W.2)", 1.0, Kind::mixture,
         [](const Point& p) {
             return Release{Adjacency::add_remove, {{SampledGaussian{p["sigma"], p["q"]}, 2}}};
         }},
        {"fixed_size.two_steps", "two steps of fixed size, add/remove (docs/proofs.md W.2)", 2.0,
         Kind::mixture,
         [](const Point& p) {
             return Release{Adjacency::add_remove, {{FixedSizeGaussian{p["sigma"], p["q"]}, 2}}};
         }},
        {"balls_and_bins.two_batches", "one epoch of two batches (docs/proofs.md W.2)", 1.0,
         Kind::bins,
         [](const Point& p) {
             return Release{Adjacency::zero_out, {{BallsAndBins{p["sigma"], 2}, 1}}};
         }},
    };
    std::vector<Check> rows;
    for (const TwoStepsRow& sampler : samplers)
        for (Check& row : two_steps_rows_of(sampler)) rows.push_back(std::move(row));
    // One step's level and power in the place of two: the test is another one.
    Check one = rows.front();
    one.id = "control.trade_off_one_step_for_two";
    one.claim = "the curve of one step is taken for that of two";
    one.kind = verify::Kind::control;
    const auto level = [](const Point& p) {
        return arb::probability({Kind::mixture, 1.0, p["sigma"], p["q"]}, p["z"], false, true, 128);
    };
    one.evaluate = [level](const Point& p) {
        return around(one_step_curve(p), level(p), TestDirection::removal);
    };
    rows.push_back(std::move(one));
    return rows;
}

/// How far the power of a normal test exceeds that of one Poisson step where that is least, at the
/// levels at which both errors are at least `smallest` >= 0.01, so that the threshold is between
/// -2.5 and 2.5: below all of them, above some.
Enclosure least_excess(const Point& p, double mu, double smallest) {
    struct Test {
        Interval level, power, normal_power;
    };
    constexpr long few_bits = 80;  // enough for margins of 1e-20
    const Interval q(p["q"], few_bits);
    const Interval c = c_of(p, few_bits);
    const auto test = [&](double threshold) {
        const Interval z(threshold, few_bits);
        return Test{tail(z), mixture_tail(q, c, z), tail(z - mu)};
    };
    Enclosure least{1.0, 1.0};
    Test here = test(-2.5);
    for (int i = -159; i <= 160; ++i) {
        Test next = test(i / 64.0);
        if (here.level.upper_double() >= smallest && (1.0 - next.power).upper_double() >= smallest)
            least.lower = std::min(least.lower, (next.normal_power - here.power).lower_double());
        if (here.level.lower_double() >= smallest && (1.0 - here.power).lower_double() >= smallest)
            least.upper = std::min(least.upper, (here.normal_power - here.power).upper_double());
        here = std::move(next);
    }
    return least;
}

/// The smallest mu is not below what one level shows, nor above the release without amplification.
std::vector<Check> mu_rows() {
    Check from_level = library_row("trade_off.smallest_mu.above_every_level",
                                   "the smallest mu of one Poisson step is at least what any level "
                                   "shows (docs/proofs.md W.3)",
                                   Relation::at_least, one_step_space(), 12, 200);
    from_level.oracle = "delta of normal distributions at that mu, in intervals";
    // Of N(0,1) and N(mu,1) at mu = upper side: the power at the level of z is no smaller.
    from_level.evaluate = [](const Point& p) {
        const double mu = one_step_curve(p).gaussian_mu().mu.upper.value;
        return exactly(tail(Interval(p["z"], trade_off_bits) - mu).upper_double());
    };
    from_level.truth = [](const Point& p, long b) {
        return mixture_tail(Interval(p["q"], b), c_of(p, b), Interval(p["z"], b));
    };
    Check of_visible =
        library_row("trade_off.smallest_mu.of_visible_errors",
                    "the same at levels where both errors are at least 1e-6", Relation::at_least,
                    {{noise_dimension("sigma", 0.5, 10.0), probability_dimension(1e-2, 0.9),
                      linear_dimension("z", -1.0, 4.7, {0.0})},
                     {}},
                    12, 200);
    of_visible.oracle = from_level.oracle;
    of_visible.evaluate = [](const Point& p) {
        const double mu = one_step_curve(p).gaussian_mu(1e-6).mu.upper.value;
        return exactly(tail(Interval(p["z"], trade_off_bits) - mu).upper_double());
    };
    of_visible.truth = [](const Point& p, long b) {
        const Interval power = mixture_tail(Interval(p["q"], b), c_of(p, b), Interval(p["z"], b));
        // Where the type two error is smaller nothing is claimed.
        return power.upper_double() > 1.0 - 1e-6 ? Interval(0.0, b) : power;
    };
    Check shown = library_row("trade_off.smallest_mu.shown_by_visible_errors",
                              "mu from below is shown by a level at which both errors are at "
                              "least as large as said (docs/proofs.md W.3)",
                              Relation::at_most,
                              {{noise_dimension("sigma", 0.25, 4.0),
                                {"q", Scale::linear, 0.05, 1.0, false, {0.5, 1.0}},
                                linear_dimension("error", 0.01, 0.49, {0.2, 0.4})},
                               {}},
                              12, 100);
    shown.oracle = from_level.oracle;
    const auto step = [](const Point& p) {
        const Mechanism one =
            p["q"] == 1.0 ? Mechanism(Gaussian{p["sigma"]}) : SampledGaussian{p["sigma"], p["q"]};
        return trade_off({Adjacency::add_remove, {{one, 1}}});
    };
    shown.evaluate = [step](const Point& p) {
        const double mu = step(p).gaussian_mu(p["error"]).mu.lower.value;
        return exactly(mu == 0.0 ? 0.0 : least_excess(p, mu, p["error"]).lower);
    };
    shown.truth = [](const Point&, long b) { return Interval(0.0, b); };
    Check enough = shown;
    enough.id = "trade_off.smallest_mu.enough_at_visible_errors";
    enough.claim = "mu from above is enough at all levels at which both errors are that large";
    enough.relation = Relation::at_least;
    enough.evaluate = [step](const Point& p) {
        return exactly(
            least_excess(p, step(p).gaussian_mu(p["error"]).mu.upper.value, p["error"]).upper);
    };
    Check from_epsilon = library_row("control.trade_off_mu_from_one_epsilon",
                                     "mu from delta at epsilon 0 alone by the Gaussian formula",
                                     Relation::at_least, one_step_space(), 12, 200);
    from_epsilon.kind = Kind::control;
    from_epsilon.oracle = from_level.oracle;
    from_epsilon.evaluate = [](const Point& p) {
        // 2 Phi(mu/2) - 1 = delta(0), by bisection.
        const double advantage = one_step_curve(p).advantage().upper.value;
        double low = 0.0;
        double high = 10.0;
        while (high - low > 1e-12) {
            const double mu = 0.5 * (low + high);
            (std::erf(mu / std::sqrt(8.0)) < advantage ? low : high) = mu;
        }
        return exactly(tail(Interval(p["z"], trade_off_bits) - high).upper_double());
    };
    from_epsilon.truth = from_level.truth;
    return {from_level, of_visible, shown, enough, from_epsilon};
}

/// Masses of three outcomes in 64ths, and a threshold between them.
std::vector<Check> three_outcomes_rows() {
    const Space space{{count_dimension("p1", 1, 30, {1, 20}),
                       count_dimension("p2", 1, 30, {1}),
                       count_dimension("q1", 1, 30, {30}),
                       count_dimension("q2", 1, 30, {1}),
                       linear_dimension("part", 0.0, 1.0, {0.0, 1.0}),
                       {"test", Scale::linear, 0, 2, true, {0, 1, 2}}},
                      {}};
    struct Outcome {
        double p;
        double q;
    };
    // By their ratio, the largest first.
    const auto outcomes = [](const Point& point) {
        std::vector<Outcome> all{
            {point["p1"] / 64, point["q1"] / 64},
            {point["p2"] / 64, point["q2"] / 64},
            {1.0 - (point["p1"] + point["p2"]) / 64, 1.0 - (point["q1"] + point["q2"]) / 64}};
        std::sort(all.begin(), all.end(),
                  [](const Outcome& a, const Outcome& b) { return a.p * b.q > b.p * a.q; });
        return all;
    };
    // All outcomes before the threshold, and a part of the next one.
    const auto sum = [outcomes](const Point& p, long b, double Outcome::*mass) {
        const auto all = outcomes(p);
        const auto test = static_cast<std::size_t>(p.integer("test"));
        Interval total(0.0, b);
        for (std::size_t i = 0; i < test; ++i) total += Interval(all[i].*mass, b);
        return total + p["part"] * Interval(all[test].*mass, b);
    };
    Check row = library_row("trade_off.three_outcomes.curve",
                            "the curve from samples of both divergences contains every "
                            "Neyman-Pearson test of three outcomes (docs/proofs.md W.2)",
                            Relation::encloses, space, 40, 2000);
    row.oracle = "the test by enumeration, in intervals";
    const auto make = [outcomes](const Point& p, bool one_direction) {
        const auto all = outcomes(p);
        const auto divergence = [all](double epsilon, bool removal) {
            const Interval t = exp(Interval(epsilon, trade_off_bits));
            Interval total(0.0, trade_off_bits);
            for (const Outcome& outcome : all)
                total += max(Interval(0.0, trade_off_bits),
                             removal ? outcome.p - t * outcome.q : outcome.q - t * outcome.p);
            return Enclosure{std::clamp(total.lower_double(), 0.0, 1.0),
                             std::clamp(total.upper_double(), 0.0, 1.0)};
        };
        return sampled_curve(
            [=](double epsilon) {
                const Enclosure removal = divergence(epsilon, true);
                return DivergenceSample{epsilon, removal,
                                        one_direction ? removal : divergence(epsilon, false)};
            },
            {.reach = 4.5});
    };
    row.evaluate = [=](const Point& p) {
        const Interval level = sum(p, trade_off_bits, &Outcome::q);
        const TradeOffCurve curve = make(p, false);
        return Enclosure{curve
                             .true_positive_rate(std::clamp(level.lower_double(), 0.0, 1.0),
                                                 TestDirection::removal)
                             .lower,
                         curve
                             .true_positive_rate(std::clamp(level.upper_double(), 0.0, 1.0),
                                                 TestDirection::removal)
                             .upper};
    };
    row.truth = [=](const Point& p, long b) { return sum(p, b, &Outcome::p); };
    row.widest = 1e-3;
    Check symmetrised = row;
    symmetrised.id = "control.trade_off_symmetrised";
    symmetrised.claim = "the divergence of one direction is taken for both";
    symmetrised.kind = Kind::control;
    symmetrised.evaluate = [=](const Point& p) {
        const Interval level = sum(p, trade_off_bits, &Outcome::q);
        const TradeOffCurve curve = make(p, true);
        const double low = std::clamp(level.lower_double(), 0.0, 1.0);
        const double high = std::clamp(level.upper_double(), 0.0, 1.0);
        return Enclosure{curve.true_positive_rate(low, TestDirection::removal).lower,
                         curve.true_positive_rate(high, TestDirection::removal).upper};
    };
    Check raw = row;
    raw.id = "control.trade_off_delta_as_the_curve";
    raw.claim = "delta at epsilon 0 and the level are added up: 1 - (1 - delta)";
    raw.kind = Kind::control;
    raw.evaluate = [=](const Point& p) {
        const TradeOffCurve curve = make(p, false);
        const Enclosure delta = curve.samples().front().removal;
        return Enclosure{delta.lower, delta.upper};
    };
    return {row, symmetrised, raw};
}

}  // namespace

std::vector<Check> trade_off_rows() {
    return joined({gaussian_rows, one_step_rows, two_steps_rows, trade_off_group_rows, mu_rows,
                   three_outcomes_rows, trade_off_outcome_rows, trade_off_reading_rows});
}

}  // namespace assay::verify
