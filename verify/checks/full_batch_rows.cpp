#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Steps whose batches are full of the record with a known probability: what they release then is a
// lower bound of the truth, which no upper side of the library may be below.

namespace assay::verify {

namespace {

// sampler 0..2: Poisson, fixed size without and with replacement (B draws of D records).
enum Sampler : long { poisson, without_replacement, with_replacement };

Adjacency adjacency_at(const Point& p) {
    return static_cast<Adjacency>(p.integer("adjacency"));
}

/// Present in both data sets, opposite to itself: the mixtures of both have the base N(0).
bool is_antipodal(const Point& p) {
    return p.integer("sampler") == poisson && adjacency_at(p) == Adjacency::replace_one;
}

long draws(const Point& p) {
    return p.integer("sampler") == with_replacement ? p.integer("B") : 1;
}

Mechanism batch_mechanism(const Point& p) {
    switch (p.integer("sampler")) {
        case poisson: return SampledGaussian{p["sigma"], largest_probability};
        case without_replacement: return FixedSizeGaussian{p["sigma"], largest_probability};
        default:
            return FixedSizeWithReplacementGaussian{p["sigma"], draws(p), p.integer("others") + 1};
    }
}

/// By how much a full batch moves the mean, in clip norms.
double moved(const Point& p) {
    const Adjacency adjacency = adjacency_at(p);
    const bool joins = adjacency == Adjacency::add_remove && p.integer("sampler") == poisson;
    return (joins || adjacency == Adjacency::zero_out ? 1.0 : 2.0) * static_cast<double>(draws(p));
}

double full_batch_epsilon(const Point& p) {
    const double mu = std::sqrt(p["T"]) * moved(p) / p["sigma"];
    return std::max(0.0, 0.5 * mu * mu + p["z"] * mu);
}

Space space() {
    return {{{"sampler", Scale::linear, 0, 2, true, {0, 1, 2}},
             {"adjacency", Scale::linear, 0, 2, true, {0, 1, 2}},
             noise_dimension("sigma", 0.02, 20.0),
             count_dimension("T", 1, 20, {1, 2}),
             count_dimension("B", 1, 4, {1, 2}),
             count_dimension("others", 1, 6, {1, 5}),
             linear_dimension("z", -3.0, 4.0, {0.0})},
            [](const Point& p) {
                return draws(p) <= p.integer("others") &&
                       !(is_antipodal(p) && full_batch_epsilon(p) > 15.0);
            }};
}

/// P >= q^T N(mu), Q <= N(0), or N(-mu) and T 2^-53 for the base.
Interval least(const Point& p, long bits) {
    const double steps = p["T"];
    return nonnegative(refined(bits, [&](long b) {
        const Interval hit = p.integer("sampler") == with_replacement
                                 ? Interval(1.0, b) / (p["others"] + 1.0)
                                 : Interval(largest_probability, b);
        const Interval log_all = static_cast<double>(draws(p)) * steps * log(hit);
        const Interval mu = sqrt(Interval(steps, b)) * moved(p) / Interval(p["sigma"], b);
        const Interval epsilon(full_batch_epsilon(p), b);
        const Interval base =
            is_antipodal(p) ? Interval(1.1 * std::ldexp(steps, -53), b) : Interval(0.0, b);
        return exp(log_all) * gaussian_delta(mu, epsilon - log_all) - exp(epsilon) * base;
    }));
}

}  // namespace

std::vector<Check> full_batch_rows() {
    Check row = library_row("account.full_batches.upper",
                            "steps whose batches may all be full release what the Gaussian "
                            "mechanism does that often: q^T delta_Gauss(eps + T log(1/q))",
                            Relation::at_least, space(), 25, 250);
    row.oracle = "closed form: mu = sqrt(T) B c, the probability of full batches";
    row.evaluate = [](const Point& p) {
        const Release release{adjacency_at(p), {{batch_mechanism(p), p.integer("T")}}};
        return exactly(delta(release, full_batch_epsilon(p), goal_of(Effort::quick)).upper.value);
    };
    row.truth = least;
    return {std::move(row)};
}

}  // namespace assay::verify
