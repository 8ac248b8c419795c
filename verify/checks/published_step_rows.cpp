#include <fmt/format.h>

#include "assay/rdp/one_step.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The best published bound of one step, against the theorems it is the best of.

namespace assay::verify {

namespace {

using Truth = std::function<Interval(const Point&, long)>;

constexpr double formula_width = 1e-9;

Truth formula(const char* quantity) {
    return oracle_truth(quantity, Method::formula);
}

/// The formula with `name` = value, where the point has no such coordinate.
Interval at(const Truth& truth, Point point, const char* name, double value, long bits) {
    point.set(name, value);
    return truth(point, bits);
}

Interval unsampled(double order, double noise, double clip_norms, long bits) {
    return Interval(order, bits) * square(Interval(clip_norms, bits) / noise) / 2.0;
}

Check published_row(const char* name, const char* claim, Space space,
                    std::function<Mechanism(const Point&)> mechanism, Adjacency adjacency,
                    Truth truth) {
    Check row = library_row(fmt::format("one_step.published.equals_best_printed{}", name), claim,
                            Relation::encloses, std::move(space), 60, 800);
    row.oracle = "formula: the smallest of the printed bounds";
    row.evaluate = [=](const Point& p) {
        const double value =
            one_step_rdp(mechanism(p), adjacency, p["alpha"]).published_upper.value;
        return Enclosure{value * (1.0 - formula_width), value};
    };
    row.truth = std::move(truth);
    return row;
}

Interval best_poisson_replace_one(const Point& p, long bits) {
    return min(unsampled(p["alpha"], p["sigma"], 2.0, bits),
               at(formula("birrell2024.thm_c_9_as_printed"), p, "m", 3.0, bits));
}

Interval best_fixed_size_replace_one(const Point& p, long bits) {
    Interval best =
        min(unsampled(p["alpha"], p["sigma"], 2.0, bits), formula("wang2019.upper")(p, bits));
    for (const double terms : {3.0, 4.0, 5.0, 6.0})
        best = min(best, at(formula("birrell2024.thm_3_4"), p, "m", terms, bits));
    return best;
}

Interval best_with_replacement(const Point& p, long bits) {
    Interval best = unsampled(p["alpha"], p["sigma"], 2.0 * p["B"], bits);
    Point named = p;
    named.set("m", 4.0);
    for (const double terms : {2.0, 3.0, 5.0})
        if (terms <= p["B"])
            best = min(best, at(formula("birrell2024.thm_3_6_capped"), named, "K", terms, bits));
    return best;
}

}  // namespace

std::vector<Check> published_step_rows() {
    const Space line{{order_dimension(1.001, 64.0), noise_dimension("sigma", 0.3, 300.0),
                      probability_dimension(1e-9, 0.999)},
                     {}};
    const Space batches{{integer_order_dimension(16.0), noise_dimension("sigma", 0.5, 300.0),
                         count_dimension("B", 1, 30, {1, 2, 3, 5, 30}),
                         count_dimension("D", 2, 1e5, {2, 6, 31, 50000})},
                        [](const Point& p) { return p["B"] < p["D"]; }};
    std::vector<Check> rows{
        published_row("",
                      "the published bound of a Poisson step under replace-one is the smaller one "
                      "of Theorem C.9 as printed at m = 3 and of the unsampled Gaussian",
                      line, poisson_at, Adjacency::replace_one, best_poisson_replace_one),
        published_row("_fixed_size",
                      "the published bound of a fixed-size step under replace-one is the smallest "
                      "one of Theorem 3.4 at m = 3..6, wang2019 and the unsampled Gaussian",
                      line, fixed_size_at, Adjacency::replace_one, best_fixed_size_replace_one),
        published_row(
            "_with_replacement",
            "the published bound of a step with replacement is the smallest one of "
            "Theorem 3.6 with capped terms and of the unsampled Gaussian",
            batches,
            [](const Point& p) -> Mechanism {
                return FixedSizeWithReplacementGaussian{.noise_multiplier = p["sigma"],
                                                        .batch_size = p.integer("B"),
                                                        .dataset_size = p.integer("D")};
            },
            Adjacency::add_remove, best_with_replacement),
    };
    return rows;
}

}  // namespace assay::verify
