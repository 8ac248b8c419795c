#include "verify/oracles/trapezoid_plane.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "verify/oracles/trapezoid_plane_plan.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

namespace {

constexpr double most_turns = 4096;

// Nodes (j h1, k h2). One step is a double, `free`. The other is such that along h1 and across h2
// are one `turns` times the other, so that <v,z> takes few different values at the nodes, each of
// which costs a logarithm; turns = 0: it is the double `other`.
struct Grid {
    double free;
    bool second_is_free;
    long turns;
    double other;

    [[nodiscard]] Interval first(const Triangle& t) const {
        if (second_is_free) return derived(t.across, abs(t.along));
        return Interval(free, t.length.bits());
    }
    [[nodiscard]] Interval second(const Triangle& t) const {
        if (second_is_free) return Interval(free, t.length.bits());
        return derived(abs(t.along), t.across);
    }
    // Nodes with equal keys have equal <v,z>. Node numbers are below 2^30.
    [[nodiscard]] long key(long j, long k, int along_sign) const {
        if (along_sign == 0) return k;
        if (turns == 0) return j * (1L << 31) + k;
        return second_is_free ? along_sign * turns * j + k : along_sign * j + turns * k;
    }

private:
    [[nodiscard]] Interval derived(const Interval& numerator, const Interval& denominator) const {
        const long bits = numerator.bits();
        if (turns == 0) return Interval(other, bits);
        return Interval(free, bits) * numerator / denominator * Interval::integer(turns, bits);
    }
};

Grid choose_grid(const Triangle& t, double h1, double h2) {
    const double ratio = abs(t.along).upper_double() * h1 / (t.across.lower_double() * h2);
    if (!(ratio < most_turns && ratio > 1 / most_turns)) return {h2, true, 0, h1};
    // One of the two steps shrinks, by less than a half.
    if (ratio >= 1.0) return {h2, true, static_cast<long>(ratio), 0.0};
    return {h1, false, static_cast<long>(1.0 / ratio), 0.0};
}

using Table = std::unordered_map<long, Interval>;

template <class Make>
const Interval& remembered(Table& table, long key, Make&& make) {
    const auto found = table.find(key);
    if (found != table.end()) return found->second;
    return table.emplace(key, make()).first->second;
}

// Sum of e^{psi - scale} over the kept nodes, the scale taken off row by row.
Interval sum_nodes(const PlaneExponent& psi, const Grid& grid, const Triangle& t,
                   const PlanePlan& plan) {
    const long bits = t.length.bits();
    const Interval h1 = grid.first(t);
    const Interval h2 = grid.second(t);
    const int along_sign = t.along.is_zero() ? 0 : mpfr_sgn(t.along.lower()) < 0 ? -1 : 1;
    const Interval unit = exp(Interval(-plan.scale, bits));
    Table rows, columns, oblique;
    Interval sum(0.0, bits);
    for (const PlaneCell& cell : plan.kept)
        for (long j = cell.first_row; j <= cell.last_row; ++j) {
            const Interval z1 = h1 * Interval::integer(j, bits);
            Interval row(0.0, bits);
            for (long k = cell.first_column; k <= cell.last_column; ++k) {
                const auto z2 = [&] { return h2 * Interval::integer(k, bits); };
                const Interval& column =
                    remembered(columns, k, [&] { return PlaneExponent::column_factor(z2()); });
                row += column * remembered(oblique, grid.key(j, k, along_sign),
                                           [&] { return psi.oblique_factor(z1, z2()); });
            }
            sum += row * remembered(rows, j, [&] { return unit * psi.row_factor(z1); });
        }
    return sum;
}

}  // namespace

std::optional<Interval> log_moment(double order, double q, const TriangleAt& triangle, long bits) {
    const double nats = static_cast<double>(bits) * std::numbers::ln2 + 1;
    const Triangle rough = triangle(planning_bits);
    if (!rough.length.is_positive() || !rough.across.is_positive()) return std::nullopt;
    const double along = abs(rough.along).upper_double();
    const double across = rough.across.upper_double();
    const double power = (Interval(order, planning_bits) - 1.0).upper_double();
    // Coordinates are raised one at a time: <v,z> then moves by i v1 y1 or i v2 y2, <u,z> by i u1
    // y1.
    const Strip first{std::max(rough.length.upper_double(), along), along, power};
    const Strip second{across, across, power};
    const double h1_widest = widest_step(first, nats);
    const double h2_widest = widest_step(second, nats);
    if (!(h1_widest > 0 && h2_widest > 0)) return std::nullopt;
    const Grid grid = choose_grid(rough, h1_widest, h2_widest);
    const Interval h1 = grid.first(rough);
    const Interval h2 = grid.second(rough);
    const Interval e1 = rule_error(first, h1);
    const Interval e2 = rule_error(second, h2);
    // The sum over columns is within e2 of a function of z1 whose sum is within e1 of F.
    const Interval error = e1 + e2 + e1 * e2;
    if (!(error.upper_double() < 0.5)) return std::nullopt;
    const std::optional<PlanePlan> plan = plan_plane(PlaneExponent(order, q, rough), h1, h2, nats);
    if (!plan) return std::nullopt;

    const long working = bits + 24 + std::ilogb(plan->magnitude + plan->scale + 2) +
                         std::ilogb(static_cast<double>(plan->nodes) + 2);
    const Triangle fine = triangle(working);
    const Interval sum = sum_nodes(PlaneExponent(order, q, fine), grid, fine, *plan);
    const Interval factor = grid.first(fine) * grid.second(fine) / (2.0 * Interval::pi(working));
    const Interval one(1.0, working);
    return log(Interval::between(sum * factor / (one + error),
                                 (sum + plan->omitted) * factor / (one - error))) +
           plan->scale;
}

}  // namespace assay::verify::trapezoid
