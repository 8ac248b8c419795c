#include <fmt/format.h>

#include <array>
#include <cmath>

#include "assay/pld/pld_accountant.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Privacy loss distributions against closed forms and quadrature.

namespace assay::verify {

namespace {

Check poisson_row(const char* region, double steps, Space space, int quick, int full) {
    constexpr const char* quantity = "poisson.delta_remove";
    space.dimensions.push_back(count_dimension("T", steps, steps, {}));
    Check row = library_row(fmt::format("{}.encloses_trapezoid_{}", quantity, region),
                            "the composed steps contain the exact divergence", Relation::encloses,
                            std::move(space), quick, full);
    row.oracle = oracle_name(quantity, Method::trapezoid);
    row.evaluate = library_subject(quantity);
    row.truth = oracle_truth(quantity, Method::trapezoid);
    return row;
}

std::vector<Check> poisson_rows() {
    const Space space{
        {noise_dimension("sigma", 0.3, 20.0),
         {"q", Scale::logarithmic, 1e-4, 0.95, false, {1e-3, 0.01, 0.1, 0.5}},
         epsilon_dimension(4.0)},
        // Where delta is not far below 1e-12: W is at most 1 - q + q e^{7/sigma + 1/(2 sigma^2)}.
        [](const Point& p) {
            const double x = 1.0 / p["sigma"];
            return p["eps"] <= std::log1p(p["q"] * std::expm1(6.0 * x + 0.5 * x * x));
        }};
    return {poisson_row("one_step", 1, space, 15, 150), poisson_row("two_steps", 2, space, 15, 90)};
}

/// T steps of the Gaussian at distance `shift` from each other: mu = shift sqrt(T)/sigma.
Interval gaussian_delta_at(const Point& point, double shift, long bits) {
    return min(nonnegative(refined(bits,
                                   [&](long p) {
                                       const Interval e(point["eps"], p);
                                       const Interval mu =
                                           shift * sqrt(Interval(point["T"], p)) / point["sigma"];
                                       return normal_cdf(mu / 2.0 - e / mu) -
                                              exp(e) * normal_cdf(-mu / 2.0 - e / mu);
                                   })),
               Interval(1.0, bits));
}

struct Sensitivity {
    const char* name;
    Adjacency adjacency;
    double shift;
};

std::vector<Check> gaussian_rows() {
    const Space space{
        {noise_dimension("sigma", 0.5, 100.0), count_dimension("T", 1, 2000, {1, 2, 3, 100, 1000}),
         epsilon_dimension(10.0)},
        [](const Point& p) {
            const double mu = std::sqrt(p["T"]) / p["sigma"];
            return mu <= 6.0 && p["eps"] <= 0.5 * mu * mu + 6.0 * mu;
        }};
    std::vector<Check> rows;
    for (const Sensitivity& s : {Sensitivity{"add_remove", Adjacency::add_remove, 1.0},
                                 Sensitivity{"replace_one", Adjacency::replace_one, 2.0}}) {
        for (const bool upper : {false, true}) {
            Check row =
                library_row(fmt::format("pld.gaussian_{}.{}", s.name, upper ? "upper" : "lower"),
                            "delta of T Gaussian steps has a closed form",
                            upper ? Relation::at_least : Relation::at_most, space, 8, 100);
            row.oracle = "closed form: mu = shift sqrt(T)/sigma";
            row.evaluate = [s, upper](const Point& p) {
                const double epsilon = p["eps"];
                const std::array<Phase, 1> phase{
                    Phase{Gaussian{.noise_multiplier = p["sigma"]}, p.integer("T")}};
                const DeltaBracket delta =
                    pld_delta(phase, s.adjacency, {&epsilon, 1}).points.front();
                const double value = upper ? delta.upper.value : delta.lower.value;
                return Enclosure{value, value};
            };
            row.truth = [s](const Point& p, long bits) {
                return gaussian_delta_at(p, s.shift, bits);
            };
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace

std::vector<Check> pld_rows() {
    return joined({poisson_rows, gaussian_rows, pld_one_step_rows, pld_sampled_rows,
                   pld_many_steps_rows, pld_little_noise_rows, pld_near_far_rows, pld_epsilon_rows,
                   pld_grid_rows, pld_chernoff_rows, pld_convolve_rows, pld_one_jump_rows,
                   pld_neighbour_rows, full_batch_rows});
}

}  // namespace assay::verify
