#include <cmath>

#include "assay/rdp/concentrated.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/one_step.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

Interval between(double lower, double upper) {
    return interval_of({lower, upper});
}

/// A bracket as an interval that contains the truth.
Interval enclosed(const PrivacyBracket& bracket) {
    return between(bracket.lower.value, bracket.upper.value);
}

PrivacyBracket epsilon_at(const Point& p) {
    const Setting setting = setting_at(p);
    const Phase phase{setting.mechanism, p.integer("T")};
    return epsilon_bracket({&phase, 1}, setting.adjacency, p["delta"]);
}
PrivacyBracket delta_at(const Point& p) {
    const Setting setting = setting_at(p);
    const Phase phase{setting.mechanism, p.integer("T")};
    return delta_bracket({&phase, 1}, setting.adjacency, p["eps"]);
}

Space budgets(Dimension last) {
    return {{setting_dimension(), noise_dimension("sigma", 0.3, 300.0),
             probability_dimension(1e-6, 0.99), count_dimension("T", 1, 1e5, {1, 2, 1000}),
             std::move(last), step_dimension()},
            {}};
}
Space epsilons() {
    return budgets(positive_dimension("delta", 1e-12, 0.4, {1e-10, 1e-5, 1e-3}));
}
Space deltas() {
    return budgets(linear_dimension("eps", 0.0, 20.0, {0.0, 0.1, 1.0, 8.0}));
}

using BracketAt = PrivacyBracket (*)(const Point&);

Side side(BracketAt bracket) {
    return [=](const Point& p) { return enclosed(bracket(p)); };
}
Side side(BracketAt bracket, void (*change)(Point&)) {
    return [=](const Point& p) {
        Point changed = p;
        change(changed);
        return enclosed(bracket(changed));
    };
}
/// One bound of the bracket, as a point.
Side part(BracketAt bracket, Bound PrivacyBracket::*bound) {
    return [=](const Point& p) {
        const double value = (bracket(p).*bound).value;
        return between(value, value);
    };
}

void more_delta(Point& p) {
    p.set("delta", larger(p, "delta"));
}
void more_epsilon(Point& p) {
    p.set("eps", larger(p, "eps"));
}
void more_noise(Point& p) {
    p.set("sigma", larger(p, "sigma"));
}
void more_steps(Point& p) {
    p.set("T", std::ceil(larger(p, "T") + 0.5));
}
void more_sampling(Point& p) {
    p.set("q", larger_probability(p));
}

std::vector<Check> brackets() {
    constexpr int quick = 10;
    constexpr int full = 160;
    return {
        at_most_law("law.epsilon.falls_with_delta", "epsilon is nonincreasing in delta", epsilons(),
                    quick, full, side(epsilon_at, more_delta), side(epsilon_at)),
        at_most_law("law.epsilon.falls_with_noise", "epsilon is nonincreasing in sigma", epsilons(),
                    quick, full, side(epsilon_at, more_noise), side(epsilon_at)),
        at_most_law("law.epsilon.grows_with_q", "epsilon is nondecreasing in q", epsilons(), quick,
                    full, side(epsilon_at), side(epsilon_at, more_sampling)),
        at_most_law("law.epsilon.grows_with_steps", "epsilon is nondecreasing in the steps",
                    epsilons(), quick, full, side(epsilon_at), side(epsilon_at, more_steps)),
        at_most_law("law.epsilon.lower_below_upper", "the lower side is below the upper one",
                    epsilons(), quick, full, part(epsilon_at, &PrivacyBracket::lower),
                    part(epsilon_at, &PrivacyBracket::upper)),
        at_most_law("law.epsilon.upper_below_published",
                    "the best upper side is no larger than the best published one", epsilons(),
                    quick, full, part(epsilon_at, &PrivacyBracket::upper),
                    part(epsilon_at, &PrivacyBracket::published_upper)),
        at_most_law("law.delta.falls_with_epsilon", "delta is nonincreasing in epsilon", deltas(),
                    quick, full, side(delta_at, more_epsilon), side(delta_at)),
        at_most_law("law.delta.falls_with_noise", "delta is nonincreasing in sigma", deltas(),
                    quick, full, side(delta_at, more_noise), side(delta_at)),
        at_most_law("law.delta.lower_below_upper", "the lower side is below the upper one",
                    deltas(), quick, full, part(delta_at, &PrivacyBracket::lower),
                    part(delta_at, &PrivacyBracket::upper)),
        at_most_law(
            "law.delta.of_epsilon", "delta at an upper bound of epsilon(delta) is at most delta",
            epsilons(), quick, full,
            [](const Point& p) {
                Point back = p;
                back.set("eps", epsilon_at(p).upper.value);
                if (!std::isfinite(back["eps"])) return between(0.0, 0.0);
                return enclosed(delta_at(back));
            },
            [](const Point& p) { return between(p["delta"], p["delta"]); }),
    };
}

