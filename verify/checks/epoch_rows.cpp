#include <fmt/format.h>

#include <cmath>

#include "assay/epochs/epoch_composition.hpp"
#include "assay/epochs/epoch_curve.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_product.hpp"
#include "verify/rows.hpp"

// Epochs of balls-and-bins where both sides have to be near the truth: several in a row, and
// addition at far thresholds.

namespace assay::verify {

namespace {

constexpr LossDirection directions[] = {LossDirection::removal, LossDirection::addition};

const char* name_of(LossDirection direction) {
    return direction == LossDirection::removal ? "remove" : "add";
}

// ---- several epochs ------------------------------------------------------------------------

Check epochs_row(LossDirection direction, const char* region, Space space, int quick, int full,
                 double widest) {
    Check row =
        library_row(fmt::format("balls_and_bins.delta_{}_epochs.{}", name_of(direction), region),
                    "the bracket of k epochs contains the divergence of the product of their pairs",
                    Relation::encloses, std::move(space), quick, full);
    constexpr GapGoal goal{3e-3, 1e-11, 2e9};
    row.widest = widest;
    row.narrow_from = goal.negligible_delta;
    row.evaluate = [=](const Point& p) {
        return composition_within(EpochSequence::of({p["sigma"], p.integer("T")}, p.integer("k")),
                                  direction, p["eps"], goal)
            .delta(p["eps"]);
    };
    return row;
}

/// Epochs of one batch are Gaussian steps: noise sigma/sqrt(k).
Interval gaussian_epochs(const Point& p, long bits) {
    const Interval e(p["eps"], bits + 96);
    const Interval mu = sqrt(Interval(p["k"], bits + 96)) / p["sigma"];
    return normal_cdf(mu / 2.0 - e / mu) - exp(e) * normal_cdf(-mu / 2.0 - e / mu);
}

std::vector<Check> epochs_rows() {
    const Space single{{count_dimension("T", 1, 1, {1}), noise_dimension("sigma", 0.5, 20.0),
                        count_dimension("k", 1, 300, {1, 2, 3, 30}), epsilon_dimension(6.0)},
                       [](const Point& p) {
                           const double mu = std::sqrt(p["k"]) / p["sigma"];
                           return mu <= 5.0 && p["eps"] <= 0.5 * mu * mu + 5.0 * mu;
                       }};
    const Space pair{{count_dimension("T", 2, 2, {2}),
                      noise_dimension("sigma", 0.9, 2.0),
                      count_dimension("k", 2, 2, {2}),
                      {"eps", Scale::linear, 0.0, 2.0, false, {0.0, 0.5, 1.0}}},
                     [](const Point& p) { return p["eps"] * p["sigma"] <= 1.0; }};
    std::vector<Check> rows;
    for (const LossDirection direction : directions) {
        rows.push_back(epochs_row(direction, "encloses_gaussian_steps", single, 12, 150, 1e-2));
        rows.back().oracle = "closed form: mu = sqrt(k)/sigma";
        rows.back().truth = gaussian_epochs;
        rows.push_back(epochs_row(direction, "meets_two_epochs_of_two_batches", pair, 1, 20, 1e-2));
        rows.back().relation = Relation::overlaps;
        rows.back().oracle = "chords of the second epoch's divergence under the first";
        rows.back().truth = [direction](const Point& p, long) {
            constexpr int nodes = 180;
            const RatioDistribution epoch =
                two_batches_ratio(p["sigma"], direction == LossDirection::addition);
            const Interval found =
                product_excess(epoch, epoch, exp(Interval(p["eps"], ratio_bits)), nodes);
            if (!(found.relative_width() < 1e-2)) throw Error("too few nodes");
            return found;
        };
    }
    return rows;
}

// ---- far thresholds ---------------------------------------------------------------------------

struct FarThreshold {
    double batches;
    double deviations;  // of a loss, beyond 1/(2 sigma^2): where delta is about 1e-14
    int quick;
    int full;
};

/// eps from 5 to 599 near the losses of one batch, and no answer that says nothing.
std::vector<Check> far_rows() {
    std::vector<Check> rows;
    for (const FarThreshold& threshold :
         {FarThreshold{1, 7.0, 30, 400}, FarThreshold{2, 4.5, 8, 100},
          FarThreshold{3, 3.5, 1, 8}}) {
        const Space space{
            {count_dimension("T", threshold.batches, threshold.batches, {}),
             positive_dimension("sigma", 0.02, 0.7), positive_dimension("eps", 5.0, 599.0)},
            [threshold](const Point& p) {
                const double beyond = p["sigma"] * p["eps"] - 0.5 / p["sigma"];
                return std::abs(beyond) <= threshold.deviations;
            }};
        Check row =
            library_row(fmt::format("balls_and_bins.delta_add.far_strikes_{}_batches",
                                    static_cast<int>(threshold.batches)),
                        "at far epsilons the bracket of the addition direction contains the "
                        "divergence, and is narrow",
                        Relation::encloses, space, threshold.quick, threshold.full);
        constexpr const char* quantity = "balls_and_bins.delta_add";
        row.evaluate = library_subject(quantity);
        row.oracle = oracle_name(quantity, Method::arb) + ", or by the trapezoid rule";
        row.truth = [](const Point& p, long bits) {
            const Interval found = oracle_truth(quantity, Method::arb)(p, bits);
            if (found.relative_width() < 1e-3) return found;
            return oracle_truth(quantity, Method::trapezoid)(p, bits);
        };
        row.widest = 1e-2;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::vector<Check> epoch_rows() {
    return joined({epochs_rows, far_rows});
}

}  // namespace assay::verify
