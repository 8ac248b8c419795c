#include <algorithm>
#include <cmath>

#include "assay/account/trade_off.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/checks/trade_off_parts.hpp"

// What is read off a trade-off function, for one Poisson step: its most powerful test has a
// threshold z, whose level and power are normal tails.

namespace assay::verify {

namespace {

Space step_space() {
    return {{noise_dimension("sigma", 0.4, 10.0), probability_dimension(1e-3, 0.9),
             linear_dimension("z", -2.0, 5.0, {0.0}),
             linear_dimension("prior", 0.01, 0.99, {0.1, 0.5})},
            {}};
}

TradeOff curve_of(const Point& p) {
    return trade_off({Adjacency::add_remove, {{SampledGaussian{p["sigma"], p["q"]}, 1}}});
}

Interval level_of(const Point& p, long b) {
    return tail(Interval(p["z"], b));
}
Interval power_of(const Point& p, long b) {
    return mixture_tail(Interval(p["q"], b), c_of(p, b), Interval(p["z"], b));
}

Check reading_row(const char* id, const char* claim, Relation relation = Relation::encloses) {
    Check row = library_row(id, claim, relation, step_space(), 12, 200);
    row.oracle = "the likelihood ratio test, by normal distribution functions in intervals";
    return row;
}

/// A quantity that falls with the level, between its sides at the doubles around the level.
using Reading = Bracket (*)(const TradeOff&, double level, double prior);
std::function<Enclosure(const Point&)> falling(Reading reading) {
    return [reading](const Point& p) {
        const Interval level = level_of(p, trade_off_bits);
        const TradeOff curve = curve_of(p);
        return Enclosure{reading(curve, level.upper_double(), p["prior"]).lower.value,
                         reading(curve, level.lower_double(), p["prior"]).upper.value};
    };
}

constexpr TestDirection removal = TestDirection::removal;

std::vector<Check> posterior_rows() {
    Check positive = reading_row("trade_off.positive_predictive_value",
                                 "a positive answer of the most powerful test is right with the "
                                 "probability of Bayes' rule");
    positive.evaluate = falling([](const TradeOff& curve, double level, double prior) {
        return curve.positive_predictive_value(level, prior, removal);
    });
    positive.truth = [](const Point& p, long b) {
        const Interval yes = p["prior"] * power_of(p, b);
        return yes / (yes + (1.0 - Interval(p["prior"], b)) * level_of(p, b));
    };
    Check odds = reading_row("trade_off.posterior_odds",
                             "with odds that are the likelihood ratio "
                             "of a positive answer times those before");
    odds.evaluate = falling([](const TradeOff& curve, double level, double prior) {
        return curve.posterior_odds(level, prior, removal);
    });
    odds.truth = [](const Point& p, long b) {
        const Interval prior(p["prior"], b);
        return prior / (1.0 - prior) * power_of(p, b) / level_of(p, b);
    };
    // It grows with the level.
    Check negative = reading_row("trade_off.negative_predictive_value",
                                 "and a negative one likewise, from the type two error");
    negative.evaluate = [](const Point& p) {
        const Interval level = level_of(p, trade_off_bits);
        const TradeOff curve = curve_of(p);
        return Enclosure{
            curve.negative_predictive_value(level.lower_double(), p["prior"], removal).lower.value,
            curve.negative_predictive_value(level.upper_double(), p["prior"], removal).upper.value};
    };
    negative.truth = [](const Point& p, long b) {
        const Interval right = (1.0 - Interval(p["prior"], b)) * (1.0 - level_of(p, b));
        return right / (right + p["prior"] * (1.0 - power_of(p, b)));
    };
    for (Check* row : {&positive, &odds, &negative}) {
        row->widest = 2e-2;
        row->narrow_from = 1e-9;
    }
    return {positive, odds, negative};
}

/// The decision whose threshold is where the likelihood ratio equals the odds against it.
Check risk_row() {
    Check row = reading_row("trade_off.bayes_risk",
                            "no decision errs less often than that by the likelihood ratio");
    row.evaluate = [](const Point& p) {
        const Bracket found = curve_of(p).bayes_risk(p["prior"]);
        return Enclosure{found.lower.value, found.upper.value};
    };
    row.truth = [](const Point& p, long b) {
        const Interval prior(p["prior"], b);
        const Interval smaller = min(prior, 1.0 - prior);
        const Interval odds = (1.0 - smaller) / smaller;
        const Interval excess = (odds - 1.0) / p["q"] + 1.0;
        const Interval c = c_of(p, b);
        const Interval z = log(excess) / c + c / 2.0;
        return smaller * (1.0 - mixture_tail(Interval(p["q"], b), c, z)) +
               (1.0 - smaller) * tail(z);
    };
    row.widest = 1e-3;
    return row;
}

std::vector<Check> attack_bounds() {
    Check rebuilt = reading_row("trade_off.reconstruction",
                                "a test of that level is a reconstruction: the bound is above it",
                                Relation::at_least);
    rebuilt.evaluate = [](const Point& p) {
        return exactly(
            curve_of(p).reconstruction(level_of(p, trade_off_bits).upper_double()).upper.value);
    };
    rebuilt.truth = power_of;
    Check singled = reading_row("trade_off.singling_out",
                                "a predicate of that weight for each of n records: above n times "
                                "the power, and at most 1",
                                Relation::encloses);
    singled.space.dimensions[3] = count_dimension("n", 1, 1000, {1, 2});
    singled.evaluate = [](const Point& p) {
        const double found =
            curve_of(p)
                .singling_out(level_of(p, trade_off_bits).upper_double(), p.integer("n"))
                .upper.value;
        return Enclosure{found * 0.98, found};
    };
    singled.truth = [](const Point& p, long b) {
        return min(Interval(1.0, b), p["n"] * power_of(p, b));
    };
    return {rebuilt, singled};
}

/// The regret of a mu is at least the Bayes risk's fall at any one prior.
Check regret_row() {
    Check row = reading_row("trade_off.regret",
                            "reporting mu costs at least what the odds e^eps show (docs/proofs.md "
                            "W.3)",
                            Relation::at_least);
    row.space.dimensions[2] = {"eps", Scale::linear, 0.0, 3.0, false, {0.0}};
    row.space.dimensions[3] = positive_dimension("mu", 0.05, 4.0, {1.0});
    row.evaluate = [](const Point& p) { return exactly(curve_of(p).regret(p["mu"]).upper.value); };
    row.truth = [](const Point& p, long b) {
        const Interval t = exp(Interval(p["eps"], b));
        const Interval c = c_of(p, b);
        const Interval z = log((t - 1.0) / p["q"] + 1.0) / c + c / 2.0;
        const Interval own = mixture_tail(Interval(p["q"], b), c, z) - t * tail(z);
        return max(Interval(0.0, b),
                   (gaussian_delta(Interval(p["mu"], b), p["eps"]) - own) / (1.0 + t));
    };
    return row;
}

/// At the smallest levels a draw that is rare costs no more than a factor q of power.
Check mu_row() {
    const Space space{{{"sigma",
                        Scale::logarithmic,
                        1e-8,
                        10.0,
                        false,
                        {1e-8, 3.6e-8, 1e-6, 1e-4, 1e-3, 0.01, 1.0}},
                       probability_dimension(1e-9, 0.9),
                       count_dimension("T", 1, 1000, {1, 29})},
                      {}};
    Check row = library_row("trade_off.smallest_mu.poisson",
                            "over all levels mu is that of steps which all draw the record "
                            "(docs/proofs.md W.3)",
                            Relation::encloses, space, 12, 200);
    row.oracle = "the root of the steps over the noise";
    row.evaluate = [](const Point& p) {
        const Bracket found = gaussian_mu({Adjacency::add_remove,
                                           {{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}}})
                                  .mu;
        return Enclosure{found.lower.value, found.upper.value};
    };
    row.truth = [](const Point& p, long b) { return sqrt(Interval(p["T"], b)) * c_of(p, b); };
    return row;
}

/// One step whose neighbours are a release of null records and one in which a record shifts the
/// output by c with the probability w: drawn, kept, or every draw of its batch.
struct RareShift {
    Release release;
    Interval c;
    Interval w;
};
RareShift rare_shift(const Point& p, long b) {
    const double noise = p["sigma"];
    const std::int64_t size = p.integer("B");
    const std::int64_t records = p.integer("D");
    const Interval one = c_of(p, b);
    const Interval q = Interval::integer(size, b) / Interval::integer(records, b);
    const Interval filled = power(1.0 / Interval::integer(records, b), size);
    const Mechanism with_replacement = FixedSizeWithReplacementGaussian{noise, size, records};
    const auto step = [](Adjacency adjacency, Mechanism mechanism) {
        return Release{adjacency, {{mechanism, 1}}};
    };
    switch (p.integer("release")) {
        case 0:
            return {step(Adjacency::zero_out,
                         FixedSizeGaussian{
                             noise, static_cast<double>(size) / static_cast<double>(records)}),
                    one, q};
        case 1: return {step(Adjacency::zero_out, with_replacement), p["B"] * one, filled};
        default:  // at worst all others are drawn as well
            return {step(p.integer("release") == 2 ? Adjacency::zero_out : Adjacency::add_remove,
                         TruncatedPoissonGaussian{noise, size, records, size}),
                    one, q * q};
    }
}

/// A test of level P(N_0 > z) has at least the power w P(N_0 > z - c), which is above
/// P(N_0 > x) at x^2 = (z - c)^2 + 2 log(1/w) + 2: mu is at least z - x.
Check rare_shift_row() {
    const Space space{{noise_dimension("sigma", 0.3, 10.0),
                       count_dimension("B", 1, 6, {1, 2}),
                       count_dimension("D", 7, 1000, {7}),
                       {"release", Scale::linear, 0, 3, true, {0, 1, 2, 3}}},
                      {}};
    Check row = library_row("trade_off.smallest_mu.rare_shift",
                            "the smallest mu's lower side is shown by tests far out "
                            "(docs/proofs.md W.3 (d))",
                            Relation::at_most, space, 15, 60);
    row.oracle = "bounds of normal tails, with the factor 1.03 for a level that is finite";
    row.evaluate = [](const Point& p) {
        return exactly(
            smallest_mu(rare_shift(p, trade_off_bits).release, goal_of(Effort::quick)).lower.value);
    };
    row.truth = [](const Point& p, long b) {
        const RareShift rare = rare_shift(p, b);
        const Interval cost = 1.0 - log(rare.w);
        const Interval beyond = 100.0 * cost / rare.c;
        return 1.03 * (rare.c + beyond - sqrt(beyond * beyond + 2.0 * cost));
    };
    return row;
}

/// That every step draws the record has the probability q^T; the sum of the outputs then has the
/// power of T Gaussian steps.
Check tiny_level_row() {
    const Space space{
        {noise_dimension("sigma", 0.5, 10.0), linear_dimension("q", 0.999, 0.99999, {0.9999}),
         count_dimension("T", 100, 10000, {1000}), linear_dimension("z", 8.0, 37.0, {20.0, 37.0})},
        {}};
    Check row = library_row("trade_off.tiny_levels.drawn_always",
                            "at levels down to 1e-300 the upper side is above the test of the sum "
                            "where all steps draw the record",
                            Relation::at_least, space, 6, 40);
    row.oracle = "normal distribution functions in intervals";
    row.evaluate = [](const Point& p) {
        const Release release{Adjacency::add_remove,
                              {{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}}};
        const double level = level_of(p, trade_off_bits).upper_double();
        return exactly(true_positive_rate(release, level, goal_of(Effort::quick)).upper.value);
    };
    row.truth = [](const Point& p, long b) {
        const Interval mu = sqrt(Interval(p["T"], b)) * c_of(p, b);
        return power(Interval(p["q"], b), p.integer("T")) * tail(Interval(p["z"], b) - mu);
    };
    return row;
}

}  // namespace

std::vector<Check> trade_off_reading_rows() {
    std::vector<Check> rows = posterior_rows();
    rows.push_back(risk_row());
    for (Check& row : attack_bounds()) rows.push_back(std::move(row));
    rows.push_back(regret_row());
    rows.push_back(mu_row());
    rows.push_back(rare_shift_row());
    rows.push_back(tiny_level_row());
    return rows;
}

}  // namespace assay::verify