Space one_step(double top_order) {
    return {{setting_dimension(), order_dimension(1.001, top_order),
             noise_dimension("sigma", 1e-8, 1000.0), probability_dimension()},
            {}};
}

OneStep step_at(const Point& p) {
    const Setting setting = setting_at(p);
    return one_step_rdp(setting.mechanism, setting.adjacency, p["alpha"]);
}
Side step_part(Bound OneStep::*bound) {
    return [=](const Point& p) {
        const double value = (step_at(p).*bound).value;
        return between(value, value);
    };
}
Side under(Adjacency adjacency) {
    return [=](const Point& p) {
        const OneStep step = one_step_rdp(setting_at(p).mechanism, adjacency, p["alpha"]);
        return between(step.lower.value, step.upper.value);
    };
}

std::vector<Check> steps() {
    Space replaceable = one_step(256.0);
    replaceable.dimensions.front() = setting_dimension(0.0, 5.0);
    Space tcdp = one_step(256.0);
    tcdp.dimensions.push_back(linear_dimension("ratio", 1.001, 4.0, {1.001, 2.0}));
    return {
        at_most_law("law.one_step.lower_below_upper", "the attained side is below the upper one",
                    one_step(1e4), 60, 800, step_part(&OneStep::lower), step_part(&OneStep::upper)),
        at_most_law("law.one_step.upper_below_published",
                    "the best upper bound is no larger than the best published one", one_step(1e4),
                    60, 800, step_part(&OneStep::upper), step_part(&OneStep::published_upper)),
        at_most_law("law.one_step.replace_one_above_add_remove",
                    "replace-one is at least add/remove for every sampler", replaceable, 30, 400,
                    under(Adjacency::add_remove), under(Adjacency::replace_one)),
        at_most_law("law.concentrated.zcdp", "D_alpha <= rho alpha for every order",
                    one_step(5000.0), 30, 600, step_part(&OneStep::lower),
                    [](const Point& p) {
                        const Setting s = setting_at(p);
                        return p["alpha"] * between(0.0, zcdp_rho(s.mechanism, s.adjacency).value);
                    }),
        at_most_law("law.concentrated.tcdp", "D_alpha <= rho alpha for every order below omega",
                    tcdp, 20, 300, step_part(&OneStep::lower),
                    [](const Point& p) {
                        const Setting s = setting_at(p);
                        const Bound rho =
                            tcdp_rho(s.mechanism, s.adjacency, p["ratio"] * p["alpha"]);
                        return p["alpha"] * between(0.0, rho.value);
                    }),
        at_most_law(
            "law.concentrated.tcdp_below_zcdp",
            "tCDP's rho, at most 5 % above the supremum, is below zCDP's", tcdp, 20, 300,
            [](const Point& p) {
                const Setting s = setting_at(p);
                const Bound rho = tcdp_rho(s.mechanism, s.adjacency, p["ratio"] * p["alpha"]);
                return between(rho.value, rho.value) / 1.0501;
            },
            [](const Point& p) {
                const Setting s = setting_at(p);
                return between(0.0, zcdp_rho(s.mechanism, s.adjacency).value);
            }),
    };
}

}  // namespace

std::vector<Check> accounting_laws() {
    std::vector<Check> rows = brackets();
    for (Check& check : steps()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
