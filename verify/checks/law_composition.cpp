#include <cmath>

#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/rdp_curve.hpp"
#include "assay/rdp/taylor_replace_one.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

/// The orders that share nodes with the order asked: it comes second.
std::vector<double> orders_around(double order) {
    return {1.0 + 0.5 * (order - 1.0), order, 1.0 + 1.25 * (order - 1.0), 2.0 * order};
}
constexpr std::size_t asked = 1;

Space step_space() {
    return {{setting_dimension(), order_dimension(1.001, 256.0),
             noise_dimension("sigma", 0.3, 1000.0), probability_dimension(1e-6, 0.999)},
            {}};
}

/// A second mechanism of the same adjacency, for compositions of two.
Space two_mechanisms() {
    Space space = step_space();
    space.dimensions.push_back({"other", Scale::linear, 0, 6, true, {0, 1, 2, 3, 4, 5, 6}});
    space.dimensions.push_back(noise_dimension("sigma_2", 0.3, 1000.0));
    space.dimensions.push_back(count_dimension("T", 1, 1e5, {1, 2, 1000}));
    space.dimensions.push_back(count_dimension("T_2", 1, 1e5, {1, 3, 104166}));
    space.admits = [](const Point& p) {
        return p.integer("setting") % 2 == p.integer("other") % 2;
    };
    return space;
}
Setting other_at(const Point& p) {
    return setting_at(p.integer("other"), p["sigma_2"], p["q"]);
}

RdpCurve curve(const Setting& setting, double order, Direction direction) {
    return exact_curve(setting.mechanism, setting.adjacency, direction, {&order, 1});
}

/// Both sides of what `compose` makes of the one-step curves.
template <typename Compose>
Side both_sides(Compose compose) {
    return [=](const Point& p) {
        const RdpCurve low = compose(p, Direction::lower);
        const RdpCurve high = compose(p, Direction::upper);
        return interval_of({low.epsilons.front(), high.epsilons.front()});
    };
}

RdpCurve first_then_second(const Point& p, Direction d) {
    return composed(repeated(curve(setting_at(p), p["alpha"], d), p.integer("T")),
                    repeated(curve(other_at(p), p["alpha"], d), p.integer("T_2")));
}
RdpCurve second_then_first(const Point& p, Direction d) {
    return composed(repeated(curve(other_at(p), p["alpha"], d), p.integer("T_2")),
                    repeated(curve(setting_at(p), p["alpha"], d), p.integer("T")));
}
RdpCurve all_at_once(const Point& p, Direction d) {
    return repeated(curve(setting_at(p), p["alpha"], d), p.integer("T") + p.integer("T_2"));
}
RdpCurve in_two_parts(const Point& p, Direction d) {
    const RdpCurve one = curve(setting_at(p), p["alpha"], d);
    return composed(repeated(one, p.integer("T")), repeated(one, p.integer("T_2")));
}
Interval sum_of_steps(const Point& p) {
    const auto one = [&](const Setting& s) {
        return interval_of(exact_rdp(s.mechanism, s.adjacency, p["alpha"]));
    };
    return one(setting_at(p)) * p["T"] + one(other_at(p)) * p["T_2"];
}

std::vector<Check> curves() {
    const Space steps = step_space();
    const Space two = two_mechanisms();
    const Space taylor{{order_dimension(1.001, 256.0), noise_dimension("sigma", 0.1, 1000.0),
                        terms_dimension(32.0), probability_dimension(1e-6, 0.999)},
                       {}};
    const Space large_loss{{setting_dimension(2.0),
                            order_dimension(1.001, 2.0),
                            {"sigma", Scale::logarithmic, 0.08, 1.5, false, {0.1, 0.15, 0.2, 1.0}},
                            probability_dimension(1e-3, 0.99)},
                           {}};
    const Side with_others = [](const Point& p) {
        const Setting s = setting_at(p);
        const std::vector<double> orders = orders_around(p["alpha"]);
        return interval_of(exact_rdp(s.mechanism, s.adjacency, orders)[asked]);
    };
    const Side alone = [](const Point& p) {
        const Setting s = setting_at(p);
        return interval_of(exact_rdp(s.mechanism, s.adjacency, p["alpha"]));
    };
    return {
        equality_law("law.curve.many_orders", "many orders at once equal one at a time", steps, 40,
                     600, with_others, alone),
        equality_law("law.curve.many_orders_large_loss",
                     "the same where log(P/Q) exceeds 100 and orders are small", large_loss, 80,
                     1200, with_others, alone),
        equality_law(
            "law.curve.many_orders_thm_3_4", "Theorem 3.4 at many orders at once", taylor, 40, 600,
            [](const Point& p) {
                const std::vector<double> orders = orders_around(p["alpha"]);
                return interval_of(theorem_3_4_rdp(
                    orders, p["sigma"], static_cast<int>(p.integer("m")), p["q"])[asked]);
            },
            answer("birrell2024.thm_3_4")),
        equality_law("law.compose.sum", "a composition is the sum of its steps", two, 40, 600,
                     both_sides(first_then_second), sum_of_steps),
        equality_law("law.compose.commutes", "the order of two parts does not matter", two, 40, 600,
                     both_sides(first_then_second), both_sides(second_then_first)),
        equality_law("law.compose.repeated", "T + T_2 steps are T steps and T_2 steps", two, 40,
                     600, both_sides(all_at_once), both_sides(in_two_parts)),
    };
}

