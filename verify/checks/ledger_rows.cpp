#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/dpsgd/privacy_ledger.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/rows.hpp"

// The account of a training run: which epochs it counts, what it says after an interruption, and
// what batches that are cut cost.

namespace assay::verify {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- epochs --------------------------------------------------------------------------------

/// T batches of ten examples, `whole` epochs and `more` steps of the next.
PrivacyLedger epochs_ledger(const Point& p, SamplingScheme scheme, std::int64_t steps) {
    PrivacyLedger ledger(
        {.scheme = scheme, .dataset_size = 10 * p.integer("T"), .batch_size = 10, .seed = 1},
        p["sigma"], Adjacency::zero_out);
    for (std::int64_t step = 0; step < steps; ++step) ledger.record_step();
    return ledger;
}

SamplingScheme fixed_order_at(const Point& p) {
    return p["shuffle"] == 1.0 ? SamplingScheme::shuffle : SamplingScheme::deterministic;
}

Space epochs_space() {
    return {{count_dimension("T", 1, 50, {1, 2, 10}),
             {"whole", Scale::linear, 0, 12, true, {0, 1, 2, 3}},
             {"more", Scale::linear, 0, 50, true, {0, 1}},
             noise_dimension("sigma", 1.0, 10.0),
             {"delta", Scale::logarithmic, 1e-8, 0.1, false, {1e-5}},
             {"shuffle", Scale::linear, 0, 1, true, {0, 1}}},
            [](const Point& p) { return p["more"] < p["T"]; }};
}

std::int64_t steps_at(const Point& p) {
    return p.integer("whole") * p.integer("T") + p.integer("more");
}

/// delta at the upper epsilon, as a share of the delta that was asked for.
double share_above(const Point& p) {
    if (steps_at(p) == 0) return 0.0;
    const LedgerEpsilon found =
        epochs_ledger(p, fixed_order_at(p), steps_at(p)).epsilon(p["delta"]);
    const double begun = p["whole"] + (p["more"] > 0.0 ? 1.0 : 0.0);
    const double epsilon = found.upper.value;
    if (epsilon == infinity) return 0.0;
    return gaussian_steps_delta(begun, p["sigma"], epsilon).lower_double() / p["delta"];
}

/// What was asked for as a share of delta at the lower epsilon, of batches in a fixed order:
/// shuffled ones have no larger delta.
double share_below(const Point& p) {
    const LedgerEpsilon found =
        epochs_ledger(p, fixed_order_at(p), steps_at(p)).epsilon(p["delta"]);
    const double epsilon = found.lower.value;
    if (epsilon <= 0.0) return 0.0;
    if (p["whole"] == 0.0) return infinity;  // nothing was finished
    return p["delta"] / gaussian_steps_delta(p["whole"], p["sigma"], epsilon).upper_double();
}

/// Sides of an epoch of balls-and-bins that is begun, less those of a finished one.
double unfinished_difference(const Point& p) {
    const std::int64_t T = p.integer("T");
    const std::int64_t begun = p.integer("whole") * T + p.integer("more");
    constexpr SamplingScheme scheme = SamplingScheme::balls_and_bins;
    const std::int64_t all = (begun + T - 1) / T * T;
    const double there = epochs_ledger(p, scheme, begun).epsilon(p["delta"]).upper.value;
    const double finished = epochs_ledger(p, scheme, all).epsilon(p["delta"]).upper.value;
    return finished == there ? 0.0 : std::abs(finished - there);
}

std::vector<Check> epochs_rows() {
    Space bins = epochs_space();
    std::erase_if(bins.dimensions, [](const Dimension& d) { return d.name == "shuffle"; });
    bins.dimensions[0] = count_dimension("T", 2, 20, {2, 5});
    bins.dimensions[1] = {"whole", Scale::linear, 0, 2, true, {0, 1}};
    bins.dimensions[2] = {"more", Scale::linear, 1, 19, true, {1}};
    return {
        limit_row("ledger.epochs_begun",
                  "the upper epsilon after any step holds for all epochs that are begun, of "
                  "batches in a fixed order and of shuffled ones, whose delta is no larger",
                  "delta of a Gaussian step an epoch, over that asked for: at most 1",
                  epochs_space(), 30, 300, 1.0, share_above),
        limit_row("ledger.epochs_finished",
                  "the lower epsilon after any step counts finished epochs alone, and is no more "
                  "than that of batches in a fixed order, also where they are shuffled",
                  "that asked for over delta there: at most 1", epochs_space(), 16, 200, 1.0,
                  share_below),
        limit_row("ledger.begun_counts_as_finished",
                  "the upper epsilon within an epoch of balls-and-bins is that at its end",
                  "no difference", std::move(bins), 2, 20, 0.0, unfinished_difference)};
}

// ---- interruptions -------------------------------------------------------------------------

bool same(const Bound& a, const Bound& b) {
    return a.value == b.value && a.status == b.status;
}

bool same(const LedgerEpsilon& a, const LedgerEpsilon& b) {
    return same(a.lower, b.lower) && same(a.upper, b.upper);
}

/// Adjacencies under which a theorem accounts for the sampler.
Adjacency adjacency_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::fixed_size_without_replacement ||
                   scheme == SamplingScheme::fixed_size_with_replacement
               ? Adjacency::add_remove
               : Adjacency::zero_out;
}

