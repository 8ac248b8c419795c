#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
#include "experiments/mironov2019/mironov2019.hpp"
#include "experiments/mironov2019/theorem_11_claims.hpp"

namespace assay::experiments::mironov2019 {

namespace {

/// An order just above `holds` at which the exact divergence certainly exceeds 2 q^2 alpha/sigma^2.
double first_order_above(double holds, double sigma, double q) {
    for (int doublings = 0; doublings < 20; ++doublings) {
        const double order = holds * (1.0 + std::ldexp(1e-12, doublings));
        if (poisson_add_remove_rdp(order, sigma, q).lower > theorem_11(order, sigma, q).rdp.upper)
            return order;
    }
    throw Error(fmt::format("no crossing is certified above alpha = {}, sigma = {}, q = {}", holds,
                            sigma, q));
}

}  // namespace

FigureResult run_fig01_left_largest_order(const Params& params) {
    Table table({{.name = "x", .unit = "sampling probability q", .golden_tolerance = 1e-14},
                 {.name = "y", .unit = "order α"},
                 {.name = "lower", .unit = "order α", .direction = Direction::lower},
                 {.name = "upper", .unit = "order α", .direction = Direction::upper}});
    const std::vector<double> probabilities = params.numbers("q");
    double narrowest = std::numeric_limits<double>::infinity();
    for (const double sigma : params.numbers("sigma")) {
        const auto name = [&](const char* kind) { return fmt::format("{}_sigma_{}", kind, sigma); };
        const auto declare = [&](const char* kind, const char* label, Theorem theorem) {
            table.add_series({.name = name(kind),
                              .label = fmt::format("{}, σ = {}", label, sigma),
                              .direction = Direction::lower,
                              .theorem = theorem});
        };
        declare("condition_4", "condition (4)", theorem_11_citation);
        declare("condition_5", "condition (5)", theorem_11_citation);
        declare("minimum", "minimum of both", theorem_11_citation);
        declare("exact", "exact: ε = 2q²α/σ²", section_3_3_citation);
        for (const double q : probabilities) {
            const LargestOrders largest = largest_orders(sigma, q);
            const auto add = [&](const char* kind, double lower, double upper) {
                table.add(name(kind), {q, lower, lower, upper});
            };
            const auto add_rounded = [&](const char* kind, double order) {
                add(kind, order, widen_up(order, 2));
            };
            add_rounded("condition_4", largest.condition_4);
            add_rounded("condition_5", largest.condition_5);
            add_rounded("minimum", largest.both);
            add("exact", largest.exact, first_order_above(largest.exact, sigma, q));
            narrowest = std::min(narrowest, largest.exact / largest.both);
        }
    }
    std::vector<Claim> claims = {claim(
        "fig01-left-minimum-below-exact", "Figure 1 left",
        "The largest order that (4) and (5) admit lies below the exact one.",
        fmt::format("The exact order is at least {:.4f} times the one they admit.", narrowest),
        decide(narrowest >= 1.0))};
    for (Claim& each : theorem_11_claims(params.section("theorem_11")))
        claims.push_back(std::move(each));
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::mironov2019
