#include "assay/numeric/gauss_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

constexpr int half_nodes = 12;
constexpr int node_count = 2 * half_nodes;
constexpr int most_panels = 100'000;

struct Rule {
    std::array<real, half_nodes> node{};
    std::array<real, half_nodes> weight{};
};

/// Positive nodes by Newton's method on the Legendre polynomial; accurate to a few units roundoff.
Rule make_rule() {
    Rule rule;
    constexpr auto n = static_cast<real>(node_count);
    for (int i = 0; i < half_nodes; ++i) {
        real x = std::cos(std::numbers::pi_v<real> * (static_cast<real>(i) + 0.75L) / (n + 0.5L));
        real derivative = 1.0L;
        for (int iteration = 0; iteration < 8; ++iteration) {
            real p0 = 1.0L;
            real p1 = x;
            for (int k = 2; k <= node_count; ++k) {
                const auto m = static_cast<real>(k);
                p0 = std::exchange(p1, ((2.0L * m - 1.0L) * x * p1 - (m - 1.0L) * p0) / m);
            }
            derivative = n * (x * p1 - p0) / (x * x - 1.0L);
            x -= p1 / derivative;
        }
        rule.node[static_cast<std::size_t>(i)] = x;
        rule.weight[static_cast<std::size_t>(i)] =
            2.0L / ((1.0L - x * x) * derivative * derivative);
    }
    return rule;
}

struct Panel {
    real left;
    real right;
};

/// log of the quadrature error bound of one panel, over a few ellipses.
real log_error_bound(const PanelIntegrand& integrand, const Panel& panel) {
    const real half = 0.5L * (panel.right - panel.left);
    const real middle = panel.left + half;
    real best = std::numeric_limits<real>::infinity();
    for (const real rho : {3.0L, 4.5L, 7.0L, 12.0L}) {
        const real wide = half * 0.5L * (rho + 1.0L / rho);
        const real high = half * 0.5L * (rho - 1.0L / rho);
        const real bound = integrand.log_bound(middle - wide, middle + wide, high) +
                           std::log(half * 64.0L / 15.0L / (1.0L - 1.0L / (rho * rho))) -
                           2.0L * node_count * std::log(rho);
        best = std::min(best, bound);
    }
    return best;
}

}  // namespace

PanelIntegral integrate_panels(const PanelIntegrand& integrand, real left, real right,
                               real log_scale) {
    static const Rule rule = make_rule();
    PanelIntegral integral;
    std::vector<Panel> stack;
    constexpr int first_pieces = 8;
    for (int i = 0; i < first_pieces; ++i) {
        const real step = (right - left) / first_pieces;
        stack.push_back({left + static_cast<real>(i) * step,
                         i + 1 == first_pieces ? right : left + static_cast<real>(i + 1) * step});
    }
    int panels = 0;
    while (!stack.empty()) {
        if (++panels > most_panels) {
            integral.certified = false;
            return integral;
        }
        allow_interruption(3000);
        const Panel panel = stack.back();
        stack.pop_back();
        const real length = panel.right - panel.left;
        const real size = integrand.log_bound(panel.left, panel.right, 0.0L) + std::log(length);
        if (size < log_scale - 46.0L) {
            integral.omitted += ScaledReal::exp_of(size) * 1.001L;
            continue;
        }
        const real error = log_error_bound(integrand, panel);
        if (!(error < log_scale - 43.0L)) {
            const real middle = panel.left + 0.5L * length;
            if (!(middle > panel.left && middle < panel.right)) {
                integral.certified = false;
                return integral;
            }
            stack.push_back({panel.left, middle});
            stack.push_back({middle, panel.right});
            continue;
        }
        integral.error += ScaledReal::exp_of(error) * 1.001L;
        const real half = 0.5L * length;
        const real middle = panel.left + half;
        for (std::size_t i = 0; i < half_nodes; ++i) {
            for (const real x : {middle - half * rule.node[i], middle + half * rule.node[i]}) {
                const PanelIntegrand::Value g = integrand.at(x);
                const ScaledReal term = g.value * (rule.weight[i] * half);
                integral.value += term;
                integral.error += term * (g.relative_error + 64.0L * unit_roundoff);
            }
        }
    }
    integral.error +=
        integral.value * (unit_roundoff * (static_cast<real>(panels) * node_count + 64.0L));
    return integral;
}

}  // namespace assay
