#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_product.hpp"
#include "verify/rows.hpp"

// The smallest noise that is enough, and releases of several kinds one after the other.

namespace assay::verify {

namespace {

// ---- the smallest noise --------------------------------------------------------------------

Space targets_space() {
    return {{count_dimension("steps", 1, 200, {1, 10}),
             {"eps", Scale::linear, 0.1, 8.0, false, {1.0}},
             {"delta", Scale::logarithmic, 1e-8, 0.1, false, {1e-5}}},
            {}};
}

Calibration noise_at(const Point& p) {
    return calibrate({Adjacency::add_remove, {{Gaussian{0.0}, p.integer("steps")}}},
                     {p["eps"], p["delta"]}, 1e-5);
}

std::vector<Check> noise_rows_by_search() {
    return {limit_row("smallest_noise.sufficient",
                      "with the noise that is called sufficient, Gaussian steps have no more than "
                      "the delta asked for",
                      "delta in closed form, over that asked for: at most 1", targets_space(), 10,
                      100, 1.0,
                      [](const Point& p) {
                          const double noise = noise_at(p).sufficient;
                          return gaussian_steps_delta(p["steps"], noise, p["eps"]).lower_double() /
                                 p["delta"];
                      }),
            limit_row("smallest_noise.insufficient",
                      "with the noise that is called insufficient, they have more",
                      "that asked for over delta in closed form: at most 1", targets_space(), 10,
                      100, 1.0, [](const Point& p) {
                          const double noise = noise_at(p).insufficient;
                          if (noise == 0.0) return 0.0;
                          return p["delta"] /
                                 gaussian_steps_delta(p["steps"], noise, p["eps"]).upper_double();
                      })};
}

// ---- sequences -----------------------------------------------------------------------------

constexpr Goal goal{.relative_gap = 3e-3};
constexpr double negligible = 1e-11;

/// Epochs of deterministic batches and of one batch of balls-and-bins, and plain steps.
Release plain_release(const Point& p) {
    return {Adjacency::zero_out,
            {{DeterministicBatches{p["sigma"], p.integer("T")}, p.integer("epochs")},
             {BallsAndBins{p["sigma_2"], 1}, p.integer("single")},
             {Gaussian{p["sigma_3"]}, p.integer("steps")}}};
}

Enclosure delta_of(const Release& release, const Point& p) {
    const Bracket found = delta(release, p["eps"], goal, negligible);
    return {found.lower.value, found.upper.value};
}

Interval plain_shift(const Point& p, long bits) {
    const auto part = [&](const char* count, const char* noise) {
        return Interval(p[count], bits) / square(Interval(p[noise], bits));
    };
    return sqrt(part("epochs", "sigma") + part("single", "sigma_2") + part("steps", "sigma_3"));
}

Check plain_row() {
    Check row = library_row(
        "sequence.delta_meets_gaussian_steps",
        "the bracket of releases that are Gaussian steps, whatever their samplers, contains delta "
        "of all of them",
        Relation::encloses,
        {{count_dimension("T", 1, 100, {1, 10}),
          count_dimension("epochs", 1, 20, {1, 2}),
          count_dimension("single", 1, 20, {1, 2}),
          count_dimension("steps", 1, 20, {1, 2}),
          noise_dimension("sigma", 2.0, 20.0),
          noise_dimension("sigma_2", 2.0, 20.0),
          noise_dimension("sigma_3", 2.0, 20.0),
          {"eps", Scale::linear, 0.0, 3.0, false, {0.0, 0.5, 1.0}}},
         [](const Point& p) { return p["eps"] <= 4.0 * plain_shift(p, 64).lower_double(); }},
        6, 80);
    row.oracle = "closed form: the squared shifts add up";
    row.evaluate = [](const Point& p) { return delta_of(plain_release(p), p); };
    row.truth = [](const Point& p, long bits) {
        return gaussian_delta(plain_shift(p, bits + 96), p["eps"]);
    };
    row.widest = 1e-2;
    row.narrow_from = negligible;
    return row;
}

Check mixed_row() {
    Check row = library_row(
        "sequence.delta_meets_epoch_and_steps",
        "the bracket of an epoch of two batches of balls-and-bins and of Gaussian steps meets the "
        "divergence of the product of their pairs, in the worse direction",
        Relation::overlaps,
        {{noise_dimension("sigma", 0.9, 2.0),
          noise_dimension("sigma_2", 2.0, 6.0),
          count_dimension("steps", 1, 6, {2, 3}),
          {"eps", Scale::linear, 0.0, 1.5, false, {0.0, 0.5}}},
         [](const Point& p) { return p["eps"] * p["sigma"] <= 1.0; }},
        1, 12);
    row.oracle = "chords of one part's divergence under the other";
    row.evaluate = [](const Point& p) {
        return delta_of(
            {Adjacency::zero_out,
             {{BallsAndBins{p["sigma"], 2}, 1}, {Gaussian{p["sigma_2"]}, p.integer("steps")}}},
            p);
    };
    row.truth = [](const Point& p, long) {
        constexpr int nodes = 60;
        const Interval shift =
            sqrt(Interval(p["steps"], ratio_bits)) / Interval(p["sigma_2"], ratio_bits);
        const Interval threshold = exp(Interval(p["eps"], ratio_bits));
        const Interval removal = product_excess(two_batches_ratio(p["sigma"], false),
                                                removal_ratio(1.0, shift), threshold, nodes);
        const Interval addition = product_excess(two_batches_ratio(p["sigma"], true),
                                                 addition_ratio(1.0, shift), threshold, nodes);
        return max(removal, addition);
    };
    row.widest = 1e-2;
    return row;
}

std::vector<Check> sequence_rows() {
    return {plain_row(), mixed_row()};
}

}  // namespace

std::vector<Check> noise_search_rows() {
    return joined({noise_rows_by_search, sequence_rows});
}

}  // namespace assay::verify
