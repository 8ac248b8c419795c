#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

Dimension divergence() {
    return positive_dimension("rdp", 1e-12, 1e4, {0.0, 1e-9, 0.1, 1.0, 30.0});
}

Space epsilon_space() {
    return {
        {order_dimension(1.0 + 1e-6, 5000.0), divergence(),
         positive_dimension("delta", 1e-300, 0.4, {1e-300, 1e-10, 1e-5, 0.1}), step_dimension()},
        {}};
}

Space delta_space() {
    return {{order_dimension(1.0 + 1e-6, 5000.0), divergence(),
             linear_dimension("eps", 0.0, 30.0, {0.0, 0.1, 1.0, 8.0}), step_dimension()},
            {}};
}

Side moved(const char* quantity, const char* parameter) {
    return answer(quantity, [=](Point& p) { p.set(parameter, larger(p, parameter)); });
}

std::vector<Check> monotone() {
    std::vector<Check> rows;
    for (const char* name :
         {"convert.mironov2017_prop_3", "convert.balle2020_thm_21", "convert.canonne2020"}) {
        rows.push_back(at_most_law(fmt::format("law.{}.grows_with_rdp", name),
                                   "epsilon is nondecreasing in the divergence", epsilon_space(),
                                   60, 800, answer(name), moved(name, "rdp")));
        rows.push_back(at_most_law(fmt::format("law.{}.falls_with_delta", name),
                                   "epsilon is nonincreasing in delta", epsilon_space(), 60, 800,
                                   moved(name, "delta"), answer(name)));
    }
    constexpr const char* delta = "convert.canonne2020_delta";
    rows.push_back(at_most_law("law.convert.canonne2020_delta.grows_with_rdp",
                               "delta is nondecreasing in the divergence", delta_space(), 60, 800,
                               answer(delta), moved(delta, "rdp")));
    rows.push_back(at_most_law("law.convert.canonne2020_delta.falls_with_epsilon",
                               "delta is nonincreasing in epsilon", delta_space(), 60, 800,
                               moved(delta, "eps"), answer(delta)));
    return rows;
}

/// delta at the epsilon that another conversion gave, from its end that makes the claim weaker.
Interval delta_back(const Point& p) {
    const Interval epsilon = answer("convert.canonne2020")(p);
    return interval_of(canonne2020_delta(p["alpha"], exactly(p["rdp"]), epsilon.upper_double()));
}

/// conv(T rdp(alpha)) at one order of the grid, from T rdp rounded up.
Interval at_one_order(const Point& p) {
    const std::vector<double> orders = opacus_orders();
    const double order = orders[static_cast<std::size_t>(p.integer("index")) % orders.size()];
    Point there = p;
    there.set("alpha", order);
    const Interval rdp =
        answer("exact.fixed_size_without_replacement")(there) * Interval(p["T"], distribution_bits);
    there.set("rdp", rdp.upper_double());
    return answer("convert.canonne2020")(there);
}

Interval over_orders(const Point& p) {
    return interval_of(library_answer("epsilon.over_orders",
                                      {{"rdp", std::string("exact.fixed_size_without_replacement")},
                                       {"sigma", p["sigma"]},
                                       {"q", p["q"]},
                                       {"T", p["T"]},
                                       {"delta", p["delta"]},
                                       {"conv", std::string("cks")}}));
}

std::vector<Check> between() {
    const Space grid{{noise_dimension("sigma", 0.5, 100.0),
                      probability_dimension(1e-5, 0.99),
                      count_dimension("T", 1, 1e5, {1, 1000}),
                      positive_dimension("delta", 1e-12, 0.1, {1e-10, 1e-5}),
                      {"index", Scale::linear, 0, 150, true, {0, 50, 98, 150}}},
                     {}};
    Space round_trip = epsilon_space();
    // Below alpha = 1.01 the delta side leaves its second bound out.
    round_trip.dimensions.front() = order_dimension(1.0101, 5000.0);
    return {
        at_most_law("law.convert.balle2020_below_mironov2017",
                    "balle2020's conversion is below mironov2017's (docs/proofs.md, J.2)",
                    epsilon_space(), 60, 800, answer("convert.balle2020_thm_21"),
                    answer("convert.mironov2017_prop_3")),
        at_most_law("law.convert.canonne2020_below_balle2020",
                    "the guard of canonne2020 can only lower epsilon, clipped at 0",
                    epsilon_space(), 60, 800, answer("convert.canonne2020"),
                    [](const Point& p) {
                        return max(answer("convert.balle2020_thm_21")(p),
                                   Interval(0.0, distribution_bits));
                    }),
        at_most_law("law.convert.round_trip", "delta(epsilon(delta)) <= delta", round_trip, 60, 800,
                    delta_back,
                    [](const Point& p) { return Interval(p["delta"], distribution_bits); }),
        at_most_law("law.epsilon.over_orders_below_each",
                    "the minimum over orders is below the value at each", grid, 30, 400,
                    over_orders, at_one_order),
    };
}

}  // namespace

std::vector<Check> conversion_laws() {
    std::vector<Check> rows = monotone();
    for (Check& check : between()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
