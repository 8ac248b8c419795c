#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/epochs/deterministic_batches.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The epsilons of a delta for epochs of balls-and-bins: delta at the two ends of the answer has the
// delta asked between them. And answers at the ends of the domain against closed forms.

namespace assay::verify {

namespace {

/// The larger of both directions.
Interval delta_at(const Point& p, double epsilon) {
    Point named = p;
    named.set("eps", epsilon);
    return max(any_oracle("balls_and_bins.delta_remove")(named, 64),
               any_oracle("balls_and_bins.delta_add")(named, 64));
}

/// Of k epochs of one batch: one Gaussian step of noise sigma / sqrt(k).
Interval gaussian_delta(const Point& p, double epsilon) {
    const Interval e(epsilon, 160);
    const Interval mu = sqrt(Interval(p["k"], 160)) / p["sigma"];
    return normal_cdf(mu / 2.0 - e / mu) - exp(e) * normal_cdf(-mu / 2.0 - e / mu);
}

/// From delta at the upper epsilon to delta at the lower one; an end that claims nothing is that of
/// all probabilities.
template <class Delta>
Enclosure deltas_of(const Enclosure& epsilon, Delta delta) {
    return {std::isfinite(epsilon.upper) ? delta(epsilon.upper).lower_double() : 0.0,
            epsilon.lower > 0.0 ? delta(epsilon.lower).upper_double() : 1.0};
}

Check inversion_row(std::string id, std::string oracle, Space space, int quick, int full) {
    Check row = library_row(std::move(id),
                            "delta at the upper end of the epsilons is at most the delta asked, "
                            "and delta at the lower end exceeds it",
                            Relation::encloses, std::move(space), quick, full);
    row.oracle = std::move(oracle);
    row.truth = [](const Point& p, long bits) { return Interval(p["delta"], bits); };
    return row;
}

Space targets(double most_batches) {
    return {{count_dimension("T", 1, most_batches, {1, 2}), noise_dimension("sigma", 0.3, 8.0),
             positive_dimension("delta", 1e-9, 0.3, {1e-6, 1e-3, 0.1})},
            {}};
}

std::vector<Check> inversion_rows() {
    Check one = inversion_row("balls_and_bins.epsilon.inverts_delta",
                              "quadrature: balls_and_bins.delta_remove, balls_and_bins.delta_add",
                              targets(2), 10, 80);
    one.evaluate = [](const Point& p) {
        const EpochCurve curve({p["sigma"], p.integer("T")}, Adjacency::zero_out, {1e-4});
        return deltas_of(curve.epsilon(p["delta"]),
                         [&](double epsilon) { return delta_at(p, epsilon); });
    };
    Space epochs = targets(1);
    epochs.dimensions.push_back(count_dimension("k", 2, 30, {2, 3}));
    Check several = inversion_row("balls_and_bins.epochs_epsilon.inverts_delta",
                                  "closed form: mu = sqrt(k)/sigma", epochs, 4, 60);
    several.evaluate = [](const Point& p) {
        return deltas_of(composed_epsilon(EpochSequence::of({p["sigma"], 1}, p.integer("k")),
                                          p["delta"], {3e-3}),
                         [&](double epsilon) { return gaussian_delta(p, epsilon); });
    };
    const Space far{{noise_dimension("sigma", 0.05, 20.0),
                     linear_dimension("times", 0.5, 4.0, {1.0000001, 2.0})},
                    {}};
    Check beyond = library_row("balls_and_bins.curve.beyond_the_grid",
                               "the curve contains delta near the end of its grid and beyond",
                               Relation::encloses, far, 16, 300);
    beyond.oracle = "closed form: exact.deterministic_delta";
    const auto epsilon = [](const Point& p) {
        return p["times"] * negligible_beyond({p["sigma"], 1});
    };
    beyond.evaluate = [=](const Point& p) {
        return EpochCurve({p["sigma"], 1}, Adjacency::zero_out, {0.05}).delta(epsilon(p));
    };
    beyond.truth = [=](const Point& p, long bits) {
        Point named = p;
        named.set("eps", epsilon(p));
        return oracle_truth("exact.deterministic_delta", Method::formula)(named, bits);
    };
    return {one, several, beyond};
}

// ---- ends of the domain --------------------------------------------------------------------

/// An epsilon below which the largest coordinate exceeds delta, and one from which deterministic
/// batches do not.
Interval closed_form_epsilons(const BallsAndBins& m, double delta) {
    const auto first = [](auto holds) {
        double high = 1e-3;
        while (high < 1e300 && !holds(high)) high *= 2.0;
        double low = 0.0;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (holds(middle) ? high : low) = middle;
        }
        return Enclosure{low, high};
    };
    const double least = first([&](double epsilon) {
                             return largest_coordinate_delta(m, epsilon).lower <= delta;
                         }).lower;
    const double most =
        first([&](double epsilon) {
            return deterministic_delta({m.noise_multiplier, 1}, epsilon).upper <= delta;
        }).upper;
    return Interval::between(Interval(least, 64), Interval(most, 64));
}

/// The bracket as it is given out; throws where its sides contradict each other.
Enclosure ordered(const Bracket& found) {
    if (!(found.lower.value <= found.upper.value)) throw Error("the lower side exceeds the upper");
    return {found.lower.value, found.upper.value};
}

Check extreme_row(const char* id, const char* claim, Space space, int quick, int full) {
    Check row = library_row(id, claim, Relation::overlaps, std::move(space), quick, full);
    row.oracle = "library: the largest coordinate, deterministic batches";
    return row;
}

std::vector<Check> extreme_rows() {
    const Dimension noise =
        positive_dimension("sigma", 1e-8, 1e4, {1e-8, 1e-3, 0.01, 0.0100001, 0.04, 1.0, 1e4});
    const Dimension batches = count_dimension("T", 1, 1e6, {1, 2, 1e6});
    const Dimension delta =
        positive_dimension("delta", 1e-300, 0.999, {1e-300, 1e-40, 1e-18, 1e-9, 0.5});
    const auto release = [](const Point& p) {
        return Release{Adjacency::zero_out, {{BallsAndBins{p["sigma"], p.integer("T")}, 1}}};
    };
    constexpr Goal goal{.relative_gap = 0.5};
    Check epsilon = extreme_row("balls_and_bins.epsilon.extremes",
                                "at the ends of the domain the epsilons of a delta are in order "
                                "and contradict neither closed form",
                                {{noise, batches, delta}, {}}, 16, 400);
    epsilon.evaluate = [=](const Point& p) {
        return ordered(assay::epsilon(release(p), p["delta"], goal));
    };
    epsilon.truth = [](const Point& p, long) {
        return closed_form_epsilons({p["sigma"], p.integer("T")}, p["delta"]);
    };
    const Dimension far =
        positive_dimension("eps", 1e-9, 1e9, {0.0, 1e-9, 599.0, 600.0, 601.0, 1e9});
    Check at_epsilon = extreme_row("balls_and_bins.delta.extremes",
                                   "at the ends of the domain the sides of delta are in order and "
                                   "contradict neither closed form",
                                   {{noise, batches, far}, {}}, 16, 400);
    at_epsilon.evaluate = [=](const Point& p) {
        return ordered(assay::delta(release(p), p["eps"], goal));
    };
    at_epsilon.truth = [](const Point& p, long) {
        const double s = p["sigma"];
        return Interval::between(
            Interval(largest_coordinate_delta(BallsAndBins{s, p.integer("T")}, p["eps"]).lower, 64),
            Interval(deterministic_delta({s, 1}, p["eps"]).upper, 64));
    };
    return {epsilon, at_epsilon};
}

}  // namespace

std::vector<Check> epoch_inversion_rows() {
    return joined({inversion_rows, extreme_rows});
}

}  // namespace assay::verify