/// Whether an account that went on after `first` steps differs from one of all steps.
double resumed_difference(const Point& p) {
    const auto scheme = static_cast<SamplingScheme>(p.integer("scheme"));
    const PrivacyLedger empty({.scheme = scheme, .dataset_size = 40, .batch_size = 10, .seed = 1},
                              p["sigma"], adjacency_of(scheme));
    PrivacyLedger straight = empty;
    PrivacyLedger resumed = empty;
    const auto record = [](PrivacyLedger& ledger, std::int64_t steps) {
        for (std::int64_t step = 0; step < steps; ++step) ledger.record_step();
    };
    record(straight, p.integer("first") + p.integer("then"));
    resumed.resume(p.integer("first"));
    record(resumed, p.integer("then"));
    const bool equal =
        straight.steps() == resumed.steps() && same(straight.epsilon(1e-5), resumed.epsilon(1e-5));
    return equal ? 0.0 : 1.0;
}

Check resumed_row() {
    return limit_row("ledger.resumed_equals_straight",
                     "an account that goes on after an interruption says what one of all steps "
                     "says, to the last bit",
                     "no difference",
                     {{{"scheme", Scale::linear, 0, 5, true, {0, 1, 2, 3, 4, 5}},
                       {"first", Scale::linear, 0, 20, true, {0, 1, 4}},
                       {"then", Scale::linear, 0, 9, true, {0, 1, 4}},
                       noise_dimension("sigma", 1.0, 5.0)},
                      {}},
                     8, 100, 0.0, resumed_difference);
}

// ---- batches that are cut ------------------------------------------------------------------

BatchSampling cut_sampling(const Point& p) {
    return {.scheme = SamplingScheme::balls_and_bins,
            .dataset_size = p.integer("n"),
            .batch_size = p.integer("b"),
            .maximum_batch_size = p.has("B") ? p.integer("B") : p.integer("n") + 1,
            .seed = 1};
}

/// No batch is likelier to be cut than a Poisson one: Bin(n, 1/T) with T = ceil(n/b).
BinomialSize size_at(const Point& p) {
    return {p.integer("n"), p["b"], p["n"]};
}

/// The share of delta that is kept for the event that a batch is cut.
constexpr double kept_share = 1e-3;

/// `times` as much as the kept share of this delta is needed where epsilon is 0.
double delta_at(const Point& p) {
    const Interval needed =
        cut_batches_delta(size_at(p), p.integer("steps"), 0.0, p.integer("B"), 96);
    return needed.upper_double() / (kept_share * p["times"]);
}

/// What cutting costs at the upper epsilon over what is kept for it, where an epsilon is given.
double cut_share_used(const Point& p) {
    PrivacyLedger ledger(cut_sampling(p), p["sigma"], Adjacency::zero_out);
    ledger.resume(p.integer("steps"));
    const double delta = delta_at(p);
    const double epsilon = ledger.epsilon(delta).upper.value;
    if (epsilon == infinity) return 0.0;
    const Interval needed =
        cut_batches_delta(size_at(p), p.integer("steps"), epsilon, p.integer("B"), 96);
    return needed.lower_double() / (kept_share * delta);
}

/// Whether a cut run differs from an untruncated one at 999/1000 of delta above, and at 1001/1000
/// below.
double shared_difference(const Point& p) {
    const BatchSampling cut = cut_sampling(p);
    BatchSampling whole = cut;
    whole.maximum_batch_size.reset();
    const auto account = [&](const BatchSampling& sampling, double delta) {
        PrivacyLedger ledger(sampling, p["sigma"], Adjacency::zero_out);
        ledger.resume(p.integer("steps"));
        return ledger.epsilon(delta);
    };
    const double delta = 1e-5;
    const LedgerEpsilon found = account(cut, delta);
    const bool equal = same(found.upper, account(whole, (1.0 - kept_share) * delta).upper) &&
                       same(found.lower, account(whole, (1.0 + kept_share) * delta).lower);
    return equal ? 0.0 : 1.0;
}

std::vector<Check> cut_rows() {
    const Space at_limit{{count_dimension("n", 10, 200, {20, 100}),
                          {"b", Scale::linear, 1, 100, true, {5}},
                          {"B", Scale::linear, 1, 200, true, {15}},
                          {"steps", Scale::linear, 1, 50, true, {1}},
                          {"times", Scale::linear, 0.5, 2.5, false, {0.99, 1.01}},
                          {"sigma", Scale::logarithmic, 1e3, 1e4, false, {1e3}}},
                         [](const Point& p) {
                             if (!(p["b"] < p["n"] && p["b"] < p["B"] && p["B"] < p["n"]))
                                 return false;
                             const double delta = delta_at(p);
                             return delta > 1e-9 && delta < 0.5;
                         }};
    // A maximum that no batch reaches: cutting costs nothing, and delta is shared all the same.
    const Space uncut{{count_dimension("n", 10, 200, {20, 100}),
                       {"b", Scale::linear, 1, 100, true, {5}},
                       {"steps", Scale::linear, 1, 50, true, {1}},
                       noise_dimension("sigma", 1.0, 5.0)},
                      [](const Point& p) { return p["b"] < p["n"]; }};
    return {limit_row("ledger.cut_batches",
                      "an epsilon of cut batches is given only where 1/1000 of delta pays for the "
                      "event that a batch of balls-and-bins is cut (chua2025 Appendix C)",
                      "exact binomial tails, over that share: at most 1", at_limit, 20, 200, 1.0,
                      cut_share_used),
            limit_row("ledger.cut_shares_delta",
                      "where batches of balls-and-bins may be cut, the upper epsilon is that of "
                      "the untruncated run "
                      "at 999/1000 of delta and the lower one that at 1001/1000",
                      "no difference", uncut, 3, 40, 0.0, shared_difference)};
}

std::vector<Check> resumed_rows() {
    return {resumed_row()};
}

}  // namespace

std::vector<Check> ledger_rows() {
    return joined({epochs_rows, resumed_rows, cut_rows});
}

}  // namespace assay::verify
