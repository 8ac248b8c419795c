#include "verify/oracles/trapezoid_line_plan.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/trapezoid_search.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

namespace {

constexpr double most_nodes = 100000;
constexpr long most_cells = 20000;
constexpr long most_terms = 1000000;
constexpr long smallest_cell = 16;

struct Bound {
    Interval psi;      // upper end at least its maximum over the cell
    double magnitude;  // of its parts
    double somewhere;  // psi is about this or more at one point of the cell
};

class Exponent {
public:
    explicit Exponent(const LineMoment& moment)
        : p_(moment.p(planning_bits)),
          q_(moment.q(planning_bits)),
          order_(moment.order, planning_bits),
          rest_(order_ - 1.0) {}

    [[nodiscard]] Interval at(const Interval& z) const {
        return order_ * p_.log_at(z) - rest_ * q_.log_at(z) - square(z) / 2.0;
    }
    // The convex log P lies below its chord, the convex log Q above its tangent at the middle.
    [[nodiscard]] Bound over(const Interval& left, const Interval& right) const {
        const Interval middle = (left + right) / 2.0;
        const Interval length = right - left;
        const Interval p_left = p_.log_at(left);
        const Interval p_right = p_.log_at(right);
        const Interval chord = length.is_positive() ? (p_right - p_left) / length : length;
        const Interval q_middle = q_.log_at(middle);
        const Interval tangent = q_.log_slope(middle, q_middle);
        const Interval constant =
            order_ * (p_left - chord * left) - rest_ * (q_middle - tangent * middle);
        const Interval slope = order_ * chord - rest_ * tangent;
        const Interval q_part = rest_ * q_middle + square(middle) / 2.0;
        const Interval p_most = order_ * max(abs(p_left), abs(p_right));
        return {constant + parabola_maximum(slope, Interval::between(left, right)),
                (p_most + abs(q_part)).upper_double(),
                (order_ * min(p_left, p_right) - q_part).lower_double()};
    }
    // |log P^a Q^{1-a}| grows at most with this slope.
    [[nodiscard]] Interval steepest() const {
        return order_ * Interval(p_.steepest(), planning_bits) +
               rest_ * Interval(q_.steepest(), planning_bits);
    }
    // Maxima may lie at z = a s - (a-1) t with s, t the end slopes of log P, log Q.
    [[nodiscard]] double highest_candidate() const {
        const auto end = [](const ShiftMixture& v) {
            return v.shift() * Interval::integer(v.count(), planning_bits);
        };
        double highest = 0.0;
        for (const double s : {0.0, 1.0})
            for (const double t : {0.0, 1.0})
                highest = std::max(highest,
                                   at(s * order_ * end(p_) - t * rest_ * end(q_)).lower_double());
        return highest;
    }
    [[nodiscard]] long terms() const { return p_.terms() + q_.terms(); }

private:
    ShiftMixture p_;
    ShiftMixture q_;
    Interval order_;
    Interval rest_;
};

// Nodes -last..last; beyond bounds the sum of e^{psi - scale} over all others.
struct Window {
    LineCell nodes;
    Interval beyond;
};

std::optional<Window> window(const Exponent& psi, double step, double nats, double scale) {
    const Interval h(step, planning_bits);
    // psi(z) <= psi(0) + S|z| - z^2/2, so beyond S + width little is left.
    const Interval slope(psi.steepest().upper_double(), planning_bits);
    const Interval top = psi.at(Interval(0.0, planning_bits)) + square(slope) / 2.0 - scale;
    const double wanted = top.upper_double() + nats + 7 + std::log(1 + 1 / step);
    const double width = std::sqrt(2 * std::max(wanted, 1.0));
    const double ends = std::ceil((slope.upper_double() + width) / step) + 1;
    if (!(ends < 1e17)) return std::nullopt;
    const long last = static_cast<long>(ends);
    return Window{{-last, last}, exp(top) * sum_beyond(Interval(width, planning_bits), h)};
}

void split(const LineCell& cell, std::vector<LineCell>& parts) {
    if (cell.nodes() <= smallest_cell) return;
    const long middle = cell.first + (cell.last - cell.first) / 2;
    parts.push_back({cell.first, middle});
    parts.push_back({middle + 1, cell.last});
}

}  // namespace

std::optional<LinePlan> plan_line(const LineMoment& moment, double step, double nats) {
    const Exponent psi(moment);
    const Interval h(step, planning_bits);
    const auto bound = [&](const LineCell& cell) {
        return psi.over(h * Interval::integer(cell.first, planning_bits),
                        h * Interval::integer(cell.last, planning_bits));
    };
    const double candidate = psi.highest_candidate();
    const std::optional<Window> wide = window(psi, step, nats, candidate);
    if (!wide) return std::nullopt;
    const double scale = search_highest(wide->nodes, candidate, bound, split);
    const std::optional<Window> all = window(psi, step, nats, scale);
    if (!all) return std::nullopt;

    LinePlan plan;
    plan.step = step;
    plan.scale = scale;
    plan.omitted = all->beyond;
    const double threshold = -nats - 5.0;
    // A node costs about the square of its digits.
    const double affordable = most_nodes / std::pow(1 + nats / 350, 2);
    std::vector<LineCell> open{all->nodes};
    for (long cells = 0; !open.empty(); ++cells) {
        const LineCell cell = open.back();
        open.pop_back();
        const Bound most = bound(cell);
        const Interval psi_most = most.psi - scale;
        if (psi_most.upper_double() + std::log(static_cast<double>(cell.nodes())) <= threshold) {
            plan.omitted += exp(psi_most) * Interval::integer(cell.nodes(), planning_bits);
        } else if (cell.nodes() <= smallest_cell) {
            plan.kept.push_back(cell);
            plan.nodes += cell.nodes();
            plan.magnitude = std::max(plan.magnitude, most.magnitude);
        } else {
            split(cell, open);
        }
        if (cells > most_cells || static_cast<double>(plan.nodes) > affordable ||
            psi.terms() > most_terms)
            return std::nullopt;
    }
    return plan;
}

}  // namespace assay::verify::trapezoid
