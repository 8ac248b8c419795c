#include <algorithm>
#include <array>
#include <cmath>

#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// epsilon(delta) is where delta(epsilon) falls to delta.

namespace assay::verify {

namespace {

Space one_step_space() {
    return {{setting_dimension(0.0, 5.0), noise_dimension("sigma", 0.05, 1e3),
             probability_dimension(1e-6, 1.0 - 1e-9),
             positive_dimension("delta", 1e-100, 0.9, {1e-30, 1e-10, 1e-5, 0.1})},
            {}};
}

EpsilonBracket epsilon_of(const Point& p, std::int64_t steps) {
    const Setting setting = setting_at(p);
    const std::array<Phase, 1> phase{Phase{setting.mechanism, steps}};
    return pld_epsilon(phase, setting.adjacency, p["delta"], coarse);
}

/// The exact delta of one step at this epsilon, the larger of both directions.
Interval exact_delta(const Point& p, double epsilon, long asked) {
    const long setting = p.integer("setting");
    const bool replaced = setting % 2 == 1;
    const double q = setting < 2 ? 1.0 : p["q"];
    // Poisson: 1/sigma; none: 1/sigma, or 2/sigma under replace-one; fixed size: 2/sigma.
    const double shift = setting >= 4 || setting == 1 ? 2.0 : 1.0;
    return nonnegative(refined(asked, [&](long bits) {
        const Interval c = Interval(shift, bits) / p["sigma"];
        const Interval k = exp(Interval(epsilon, bits));
        if (setting == 3) return antipodal_ratio(q, c).excess(k);
        const Interval removal = removal_ratio(q, c).excess(k);
        return replaced ? removal : max(removal, nonnegative(addition_ratio(q, c).excess(k)));
    }));
}

std::vector<Check> one_step_rows() {
    Check upper = library_row("pld.epsilon.one_step_upper",
                              "delta at the upper epsilon of one step is at most delta",
                              Relation::at_least, one_step_space(), 60, 3000);
    upper.oracle = "normal probabilities at that epsilon";
    upper.evaluate = [](const Point& p) { return exactly(p["delta"]); };
    upper.truth = [](const Point& p, long bits) {
        const double epsilon = epsilon_of(p, 1).upper.value;
        return std::isfinite(epsilon) ? exact_delta(p, epsilon, bits) : Interval(0.0, bits);
    };
    Check lower = library_row("pld.epsilon.one_step_lower",
                              "delta at the lower epsilon of one step is at least delta",
                              Relation::at_most, one_step_space(), 60, 3000);
    lower.oracle = upper.oracle;
    lower.evaluate = upper.evaluate;
    lower.truth = [](const Point& p, long bits) {
        const double epsilon = epsilon_of(p, 1).lower.value;
        return epsilon > 0.0 ? exact_delta(p, epsilon, bits) : Interval(1.0, bits);
    };
    return {upper, lower};
}

std::vector<Check> many_step_rows() {
    const Space space{{setting_dimension(2.0, 4.0), noise_dimension("sigma", 0.5, 1e4),
                       probability_dimension(1e-6, 0.9), count_dimension("T", 2, 2000, {2, 10, 97}),
                       positive_dimension("delta", 1e-12, 0.5, {1e-10, 1e-5, 0.1})},
                      [](const Point& p) {
                          const double x = 1.0 / p["sigma"];
                          return p["q"] * std::sqrt(p["T"] * std::expm1(x * x)) <= 4.0;
                      }};
    Check row = library_row("pld.epsilon.agrees_with_delta",
                            "delta at the upper epsilon does not exceed delta, by the lower side",
                            Relation::at_least, space, 8, 300);
    row.oracle = "library: the lower side of delta at that epsilon";
    row.evaluate = [](const Point& p) { return exactly(p["delta"]); };
    row.truth = [](const Point& p, long bits) {
        const Setting setting = setting_at(p);
        const std::array<Phase, 1> phase{Phase{setting.mechanism, p.integer("T")}};
        const double epsilon = epsilon_of(p, p.integer("T")).upper.value;
        if (!(epsilon <= largest_pld_epsilon)) return Interval(0.0, bits);
        return Interval(
            pld_delta(phase, setting.adjacency, {&epsilon, 1}, coarse).points.front().lower.value,
            bits);
    };
    return {row};
}

}  // namespace

std::vector<Check> pld_epsilon_rows() {
    std::vector<Check> rows = one_step_rows();
    for (Check& row : many_step_rows()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
