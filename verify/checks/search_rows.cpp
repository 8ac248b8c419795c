#include <algorithm>
#include <array>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/compare.hpp"
#include "assay/account/privacy_filter.hpp"
#include "assay/account/solve.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_pairs.hpp"
#include "verify/rows.hpp"

// What a target allows: steps, sampling, batches, noise, and what a filter admits. Both ends of a
// search are held to closed forms of the risk.

namespace assay::verify {

namespace {

constexpr long bits = 256;

Interval tail(const Interval& z) {
    return normal_cdf(-z);
}

/// The larger of the risk at what is enough over the limit, and of the limit over the risk at what
/// is not: both are at most 1.
double worse_end(double limit, double enough, double not_enough,
                 const std::function<Interval(double)>& risk) {
    double worst = 0.0;
    if (enough > 0.0) worst = std::max(worst, risk(enough).lower_double() / limit);
    if (not_enough > 0.0 && std::isfinite(not_enough))
        worst = std::max(worst, limit / risk(not_enough).upper_double());
    return worst;
}

// ---- noise for every kind of target ------------------------------------------------------------

/// Two phases whose noise is open: together steps + 1 Gaussian steps.
Release open_noise(const Point& p) {
    return {Adjacency::add_remove, {{Gaussian{0.0}, p.integer("steps")}, {Gaussian{0.0}, 1}}};
}

Check noise_row(const char* id, const char* claim, std::vector<Dimension> target,
                RiskTarget (*target_of)(const Point&), double (*limit_of_point)(const Point&),
                Interval (*risk_of)(const Point&, const Interval& mu)) {
    std::vector<Dimension> dimensions{count_dimension("steps", 1, 100, {1})};
    for (Dimension& dimension : target) dimensions.push_back(std::move(dimension));
    return limit_row(id, claim, "closed form of Gaussian steps, over the limit: at most 1",
                     {std::move(dimensions), {}}, 4, 60, 1.0, [=](const Point& p) {
                         const Calibration found = calibrate(open_noise(p), target_of(p), 1e-3);
                         return worse_end(
                             limit_of_point(p), found.sufficient, found.insufficient,
                             [&](double noise) {
                                 return risk_of(p, sqrt(Interval(p["steps"] + 1.0, bits)) / noise);
                             });
                     });
}

std::vector<Check> noise_rows_by_target() {
    return {noise_row(
                "smallest_noise.advantage",
                "the noise that an advantage needs, of two phases whose noise is open",
                {linear_dimension("advantage", 0.02, 0.9, {0.1})},
                [](const Point& p) { return RiskTarget(AdvantageTarget{p["advantage"]}); },
                [](const Point& p) { return p["advantage"]; },
                [](const Point&, const Interval& mu) { return gaussian_delta(mu, 0.0); }),
            noise_row(
                "smallest_noise.power", "the noise that a true positive rate at a level needs",
                {{"fpr", Scale::logarithmic, 1e-4, 0.3, false, {0.01}},
                 linear_dimension("more", 0.05, 0.6, {0.1})},
                [](const Point& p) {
                    return RiskTarget(PowerTarget{p["fpr"], p["fpr"] + p["more"]});
                },
                [](const Point& p) { return p["fpr"] + p["more"]; },
                // The test of that level: its threshold by bisection, from the side that is safe.
                [](const Point& p, const Interval& mu) {
                    double low = -10.0;
                    double high = 10.0;
                    for (int i = 0; i < 60; ++i) {
                        const double middle = 0.5 * (low + high);
                        (tail(Interval(middle, bits)).lower_double() > p["fpr"] ? low : high) =
                            middle;
                    }
                    return hull(tail(Interval(low, bits) - mu), tail(Interval(high, bits) - mu));
                }),
            noise_row(
                "smallest_noise.mu", "the noise that a mu needs",
                {positive_dimension("mu", 0.05, 8.0, {1.0})},
                [](const Point& p) {
                    return RiskTarget(MuTarget{p["mu"], 0.0});
                },
                [](const Point& p) { return p["mu"]; },
                [](const Point&, const Interval& mu) { return mu; })};
}

// ---- the other parameters ----------------------------------------------------------------------

Dimension target_delta() {
    return {"delta", Scale::logarithmic, 1e-6, 0.05, false, {1e-3}};
}
Dimension target_epsilon() {
    return {"eps", Scale::linear, 0.1, 4.0, false, {1.0}};
}

Check steps_row() {
    return limit_row(
        "largest.steps", "the most Gaussian steps that a target allows, and one more than may be",
        "delta in closed form, over that asked for and under it: at most 1",
        {{noise_dimension("sigma", 2.0, 30.0), target_epsilon(), target_delta()}, {}}, 6, 80, 1.0,
        [](const Point& p) {
            const LargestAllowed found =
                largest_repetitions({Adjacency::add_remove, {{Gaussian{p["sigma"]}, 1}}}, 0,
                                    PrivacyTarget{p["eps"], p["delta"]}, 1e-6);
            return worse_end(p["delta"], found.allowed, found.refused, [&](double steps) {
                return gaussian_steps_delta(steps, p["sigma"], p["eps"]);
            });
        });
}

/// One step that draws with probability q: delta from the place where the ratio is e^eps.
Interval sampled_delta(double q, const Interval& c, double eps) {
    const Interval t = exp(Interval(eps, bits));
    const Interval z = log((t - 1.0) / q + 1.0) / c + c / 2.0;
    return (1.0 - Interval(q, bits)) * tail(z) + q * tail(z - c) - t * tail(z);
}

Check probability_row() {
    return limit_row(
        "largest.sampling_probability", "the largest sampling probability of one Poisson step",
        "delta in closed form, over that asked for and under it: at most 1",
        {{noise_dimension("sigma", 0.3, 2.0), target_epsilon(), target_delta()}, {}}, 3, 80, 1.0,
        [](const Point& p) {
            const Release release{Adjacency::add_remove, {{SampledGaussian{p["sigma"], 0.5}, 1}}};
            const LargestAllowed found =
                largest_sampling_probability(release, 0, PrivacyTarget{p["eps"], p["delta"]}, 1e-5);
            return worse_end(p["delta"], found.allowed, found.refused, [&](double q) {
                return sampled_delta(q, 1.0 / Interval(p["sigma"], bits), p["eps"]);
            });
        });
}

/// Draws with replacement: the place where the ratio is e^eps, by bisection of the sum over hits.
Check drawn_batch_row() {
    return limit_row(
        "largest.batch_size_with_replacement", "the largest batch that is drawn with replacement",
        "delta in closed form, over that asked for and under it: at most 1",
        {{noise_dimension("sigma", 1.0, 6.0),
          count_dimension("D", 20, 60, {30}),
          {"eps", Scale::linear, 0.2, 2.0, false, {1.0}},
          {"delta", Scale::logarithmic, 1e-3, 0.05, false, {1e-2}}},
         {}},
        3, 30, 1.0, [](const Point& p) {
            const long size = p.integer("D");
            const LargestAllowed found =
                largest_batch_size({Adjacency::add_remove,
                                    {{FixedSizeWithReplacementGaussian{p["sigma"], 1, size}, 1}}},
                                   0, size, 0.0, PrivacyTarget{p["eps"], p["delta"]}, 1e-5);
            return worse_end(p["delta"], found.allowed, found.refused, [&](double batch) {
                return hits_ratio(static_cast<long>(batch), size, 2.0 / Interval(p["sigma"], bits),
                                  false)
                    .excess(exp(Interval(p["eps"], bits)));
            });
        });
}

/// Epochs of a batch size count its incomplete batch: the steps are worked out here again.
Check epochs_row() {
    return limit_row(
        "largest.batch_size_of_epochs",
        "a batch size that is allowed for some epochs is allowed with all their steps",
        "delta of those steps from below, over that asked for: at most 1",
        {{{"D", Scale::linear, 10, 60, true, {11, 23}},
          {"epochs", Scale::linear, 1, 3, true, {1}},
          {"eps", Scale::linear, 0.5, 2.0, false, {1.0}},
          {"delta", Scale::logarithmic, 1e-4, 1e-2, false, {1e-3}}},
         {}},
        2, 30, 1.0, [](const Point& p) {
            const auto size = static_cast<double>(p.integer("D"));
            const auto release = [&](double q, std::int64_t steps) {
                return Release{Adjacency::add_remove, {{SampledGaussian{1.5, q}, steps}}};
            };
            Goal goal = goal_of(Effort::quick);
            const LargestAllowed found =
                largest_batch_size(release(0.5, 1), 0, p.integer("D"), p["epochs"],
                                   PrivacyTarget{p["eps"], p["delta"]}, 1e-2, goal);
            if (found.allowed == 0.0) return 0.0;
            const auto steps =
                static_cast<std::int64_t>(p["epochs"] * std::ceil(size / found.allowed));
            return delta(release(found.allowed / size, steps), p["eps"], goal).lower.value /
                   p["delta"];
        });
}

// ---- a filter ----------------------------------------------------------------------------------

/// Some orders, of which the first k are the filter's; three phases of Gaussian steps, the last two
/// of the same noise.
constexpr std::array<double, 4> filter_orders_tried{4.0, 8.0, 2.5, 16.0};

Space filter_space() {
    return {{count_dimension("k", 1, 4, {1, 2}),
             noise_dimension("sigma", 1.0, 20.0),
             noise_dimension("sigma_2", 1.0, 20.0),
             count_dimension("steps", 1, 50, {1, 2}),
             count_dimension("steps_2", 1, 50, {1, 2}),
             count_dimension("steps_3", 1, 50, {1}),
             {"delta", Scale::logarithmic, 1e-9, 1e-2, false, {1e-5}}},
            {}};
}

std::vector<Phase> filtered(const Point& p) {
    return {{Gaussian{p["sigma"]}, p.integer("steps")},
            {Gaussian{p["sigma_2"]}, p.integer("steps_2")},
            {Gaussian{p["sigma_2"]}, p.integer("steps_3")}};
}

PrivacyFilter filter_of(const Point& p, double epsilon) {
    return {Adjacency::add_remove,
            PrivacyTarget{epsilon, p["delta"]},
            {filter_orders_tried.begin(), filter_orders_tried.begin() + p.integer("k")}};
}

/// The least over the orders a of a S/2 + log((a-1)/a) - (log(delta/k) + log a)/(a-1), S the sum of
/// steps/sigma^2, and at least 0.
Interval spent(const Point& p, long b) {
    const auto part = [&](double steps, const char* noise) {
        return Interval(steps, b) / square(Interval(p[noise], b));
    };
    const Interval sum = part(p["steps"], "sigma") + part(p["steps_2"] + p["steps_3"], "sigma_2");
    Interval least(1e300, b);
    for (long i = 0; i < p.integer("k"); ++i) {
        const Interval a(filter_orders_tried[static_cast<std::size_t>(i)], b);
        const Interval share = Interval(p["delta"], b) / p["k"];
        least = min(least, a * sum / 2.0 + log((a - 1.0) / a) - (log(share) + log(a)) / (a - 1.0));
    }
    return max(least, Interval(0.0, b));
}

std::vector<Check> filter_rows() {
    Check row = library_row("filter.spent_epsilon",
                            "a filter has spent the least conversion of its orders' sums, each at "
                            "an equal part of delta (docs/proofs.md, privacy filter)",
                            Relation::encloses, filter_space(), 20, 400);
    row.oracle = "the formula in intervals";
    row.evaluate = [](const Point& p) {
        PrivacyFilter filter = filter_of(p, 1e9);
        for (const Phase& phase : filtered(p)) filter.admit(phase);
        const double found = filter.spent_epsilon();
        return Enclosure{found * (1.0 - 1e-12) - 1e-12, found};
    };
    row.truth = spent;
    return {row, limit_row("filter.refuses",
                           "a filter refuses what would exceed its epsilon by a part in 10^4",
                           "the number of phases it admits with an epsilon just below: at most 2",
                           filter_space(), 20, 400, 2.0, [](const Point& p) {
                               PrivacyFilter filter =
                                   filter_of(p, spent(p, bits).lower_double() * (1.0 - 1e-4));
                               if (spent(p, bits).lower_double() == 0.0) return 0.0;
                               double admitted = 0.0;
                               for (const Phase& phase : filtered(p))
                                   admitted += filter.admit(phase) ? 1.0 : 0.0;
                               return admitted;
                           })};
}

// ---- a comparison ------------------------------------------------------------------------------

Check comparison_row() {
    return limit_row(
        "compare.repetitions",
        "samplers are compared on as many steps and batches as a run has, incomplete batches "
        "counted where they cost",
        "the differences from n/b rounded up and down: 0",
        {{count_dimension("n", 3, 300, {10, 100}),
          count_dimension("b", 1, 200, {3, 7}),
          {"epochs", Scale::linear, 1, 4, true, {1, 3}}},
         [](const Point& p) { return p["b"] < p["n"]; }},
        2, 30, 0.0, [](const Point& p) {
            const std::int64_t n = p.integer("n");
            const std::int64_t b = p.integer("b");
            const std::int64_t epochs = p.integer("epochs");
            double wrong = 0.0;
            for (const ComparedSampler& row : compare_epsilon({n, b, epochs}, Adjacency::zero_out,
                                                              1e4, 0.5, goal_of(Effort::quick))) {
                const Phase& phase = row.release.phases.front();
                const std::int64_t wanted =
                    is_epoch_sampler(phase.mechanism) ? epochs : epochs * ((n + b - 1) / b);
                wrong += std::fabs(static_cast<double>(phase.repetitions - wanted));
                if (const auto* bins = std::get_if<BallsAndBins>(&phase.mechanism))
                    wrong += std::fabs(static_cast<double>(bins->batches_per_epoch - n / b));
            }
            return wrong;
        });
}

}  // namespace

std::vector<Check> search_rows() {
    std::vector<Check> rows = noise_rows_by_target();
    for (Check (*row)() : {steps_row, probability_row, drawn_batch_row, epochs_row})
        rows.push_back(row());
    for (Check& row : filter_rows()) rows.push_back(std::move(row));
    rows.push_back(comparison_row());
    return rows;
}

}  // namespace assay::verify
