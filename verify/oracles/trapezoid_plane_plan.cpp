#include "verify/oracles/trapezoid_plane_plan.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/trapezoid_search.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

namespace {

constexpr double most_plane_nodes = 800000;
constexpr long most_plane_cells = 15000;
constexpr long smallest_side = 16;
constexpr double most_rows = 1e8;  // PlaneCell's node numbers stay small integers

// In two, across the longer side.
void split_plane(const PlaneCell& cell, std::vector<PlaneCell>& parts) {
    if (cell.height() <= smallest_side && cell.breadth() <= smallest_side) return;
    PlaneCell one = cell;
    PlaneCell other = cell;
    if (cell.height() > cell.breadth()) {
        one.last_row = cell.first_row + (cell.last_row - cell.first_row) / 2;
        other.first_row = one.last_row + 1;
    } else {
        one.last_column = cell.first_column + (cell.last_column - cell.first_column) / 2;
        other.first_column = one.last_column + 1;
    }
    parts.push_back(one);
    parts.push_back(other);
}

// A rectangle of nodes; beyond bounds the sum of e^{psi - scale} over all others.
struct PlaneWindow {
    PlaneCell nodes;
    Interval beyond;
};

std::optional<PlaneWindow> window(const PlaneExponent& psi, const Interval& h1, const Interval& h2,
                                  double nats, double scale) {
    const long bits = h1.bits();
    const Interval zero(0.0, bits);
    const Interval slope1(psi.steepest_first().upper_double(), bits);
    const Interval slope2(psi.steepest_second().upper_double(), bits);
    const Interval top = psi.at(zero, zero) + (square(slope1) + square(slope2)) / 2.0 - scale;
    const double wanted = top.upper_double() + nats + 10 + 2 * std::log(1 + 3 / h1.lower_double()) +
                          2 * std::log(1 + 3 / h2.lower_double());
    const double width = std::sqrt(2 * std::max(wanted, 1.0));
    const double rows = std::ceil((slope1.upper_double() + width) / h1.lower_double()) + 1;
    const double columns = std::ceil((slope2.upper_double() + width) / h2.lower_double()) + 1;
    if (!(rows < most_rows && columns < most_rows)) return std::nullopt;
    // Outside the rectangle |z1| <= S1 + w, |z2| <= S2 + w one of the two factors is in its tail.
    const Interval w(width, bits);
    const Interval tails =
        sum_beyond(w, h1) * sum_over_all(h2) + sum_over_all(h1) * sum_beyond(w, h2);
    const long r = static_cast<long>(rows);
    const long c = static_cast<long>(columns);
    return PlaneWindow{{-r, r, -c, c}, exp(top) * tails};
}

}  // namespace

std::optional<PlanePlan> plan_plane(const PlaneExponent& psi, const Interval& h1,
                                    const Interval& h2, double nats) {
    const long bits = h1.bits();
    const auto place = [bits](const Interval& h, long n) { return h * Interval::integer(n, bits); };
    const auto bound = [&](const PlaneCell& cell) {
        return psi.over(place(h1, cell.first_row), place(h1, cell.last_row),
                        place(h2, cell.first_column), place(h2, cell.last_column));
    };
    const double candidate = psi.highest_candidate();
    const std::optional<PlaneWindow> wide = window(psi, h1, h2, nats, candidate);
    if (!wide) return std::nullopt;
    const double scale = search_highest(wide->nodes, candidate, bound, split_plane);
    const std::optional<PlaneWindow> all = window(psi, h1, h2, nats, scale);
    if (!all) return std::nullopt;

    PlanePlan plan{scale, {}, 0, 1.0, all->beyond};
    const double threshold = -nats - 5.0;
    const double affordable = most_plane_nodes / (1 + nats / 350);
    std::vector<PlaneCell> open{all->nodes};
    for (long cells = 0; !open.empty(); ++cells) {
        const PlaneCell cell = open.back();
        open.pop_back();
        const PlaneExponent::Bound most = bound(cell);
        const Interval psi_most = most.psi - scale;
        const double count =
            static_cast<double>(cell.height()) * static_cast<double>(cell.breadth());
        if (psi_most.upper_double() + std::log(count) <= threshold) {
            plan.omitted += exp(psi_most) * Interval::integer(cell.height(), bits) *
                            Interval::integer(cell.breadth(), bits);
        } else if (cell.height() <= smallest_side && cell.breadth() <= smallest_side) {
            plan.kept.push_back(cell);
            plan.nodes += cell.height() * cell.breadth();
            plan.magnitude = std::max(plan.magnitude, most.magnitude);
        } else {
            split_plane(cell, open);
        }
        if (cells > most_plane_cells || static_cast<double>(plan.nodes) > affordable)
            return std::nullopt;
    }
    return plan;
}

}  // namespace assay::verify::trapezoid
