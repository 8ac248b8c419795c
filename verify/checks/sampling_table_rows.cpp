#include <cmath>
#include <vector>

#include "assay/monte_carlo/sampling_tables.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// Tables of quantiles by signed tail, -(1 - v) for a tail v above 1/2. A value within a factor
// 1 +- e of the right one has the tail asked between its tails at both ends.

namespace assay::verify {

namespace {

/// Of magnitude 2^-exponent times 1 + fraction; negative: the complement of the tail.
double signed_tail_at(const Point& p) {
    const double magnitude = std::ldexp(1.0 + p["fraction"], -static_cast<int>(p["exponent"]) - 1);
    return p["mirrored"] == 1.0 ? -magnitude : magnitude;
}

/// Tails at value (1 + e) and value (1 - e), on the side of the tail that is asked.
template <class Tail>
Enclosure tails_around(double value, double error, bool mirrored, Tail tail) {
    const Interval far = tail(Interval(value, 128) * (1.0 + error));
    const Interval near = tail(Interval(value, 128) * (1.0 - error));
    if (mirrored) return {(far - 1.0).lower_double(), (near - 1.0).upper_double()};
    return {far.lower_double(), near.upper_double()};
}

std::vector<Dimension> tail_dimensions(double most_octaves) {
    return {{"exponent", Scale::linear, 1, most_octaves, true, {1, 2, most_octaves}},
            linear_dimension("fraction", 0.0, 0.999, {0.0, 0.5}),
            {"mirrored", Scale::linear, 0, 1, true, {0, 1}}};
}

Check table_row(const char* id, const char* claim, Space space) {
    Check row = library_row(id, claim, Relation::encloses, std::move(space), 40, 600);
    row.truth = [](const Point& p, long bits) { return Interval(signed_tail_at(p), bits); };
    return row;
}

Check lognormal_row() {
    Space space{tail_dimensions(40), {}};
    space.dimensions.push_back(noise_dimension("sigma", 0.04, 100.0));
    Check row = table_row("sampling_tables.lognormal_error",
                          "lognormals by their tail are right up to 2^-28 "
                          "(docs/error_bounds.md, sampling tables)",
                          space);
    row.oracle = "the tail of the value found";
    row.evaluate = [](const Point& p) {
        const double tail = signed_tail_at(p);
        const Interval s(p["sigma"], 256);
        return tails_around(lognormal_table(p["sigma"], 22).at(tail), 0x1p-28, tail < 0.0,
                            [&](const Interval& y) {
                                const Interval z = s * log(y) + 0.5 / s;
                                return tail < 0.0 ? 1.0 - normal_cdf(z) : normal_cdf(-z);
                            });
    };
    return row;
}

/// P(X > x) = e^-x sum_{j < shape} x^j / j!.
Interval gamma_tail(const Interval& x, long shape) {
    Interval term(1.0, 256);
    Interval sum(1.0, 256);
    for (long j = 1; j < shape; ++j) {
        term = term * x / whole(j);
        sum += term;
    }
    return sum * exp(-x);
}

Check gamma_row() {
    Space space{tail_dimensions(30), {}};
    space.dimensions.push_back(count_dimension("shape", 1, 500, {1, 2, 500}));
    Check row = table_row("sampling_tables.gamma_error",
                          "gamma variates by their tail are right up to 2^-32 "
                          "(docs/error_bounds.md, sampling tables)",
                          space);
    row.oracle = "the finite sum of the tail of the value found";
    row.evaluate = [](const Point& p) {
        const double tail = signed_tail_at(p);
        const auto shape = p.integer("shape");
        return tails_around(gamma_table(static_cast<double>(shape), shape == 1 ? 22 : 12).at(tail),
                            0x1p-32, tail < 0.0,
                            [&](const Interval& x) { return gamma_tail(x, shape); });
    };
    return row;
}

}  // namespace

std::vector<Check> sampling_table_rows() {
    return {lognormal_row(), gamma_row()};
}

}  // namespace assay::verify
