#include <algorithm>
#include <cmath>
#include <memory>

#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/epsilon_lower_bound.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/tilted_mixture.hpp"
#include "verify/rows.hpp"

// Proposition 6b at one tilt: the library's bound against the written formula.

namespace assay::verify {

namespace {

constexpr long working = 128;

/// "away" deviations below the tilted mean, as a double.
double epsilon_at(const lemma::TiltedSum& sum, const Point& p) {
    const double mean = sum.mean.lower_double();
    return std::max(0.0, mean - p["away"] * std::sqrt(sum.variance.lower_double()));
}

using Sum = lemma::TiltedSum (*)(const Point&, long);

lemma::TiltedSum gaussian_sum(const Point& p, long bits) {
    return lemma::gaussian_steps(p["c"], p.integer("T"), p["tilt"], bits);
}
lemma::TiltedSum sampled_sum(const Point& p, long bits) {
    return lemma::mixture_steps(p["c"], p["q"], p.integer("T"), p["tilt"], bits);
}

Check tilting_row(std::string id, const char* moments, Space space, int quick, int full, Sum sum) {
    Check row = library_row(
        std::move(id),
        "at every tilt the bound of delta is not above the formula of Proposition 6 (b) "
        "(docs/proofs.md, I)",
        Relation::at_most, std::move(space), quick, full);
    row.oracle = moments;
    row.evaluate = [sum](const Point& p) {
        const RepeatedPair pair{
            std::make_shared<CollinearPair>(p.has("q") ? p["q"] : 1.0, p["c"], 0.0L),
            p.integer("T")};
        return exactly(tilted_delta_bound({&pair, 1}, p["tilt"], epsilon_at(sum(p, working), p)));
    };
    row.truth = [sum](const Point& p, long bits) {
        const Interval zero(0.0, bits);
        return max(zero, closed_form_bound(sum(p, bits + 64), epsilon_at(sum(p, working), p)));
    };
    return row;
}

/// Enough steps for the bound to say something at most points.
Space tilts(Dimension shift, double least_steps, double most_steps) {
    return {{std::move(shift),
             count_dimension("T", least_steps, most_steps, {10, 1000, 1e5}),
             {"tilt", Scale::logarithmic, 0.02, 5.0, false, {0.1, 1.0, 5.0}},
             linear_dimension("away", -1.0, 3.0, {0.0, 1.0, 2.0})},
            {}};
}

}  // namespace

std::vector<Check> tilting_rows() {
    Space sampled = tilts(positive_dimension("c", 0.05, 1.5, {0.1, 1.0}), 100, 1e6);
    sampled.dimensions.push_back(
        {"q", Scale::probability, 1e-2, 0.999, false, {0.01, 0.1, 0.5, 0.99}});
    return {
        tilting_row("epsilon.lower_bound.encloses_proposition_6b",
                    "closed form: moments of Gaussian steps",
                    tilts(positive_dimension("c", 0.003, 1.0, {0.01, 0.1, 1.0}), 1, 1e5), 60, 1500,
                    gaussian_sum),
        tilting_row("epsilon.lower_bound.encloses_proposition_6b_sampled",
                    "trapezoid: moments of Poisson steps", std::move(sampled), 6, 120, sampled_sum),
    };
}

}  // namespace assay::verify
