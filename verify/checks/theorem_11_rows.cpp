#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assay/rdp/theorem_11.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Every condition of mironov2019 Theorem 11, at its edge.

namespace assay::verify {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

Check applies_row(const char* condition, std::string claim, Space space, double edge,
                  std::function<double(const Point&)> value) {
    Check row = library_row(fmt::format("mironov2019.thm_11.applies_{}", condition),
                            std::move(claim), Relation::at_most, std::move(space), 120, 2000);
    row.oracle = "the printed condition";
    row.evaluate = [value = std::move(value)](const Point& p) {
        return exactly(theorem_11(p["alpha"], p["s"], p["q"]).applies ? value(p) : none);
    };
    row.truth = [edge](const Point&, long bits) { return Interval(edge, bits); };
    return row;
}

/// The largest order at which the theorem is said to apply.
double largest_applied(double s, double q) {
    double low = 1.0001;
    if (!theorem_11(low, s, q).applies) return none;
    double high = 2.0;
    while (theorem_11(high, s, q).applies) {
        low = high;
        high *= 2.0;
    }
    while (true) {
        const double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high) return low;
        (theorem_11(middle, s, q).applies ? low : high) = middle;
    }
}

Check edge_row(const char* side) {
    const std::string quantity = fmt::format("mironov2019.thm_11.{}", side);
    Check row = library_row(
        fmt::format("mironov2019.thm_11.applies_edge_{}", side),
        fmt::format("the largest order at which Theorem 11 is applied satisfies its condition {}",
                    side == std::string("rhs4") ? "(4)" : "(5)"),
        Relation::at_most,
        {{noise_dimension("s", 4.0, 100.0),
          {"q", Scale::logarithmic, 1e-6, 0.2, false, {0.001, 0.01, 0.1, 0.2}}},
         {}},
        60, 1000);
    row.oracle = oracle_name(quantity, Method::formula) + " at that order";
    row.evaluate = [](const Point& p) { return exactly(largest_applied(p["s"], p["q"])); };
    row.truth = [oracle = oracle_truth(quantity, Method::formula)](const Point& p, long bits) {
        const double alpha = largest_applied(p["s"], p["q"]);
        if (alpha == none) return Interval(0.0, bits);  // nothing is claimed
        Point named = p;
        named.set("alpha", alpha);
        return oracle(named, bits);
    };
    return row;
}

}  // namespace

std::vector<Check> theorem_11_rows() {
    const double above_a_fifth = std::nextafter(0.2, 1.0);
    return {
        applies_row("q", "Theorem 11 is applied only where q <= 1/5 (as a double)",
                    {{order_dimension(1.01, 2.0), noise_dimension("s", 10.0, 100.0),
                      linear_dimension("q", 0.1, 0.5, {0.2, above_a_fifth, 0.21, 0.25})},
                     {}},
                    0.2, [](const Point& p) { return p["q"]; }),
        applies_row("s", "Theorem 11 is applied only where s >= 4",
                    {{order_dimension(1.01, 2.0),
                      linear_dimension("s", 3.0, 5.0, {std::nextafter(4.0, 0.0), 3.99, 4.0}),
                      {"q", Scale::logarithmic, 1e-6, 0.2, false, {1e-3, 0.01}}},
                     {}},
                    -4.0, [](const Point& p) { return -p["s"]; }),
        edge_row("rhs4"),
        edge_row("rhs5"),
    };
}

}  // namespace assay::verify
