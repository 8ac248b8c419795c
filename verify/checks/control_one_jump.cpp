#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

using real = long double;

/// f(t) = (t - a)_+ + w (1/a - t)_+ of the point.
struct TwoKinks {
    real a;
    real w;
};

/// E_Q f(P/Q), P = (1-q) N_0 + q N_u, Q = (1-q) N_0 + q N_v, by Simpson's rule.
real divergence(const Point& p, real u, real v) {
    const TwoKinks f{p["a"], p["w"]};
    const real q = p["q"];
    const auto density = [](real x) {
        return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<real>);
    };
    const auto value = [&](real z) {
        const real first = (1 - q) * density(z) + q * density(z - u);
        const real second = (1 - q) * density(z) + q * density(z - v);
        return std::max<real>(0, first - f.a * second) +
               f.w * std::max<real>(0, second / f.a - first);
    };
    const real low = std::min({0.0L, u, v}) - 10;
    const real high = std::max({0.0L, u, v}) + 10;
    constexpr int panels = 4000;
    const real h = (high - low) / panels;
    real sum = 0;
    for (int i = 0; i < panels; ++i) {
        const real z = low + h * static_cast<real>(i);
        sum += h / 6 * (value(z) + 4 * value(z + h / 2) + value(z + h));
    }
    return sum;
}

/// E (W - t)_+ of the one-sided pair, t >= 1.
real profile(real c, real q, real t) {
    const real z = std::log1p((t - 1) / q) / c + c / 2;
    return q * (plain::normal_tail(z - c) - plain::normal_tail(z)) -
           (t - 1) * plain::normal_tail(z);
}

}  // namespace

std::vector<Control> one_jump_controls() {
    const Space space{
        {positive_dimension("sigma", 0.36, 0.44, {0.4}), linear_dimension("q", 0.85, 0.95, {0.9}),
         positive_dimension("a", 8.0, 12.0, {10.0}), positive_dimension("w", 8.0, 12.0, {10.0})},
        {}};
    const Against antipodal{"Simpson's rule at (re, -re)",
                            [](const Point& p, long bits) {
                                const real r = 1.0L / static_cast<real>(p["sigma"]);
                                const real value = divergence(p, r, -r);
                                return Interval(static_cast<double>(value), bits) * (1.0 - 1e-4);
                            },
                            Relation::at_least};
    return {control(
        "one_sided_worst_for_all_convex",
        "the one-sided pair, in one of its orders, claimed worst for every convex f and not only "
        "where t f'' does not fall",
        antipodal, space,
        [](const Point& p) {
            const real c = 2.0L / static_cast<real>(p["sigma"]);
            return near(std::max(divergence(p, c, 0), divergence(p, 0, c)), 1e-4L);
        },
        // Theorem 5 (i) bounds either kink by itself.
        [](const Point& p) {
            const real c = 2.0L / static_cast<real>(p["sigma"]);
            const real a = p["a"];
            return near((1 + static_cast<real>(p["w"]) / a) * profile(c, p["q"], a), 1e-4L);
        })};
}

}  // namespace assay::verify