Interval epsilon_of(const std::vector<Phase>& phases, const Point& p) {
    const PrivacyBracket bracket = epsilon_bracket(phases, setting_at(p).adjacency, p["delta"]);
    return interval_of({bracket.lower.value, bracket.upper.value});
}

std::vector<Check> phases() {
    Space two = two_mechanisms();
    std::erase_if(two.dimensions, [](const Dimension& d) { return d.name == "alpha"; });
    two.dimensions.push_back(positive_dimension("delta", 1e-12, 0.4, {1e-10, 1e-5}));
    Space grid = step_space();
    grid.dimensions.push_back(positive_dimension("delta", 1e-12, 0.4, {1e-10, 1e-5}));
    const auto first = [](const Point& p) {
        return Phase{setting_at(p).mechanism, p.integer("T")};
    };
    const auto second = [](const Point& p) {
        return Phase{other_at(p).mechanism, p.integer("T_2")};
    };
    return {
        equality_law(
            "law.phases.commute", "epsilon does not depend on the order of the phases", two, 4, 100,
            [=](const Point& p) {
                return epsilon_of({first(p), second(p)}, p);
            },
            [=](const Point& p) {
                return epsilon_of({second(p), first(p)}, p);
            }),
        at_most_law(
            "law.phases.more_is_more", "a further phase cannot lower epsilon", two, 4, 100,
            [=](const Point& p) { return epsilon_of({first(p)}, p); },
            [=](const Point& p) {
                return epsilon_of({first(p), second(p)}, p);
            }),
        equality_law(
            "law.phases.split", "T + T_2 steps are two phases of one mechanism", two, 4, 100,
            [=](const Point& p) {
                Phase rest = first(p);
                rest.repetitions = p.integer("T_2");
                return epsilon_of({first(p), rest}, p);
            },
            [=](const Point& p) {
                Phase all = first(p);
                all.repetitions += p.integer("T_2");
                return epsilon_of({all}, p);
            }),
        at_most_law(
            "law.phases.minimum_below_each_order",
            "the minimum over all orders is below the value at each", grid, 10, 150,
            [](const Point& p) {
                const Setting s = setting_at(p);
                const Phase phase{s.mechanism, 1};
                const double lower =
                    epsilon_bracket({&phase, 1}, s.adjacency, p["delta"]).lower.value;
                return interval_of({lower, lower});
            },
            [](const Point& p) {
                const Setting s = setting_at(p);
                const Phase phase{s.mechanism, 1};
                const double order = p["alpha"];
                const double upper =
                    epsilon_bracket_on_grid({&phase, 1}, s.adjacency, p["delta"], {&order, 1})
                        .upper.value;
                return interval_of({upper, upper});
            }),
        at_most_law(
            "law.curve_epsilon.below_each_order",
            "epsilon of a curve is below its value at each order", grid, 30, 300,
            [](const Point& p) {
                const Setting s = setting_at(p);
                const RdpCurve all = exact_curve(s.mechanism, s.adjacency, Direction::upper,
                                                 orders_around(p["alpha"]));
                const double least = curve_epsilon(all, p["delta"]).epsilon.value;
                return interval_of({least, least});
            },
            [](const Point& p) {
                const RdpCurve one = curve(setting_at(p), p["alpha"], Direction::upper);
                const double value = curve_epsilon(one, p["delta"]).epsilon.value;
                // The shared nodes may leave the single order's upper side a little lower.
                return interval_of({value, value * (1.0 + 1e-11) + 1e-15});
            }),
    };
}

}  // namespace

std::vector<Check> composition_laws() {
    std::vector<Check> rows = curves();
    for (Check& check : phases()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
