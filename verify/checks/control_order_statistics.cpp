#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "assay/monte_carlo/order_statistics.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

double normal(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double quantile(double p) {
    return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * p);
}

/// delta of the removal direction at T = 2 as Appendix B.3 of chua2025 samples it, by the midpoint
/// rule in the uniforms: y is the largest of x - e_1, at either coordinate with probability 1/2. In
/// the case that it is at the second, x_1 ~ N(1, sigma^2) is restricted to (-inf, y + reach].
Enclosure two_batches(const Point& p, double reach) {
    constexpr int cells = 400;
    const double s = p["sigma"];
    const double s2 = s * s;
    const double C = 0.5 + s2 * (p["eps"] - std::log1p(std::expm1(1.0 / s2) / 2.0));
    const double below = normal(C / s) * normal(C / s);
    const auto payoff = [&](double x1, double x2) {
        const double ratio = 0.5 * std::exp(-0.5 / s2) * (std::exp(x1 / s2) + std::exp(x2 / s2));
        return std::max(0.0, 1.0 - std::exp(p["eps"]) / ratio);
    };
    double sum = 0.0;
    for (int i = 0; i < cells; ++i) {
        const double y = s * quantile(std::sqrt(below + (1.0 - below) * (i + 0.5) / cells));
        const double other = normal(y / s);
        const double first = normal((y + reach - 1.0) / s);
        for (int j = 0; j < cells; ++j) {
            const double u = (j + 0.5) / cells;
            sum += 0.5 * payoff(y + 1.0, s * quantile(u * other));
            sum += 0.5 * payoff(1.0 + s * quantile(u * first), y);
        }
    }
    return near((1.0 - below) * sum / cells / cells, 2e-3L);
}

Control restricted_at_the_largest() {
    const Space space{{linear_dimension("sigma", 0.6, 1.2),
                       linear_dimension("eps", 0.2, 1.2),
                       {"T", Scale::linear, 2, 2, true, {2}}},
                      {}};
    return control(
        "first_coordinate_restricted_at_y",
        "x_1 restricted to (-inf, y*] for (-inf, y*+1] in chua2025 B.3, and estimates too small",
        encloses("balls_and_bins.delta_remove", Method::trapezoid), space,
        [](const Point& p) { return two_batches(p, 0.0); },
        [](const Point& p) { return two_batches(p, 1.0); });
}

/// (1, 2, .., dense, dense + 10, .., 990) counted one by one.
Interval counted(const Point& p, long bits) {
    double count = 0.0;
    for (long k = 1; k <= 990; k += k < p.integer("dense") ? 1 : 10) count += 1.0;
    return Interval(count, bits);
}

Control orders_of_the_list() {
    const Space space{{{"dense", Scale::linear, 500, 500, true, {500}}}, {}};
    return control(
        "orders_of_1563_batches", "589 orders in the list for T = 1563 (chua2025 Appendix C)",
        {"the orders counted", counted, Relation::encloses}, space,
        [](const Point&) {
            return Enclosure{589.0, 589.0};
        },
        [](const Point&) {
            const auto size = static_cast<double>(paper_order_list("fig2_1563").orders.size());
            return Enclosure{size, size};
        });
}

}  // namespace

std::vector<Control> order_statistics_controls() {
    return {restricted_at_the_largest(), orders_of_the_list()};
}

}  // namespace assay::verify
