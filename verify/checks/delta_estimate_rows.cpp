#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "assay/monte_carlo/delta_estimate.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/confidence_bounds.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Confidence bounds of delta from given sums of Monte Carlo, against the formulas as written: the
// levels of the statements, the share of the event that was sampled, and what the margin of the
// likelihood ratio costs from below.

namespace assay::verify {

namespace {

/// What a run would have written, and what is asked about it.
struct Sums {
    MonteCarloPlan plan;
    double trials;
    double first;   // of x
    double second;  // of x^2
    double third;   // of the indicator of x > 0, or of the lower sides of x
    double second_moment;
    double beta;
};

SamplingMethod method_at(const Point& p) {
    return static_cast<SamplingMethod>(p.integer("method"));
}

Sums sums_at(const Point& p) {
    const SamplingMethod method = method_at(p);
    Sums sums{
        .plan = {.mechanism = {p["sigma"], p.integer("T")},
                 .direction = p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal,
                 .epsilons = {p["eps"]},
                 .method = method},
        .trials = p["m"],
        .first = p["mean"] * p["m"],
        .second = 0.0,
        .third = 0.0,
        .second_moment = p["v"],
        .beta = p["beta"]};
    if (encodes_by_orders(method)) sums.plan.orders = {1};
    if (!has_event(method) && method != SamplingMethod::conditional)
        sums.plan.epochs = p.integer("k");
    // x^2 lies between the square of the mean and x, an indicator above x, a lower side below it.
    sums.second = sums.first * (p["mean"] + p["spread"] * (1.0 - p["mean"]));
    const double beside = method == SamplingMethod::conditional ? 0.0 : p["m"];
    sums.third = sums.first + p["beside"] * (beside - sums.first);
    return sums;
}

/// P(E) of the event that was sampled; 1 where there is none.
Interval event_share(const Sums& sums, long bits) {
    if (!has_event(sums.plan.method)) return {1.0, bits};
    const char* quantity = sums.plan.direction == LossDirection::addition
                               ? "chua2025.event_probability_add"
                               : "chua2025.event_probability_remove";
    return oracle_truth(quantity, Method::formula)(
        {{"T", static_cast<double>(sums.plan.mechanism.batches_per_epoch)},
         {"sigma", sums.plan.mechanism.noise_multiplier},
         {"eps", sums.plan.epsilons.front()}},
        bits);
}

Interval level_of(const Sums& sums, double statements, long bits) {
    return log(statements / Interval(sums.beta, bits)) / sums.trials;
}

Interval mean_of(const Sums& sums, double sum, long bits) {
    return Interval(sum, bits) / sums.trials;
}

/// E x^2 within the event.
Interval second_moment_within(const Sums& sums, long bits) {
    return min(Interval(1.0, bits), Interval(sums.second_moment, bits) / event_share(sums, bits));
}

/// e^{2.1 eta k} - 1, eta = 10^-8 + 1.5 10^-7/sigma + 2^-62 T; 0 where x is an integral.
Interval swing_of(const Sums& sums, long bits) {
    if (sums.plan.method == SamplingMethod::conditional) return {0.0, bits};
    const Interval eta =
        Interval::decimal("1e-8", bits) +
        Interval::decimal("1.5e-7", bits) / sums.plan.mechanism.noise_multiplier +
        Interval(static_cast<double>(sums.plan.mechanism.batches_per_epoch), bits) * 0x1p-62;
    return expm1(Interval::decimal("2.1", bits) * eta * static_cast<double>(sums.plan.epochs));
}

Interval kl_upper(const Sums& sums, long bits) {
    return event_share(sums, bits) *
           kl_upper_mean(mean_of(sums, sums.first, bits), level_of(sums, 1.0, bits));
}

Interval bennett_upper(const Sums& sums, long bits) {
    return event_share(sums, bits) * bennett_upper_mean(mean_of(sums, sums.first, bits),
                                                        second_moment_within(sums, bits),
                                                        level_of(sums, 1.0, bits));
}

Interval bernstein_upper(const Sums& sums, long bits) {
    const Interval mean = mean_of(sums, sums.first, bits);
    const Interval variance =
        nonnegative(Interval(sums.second, bits) - mean * sums.first) / (sums.trials - 1.0);
    return event_share(sums, bits) * bernstein_upper_mean(mean, variance, sums.trials, sums.beta);
}

/// Two statements of beta/2 each: the mean, and the share of x > 0.
Interval from_below(const Sums& sums, const Interval& mean, long bits) {
    // Encoded by order statistics, every x is too large.
    if (encodes_by_orders(sums.plan.method)) return {0.0, bits};
    const Interval share =
        kl_upper_mean(mean_of(sums, sums.third, bits), level_of(sums, 2.0, bits));
    return nonnegative(event_share(sums, bits) * (mean - swing_of(sums, bits) * share));
}

Interval sampled_mean_below(const Sums& sums, long bits) {
    const bool integral = sums.plan.method == SamplingMethod::conditional;
    return mean_of(sums, integral ? sums.third : sums.first, bits);
}

Interval kl_lower(const Sums& sums, long bits) {
    return from_below(
        sums, kl_lower_mean(sampled_mean_below(sums, bits), level_of(sums, 2.0, bits)), bits);
}

Interval bennett_lower(const Sums& sums, long bits) {
    const Interval v = min(Interval(1.0, bits),
                           square(sqrt(second_moment_within(sums, bits)) + swing_of(sums, bits)));
    return from_below(
        sums, bennett_lower_mean(sampled_mean_below(sums, bits), v, level_of(sums, 2.0, bits)),
        bits);
}

struct Bound {
    const char* name;
    const char* source;
    double DeltaEstimate::*value;
    Interval (*formula)(const Sums&, long bits);
    bool upper;
};

constexpr Bound estimate_bounds[] = {
    {"kl_upper", "chua2025 Algorithms 4 and 5", &DeltaEstimate::kl_upper, kl_upper, true},
    {"bennett_upper", "docs/proofs.md, Bennett's inequality", &DeltaEstimate::bennett_upper,
     bennett_upper, true},
    {"bernstein_upper", "Maurer and Pontil 2009, Theorem 4", &DeltaEstimate::bernstein_upper,
     bernstein_upper, true},
    {"kl_lower", "two statements of beta/2 each", &DeltaEstimate::lower, kl_lower, false},
    {"bennett_lower", "Bennett 1962, two statements of beta/2 each", &DeltaEstimate::bennett_lower,
     bennett_lower, false}};

/// The bound beside what rounding may have cost it.
Enclosure answer_of(const Sums& sums, const Bound& bound) {
    const double given[] = {sums.first, sums.second, sums.third};
    const double moments[] = {sums.second_moment};
    const double found =
        estimate(sums.plan, given, moments, static_cast<std::int64_t>(sums.trials), sums.beta)
            .front().*
        bound.value;
    if (bound.upper) return {found * (1.0 - 1e-5) - 1e-290, found};
    return {found, found * (1.0 + 1e-5) + 1e-5 * sums.first / sums.trials + 1e-290};
}

Space sums_space() {
    return {{{"method", Scale::linear, 0, 4, true, {0, 1, 2, 3, 4}},
             {"add", Scale::linear, 0, 1, true, {0, 1}},
             count_dimension("T", 3, 1e6, {3, 1000}),
             noise_dimension("sigma", 0.05, 20.0),
             count_dimension("k", 1, 100, {1, 2, 100}),
             {"eps", Scale::linear, 0.0, 10.0, false, {0.0, 1.0}},
             count_dimension("m", 2, 1e8, {2, 4096, 1e6}),
             positive_dimension("mean", 1e-9, 1.0, {1e-6, 0.5}),
             linear_dimension("spread", 0.0, 1.0, {0.0, 0.1, 1.0}),
             linear_dimension("beside", 0.0, 1.0, {0.0, 0.1}),
             positive_dimension("v", 1e-9, 1.0, {1e-3}),
             positive_dimension("beta", 1e-12, 0.5, {0.05})},
            // The event is far larger than the range of doubles.
            [](const Point& p) {
                const double far = 0.5 / p["sigma"] + p["sigma"] * (std::log(p["T"]) - p["eps"]);
                return p["add"] == 0.0 || (far > -5.0 && (far > 5.0 || p["T"] < 30.0));
            }};
}

}  // namespace

std::vector<Check> delta_estimate_rows() {
    std::vector<Check> rows;
    for (const Bound& bound : estimate_bounds) {
        Check row = library_row(std::string("delta_estimate.") + bound.name + ".encloses_formula",
                                std::string("the bound from given sums is its formula, rounded "
                                            "outward by less than 1e-5 (") +
                                    bound.source + ")",
                                Relation::encloses, sums_space(), 60, 600);
        row.oracle = "the formula, by bisection";
        row.evaluate = [bound](const Point& p) { return answer_of(sums_at(p), bound); };
        row.truth = [bound](const Point& p, long bits) {
            return bound.formula(sums_at(p), bits + 64);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace assay::verify
