#include <algorithm>
#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

struct Conversion {
    long double alpha;
    long double rdp;
    long double delta;

    explicit Conversion(const Point& p) : alpha(p["alpha"]), rdp(p["rdp"]), delta(p["delta"]) {}
};

Space conversions() {
    return {{order_dimension(1.01, 256.0), positive_dimension("rdp", 1e-3, 100.0, {0.1, 1.0}),
             positive_dimension("delta", 1e-12, 0.3, {1e-10, 1e-5})},
            {}};
}

/// rdp + log(1/delta)/(alpha-1).
Enclosure mironov_2017(const Point& p) {
    const Conversion x(p);
    return near(x.rdp - std::log(x.delta) / (x.alpha - 1.0L));
}

/// rdp - (log delta + sign log alpha)/(alpha-1) + log((alpha-1)/alpha).
long double balle_2020(const Conversion& x, long double sign = 1.0L) {
    return x.rdp - (std::log(x.delta) + sign * std::log(x.alpha)) / (x.alpha - 1.0L) +
           std::log1p(-1.0L / x.alpha);
}

/// Where its terms cancel, the value has a small absolute error, not a relative one.
Enclosure near_difference(long double value) {
    return enclose_between(value - 1e-9L, value + 1e-9L);
}

std::vector<Control> conversion_rows() {
    const auto prop_3 = encloses("convert.mironov2017_prop_3", Method::formula);
    return {
        control(
            "conversion_divides_by_alpha",
            "log(1/delta)/alpha for log(1/delta)/(alpha-1) in mironov2017 Proposition 3", prop_3,
            conversions(),
            [](const Point& p) {
                const Conversion x(p);
                return near(x.rdp - std::log(x.delta) / x.alpha);
            },
            mironov_2017),
        control(
            "conversion_with_1_minus_delta", "1-delta for delta in mironov2017 Proposition 3",
            prop_3, conversions(),
            [](const Point& p) {
                const Conversion x(p);
                return near(x.rdp - std::log1p(-x.delta) / (x.alpha - 1.0L));
            },
            mironov_2017),
        control(
            "balle2020_log_alpha_added",
            "log(alpha)/(alpha-1) added instead of subtracted in balle2020 Theorem 21",
            encloses("convert.balle2020_thm_21", Method::formula), conversions(),
            [](const Point& p) { return near_difference(balle_2020(Conversion(p), -1.0L)); },
            [](const Point& p) { return near_difference(balle_2020(Conversion(p))); }),
    };
}

/// The divergence of T Gaussian steps with shift c, converted at the order alpha.
Enclosure gaussian_epsilon(const Point& p, bool guard_reversed) {
    Point point = p;
    point.set("rdp", p["alpha"] * p["T"] * p["c"] * p["c"] / 2.0);
    const Conversion x(point);
    const bool guarded = x.delta * x.delta + std::expm1(-x.rdp) > 0.0L;
    if (guarded != guard_reversed) return exactly(0.0);
    return near_difference(std::max(0.0L, balle_2020(x)));
}

/// T steps of Poisson sampling at an integer order.
Enclosure composed(const Point& p, long double steps) {
    return near(steps * plain::sampled_rdp(p.integer("alpha"), p["q"], 1.0L / p["s"]));
}

/// Two steps, one of them at a lower order.
Enclosure mixed_orders(const Point& p) {
    const long order = p.integer("alpha");
    const long double c = 1.0L / p["s"];
    return near(plain::sampled_rdp(order, p["q"], c) + plain::sampled_rdp(order - 1, p["q"], c));
}

std::vector<Control> composition_rows() {
    const Space gaussian{
        {order_dimension(1.5, 64.0), positive_dimension("c", 0.01, 1.0, {0.1}),
         count_dimension("T", 1, 1000, {1, 100}), positive_dimension("delta", 1e-10, 0.01, {1e-5})},
        {}};
    Space steps{{{"alpha", Scale::logarithmic, 3, 32, true, {3, 16}},
                 noise_dimension("s", 1.0, 20.0),
                 {"q", Scale::logarithmic, 1e-3, 0.3, false, {0.01}}},
                {}};
    const Truth one_step = oracle_truth("exact.poisson_add_remove", Method::sum);
    const auto times = [one_step](const char* name, auto count) -> Against {
        return {
            name,
            [one_step, count](const Point& p, long bits) { return one_step(p, bits) * count(p); },
            Relation::at_least};
    };
    const Against twice =
        times("2 times sum: exact.poisson_add_remove", [](const Point&) { return 2.0; });
    const Against t_times =
        times("T times sum: exact.poisson_add_remove", [](const Point& p) { return p["T"]; });
    Space repeated = steps;
    repeated.dimensions.push_back(count_dimension("T", 2, 1000, {2, 1000}));
    return {
        control(
            "canonne2020_guard_reversed",
            "epsilon = 0 reported where delta^2 + e^{-rdp} - 1 < 0, not where it is > 0",
            {"closed form: gaussian.epsilon", oracle_truth("gaussian.epsilon", Method::formula),
             Relation::at_least},
            gaussian, [](const Point& p) { return gaussian_epsilon(p, true); },
            [](const Point& p) { return gaussian_epsilon(p, false); }),
        control(
            "composition_forgets_the_steps", "one step reported for T of them", t_times, repeated,
            [](const Point& p) { return composed(p, 1.0L); },
            [](const Point& p) { return composed(p, p["T"]); }),
        control("composition_mixes_orders",
                "the divergences of two steps added at the orders alpha and alpha-1 and reported "
                "at alpha",
                twice, steps, mixed_orders, [](const Point& p) { return composed(p, 2.0L); }),
    };
}

}  // namespace

std::vector<Control> conversion_controls() {
    std::vector<Control> controls = conversion_rows();
    for (Control& one : composition_rows()) controls.push_back(std::move(one));
    return controls;
}

}  // namespace assay::verify
