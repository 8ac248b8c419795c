#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_interpolation.hpp"
#include "verify/oracles/lemma_logistic.hpp"

namespace assay::verify {

namespace {

using lemma::Brackets;
using lemma::Range;
using lemma::real;

/// |u|^2, |v|^2 and <u,v>.
struct Gram {
    real a, b, c;
};

Shifts shifts_of(const Gram& g) {
    const real length = std::sqrt(g.a);
    const real along = g.c / length;
    return {length, 0, along, std::sqrt(std::fmax(g.b - along * along, 0.0L))};
}

double down(real x) {
    return std::nextafter(static_cast<double>(x), -std::numeric_limits<double>::infinity());
}
double up(real x) {
    return std::nextafter(static_cast<double>(x), std::numeric_limits<double>::infinity());
}
Enclosure enclosure_of(const Range& x) {
    return {down(x.lower), up(x.upper)};
}

/// F - 1 at a Gram matrix, from the side asked.
Enclosure larger_side(const Point& p, const Gram& g) {
    return exactly(up(lemma::excess_upper(attack_of(p, shifts_of(g)))));
}
Interval smaller_side(const Point& p, const Gram& g, long bits) {
    return Interval(down(lemma::excess_lower(attack_of(p, shifts_of(g)))), bits);
}

using GramAt = Gram (*)(const Point&);

/// F at `low` <= F at `high`.
Check move_row(std::string id, std::string claim, Space space, GramAt low, GramAt high) {
    Check row = lemma_row(
        std::move(id), std::move(claim), "lattice sum: F - 1 at the end",
        "lattice sum: F - 1 at the start", Relation::at_least, std::move(space), 80, 1000,
        [=](const Point& p) { return larger_side(p, high(p)); },
        [=](const Point& p, long bits) { return smaller_side(p, low(p), bits); });
    row.searched = true;
    return row;
}

std::vector<Dimension> orders() {
    return {order_dimension(1.05, 10.0), probability_dimension(1e-3, 0.99)};
}
Dimension square_length(const char* name) {
    return positive_dimension(name, 0.02, 4.0, {0.02, 0.5, 1.0, 4.0});
}
Dimension between_zero_and_one(const char* name) {
    return linear_dimension(name, 0.0, 1.0, {0.0, 0.5, 1.0});
}
Space grams(std::vector<Dimension> more) {
    std::vector<Dimension> all = orders();
    all.push_back(square_length("a"));
    all.push_back(square_length("b"));
    return space_of(std::move(all), more, {});
}

/// c = cosine sqrt(ab).
Gram at_cosine(const Point& p, const char* cosine) {
    const real a = p["a"];
    const real b = p["b"];
    return {a, b, std::sqrt(a * b) * static_cast<real>(p[cosine])};
}

Dimension cosine(const char* name, double high = 1.0) {
    return linear_dimension(name, -1.0, high, {-1.0, -0.5, 0.0, high});
}

/// The triangle with angle C at c on the circle of squared diameter R, and A from the isosceles one
/// (place 0) to a right angle (place 1).
Gram on_circle(const Point& p, const char* place) {
    const real third = p["C"];
    const real half = std::numbers::pi_v<real> / 2;
    const real least = half - third / 2;  // A = B
    const real first = least + (half - least) * static_cast<real>(p[place]);
    const real second = 2 * half - third - first;
    const real size = p["R"];
    const real a = size * std::sin(first) * std::sin(first);
    const real b = size * std::sin(second) * std::sin(second);
    return {a, b, std::sqrt(a * b) * std::cos(third)};
}

std::vector<Check> moves() {
    Space turned = grams({cosine("k"), cosine("k_2")});
    turned.admits = [](const Point& p) { return p["k"] >= p["k_2"]; };
    Space scaled = grams({cosine("k"), linear_dimension("scale", 1.0, 1.5, {1.0, 1.001, 1.5})});
    Space swapped = grams({cosine("k")});
    swapped.admits = [](const Point& p) { return p["a"] >= p["b"]; };
    Space exchanged = grams({cosine("k", 0.0), between_zero_and_one("move")});
    exchanged.admits = swapped.admits;
    // A triangle with the angles A >= B and C on a circle of squared diameter R.
    Space acute =
        space_of(orders(),
                 {square_length("R"), linear_dimension("C", 0.05, 1.55, {0.05, 0.8, 1.0, 1.55}),
                  between_zero_and_one("A"), between_zero_and_one("A_2")},
                 [](const Point& p) { return p["A_2"] >= p["A"]; });
    return {
        move_row(
            "attack.lemma.falls_with_product", "F falls with <u,v> (docs/proofs.md, C.1 (1a))",
            turned, [](const Point& p) { return at_cosine(p, "k"); },
            [](const Point& p) { return at_cosine(p, "k_2"); }),
        move_row(
            "attack.lemma.grows_with_scale", "F grows when both shifts do (C.1 (1b))", scaled,
            [](const Point& p) { return at_cosine(p, "k"); },
            [](const Point& p) {
                const Gram g = at_cosine(p, "k");
                const real s = p["scale"];
                return Gram{s * g.a, s * g.b, s * g.c};
            }),
        move_row(
            "attack.lemma.swap", "F(a,b,c) >= F(b,a,c) for a >= b (C.1 (5))", swapped,
            [](const Point& p) {
                const Gram g = at_cosine(p, "k");
                return Gram{g.b, g.a, g.c};
            },
            [](const Point& p) { return at_cosine(p, "k"); }),
        move_row(
            "attack.lemma.case_c", "obtuse at c: (a+t, b-t, c) raises F (C.2, Case C)", exchanged,
            [](const Point& p) { return at_cosine(p, "k"); },
            [](const Point& p) {
                // Up to where (a+t)(b-t) = c^2.
                Gram g = at_cosine(p, "k");
                const real d = g.a - g.b;
                const real most = (std::sqrt(d * d + 4 * (g.a * g.b - g.c * g.c)) - d) / 2;
                const real t = std::fmax(0.0L, most) * static_cast<real>(p["move"]);
                return Gram{g.a + t, std::fmax(g.b - t, g.c * g.c / (g.a + t)), g.c};
            }),
        move_row(
            "attack.lemma.case_d", "acute: a larger A on the same circle raises F (C.2, Case D)",
            acute, [](const Point& p) { return on_circle(p, "A"); },
            [](const Point& p) { return on_circle(p, "A_2"); }),
    };
}

Brackets brackets_at(const Point& p, const Gram& g, double order) {
    const Shifts s = shifts_of(g);
    return lemma::interpolation_brackets(order, p["q"], s.u1, s.u2, s.v1, s.v2);
}

/// left >= right for two combinations of brackets.
Check bracket_row(std::string id, std::string claim, Space space,
                  std::function<Range(const Point&)> left,
                  std::function<Range(const Point&)> right) {
    return lemma_row(
        std::move(id), std::move(claim), "lattice sum", "lattice sum", Relation::at_least,
        std::move(space), 14, 400, [=](const Point& p) { return enclosure_of(left(p)); },
        [=](const Point& p, long bits) { return Interval(down(right(p).lower), bits); });
}

/// c between -sqrt(ab) and b.
Gram below_b(const Point& p) {
    Gram g = at_cosine(p, "k");
    g.c = std::fmin(g.c, g.b);
    return g;
}
/// c = b: a right angle at x'.
Gram right_angle(const Point& p) {
    return {static_cast<real>(p["a"]), static_cast<real>(p["b"]), static_cast<real>(p["b"])};
}

std::vector<Check> signs() {
    Space ordered = grams({cosine("k")});
    ordered.admits = [](const Point& p) { return p["a"] >= p["b"]; };
    const Space any = grams({cosine("k")});
    Space right = grams({});
    right.admits = ordered.admits;
    const auto pair = [](auto combine, GramAt gram) {
        return [=](const Point& p) { return combine(brackets_at(p, gram(p), p["alpha"])); };
    };
    const auto at_one = [](auto combine, GramAt gram) {
        return [=](const Point& p) { return combine(brackets_at(p, gram(p), 1.0)); };
    };
    const auto pp = [](const Brackets& x) { return x.pp; };
    const auto ps = [](const Brackets& x) { return x.ps; };
    const auto ss = [](const Brackets& x) { return x.ss; };
    const auto t1 = [](const Brackets& x) { return x.pp - x.ps; };
    const auto t2 = [](const Brackets& x) { return x.ps - x.ss; };
    const auto both = [](const Brackets& x) { return x.pp - x.ss; };
    const GramAt free = [](const Point& p) { return at_cosine(p, "k"); };
    return {
        bracket_row("attack.lemma.sign_of_T1", "T1 >= 0 for a >= b >= c (C.1 (3))", ordered,
                    pair(pp, below_b), pair(ps, below_b)),
        bracket_row("attack.lemma.sign_of_T1_T2", "T1 + T2 >= 0 for a >= b >= c (C.1 (3))", ordered,
                    pair(pp, below_b), pair(ss, below_b)),
        bracket_row("attack.lemma.sign_of_T2", "T2 >= 0 for b = c (C.1 (4))", right,
                    pair(ps, right_angle), pair(ss, right_angle)),
        bracket_row("attack.lemma.T1_without_order", "T1 >= q t1 (C.1 (2))", any, pair(t1, free),
                    at_one(t1, free)),
        bracket_row("attack.lemma.T2_without_order", "T2 >= q t2 (C.1 (2))", any, pair(t2, free),
                    at_one(t2, free)),
        bracket_row("attack.lemma.T1_T2_without_order", "T1 + T2 >= q (t1 + t2) (C.1 (2))", any,
                    pair(both, free), at_one(both, free)),
    };
}

/// dF = 1/2 alpha (alpha-1) E[w (p^2 da + s^2 db - 2 p s dc)], along coordinate 0, 1 or 2.
Enclosure derivative(const Point& p) {
    constexpr real allowance = 1e-4L;  // of the difference quotient below
    const Brackets x = brackets_at(p, at_cosine(p, "k"), p["alpha"]);
    const real factor = p["alpha"] * (p["alpha"] - 1.0) / 2.0;
    const long which = p.integer("which");
    const Range exact = which == 0   ? factor * x.pp
                        : which == 1 ? factor * x.ss
                                     : -2 * factor * x.ps;
    const real slack = allowance * std::fmax(std::fabs(exact.lower), std::fabs(exact.upper));
    return enclosure_of({exact.lower - slack, exact.upper + slack});
}

/// (F at +step - F at -step) / (2 step), extrapolated from two steps.
Interval quotient(const Point& p, long bits) {
    const long which = p.integer("which");
    const auto difference = [&](real step) {
        Range sides[2];
        for (const int side : {0, 1}) {
            Gram g = at_cosine(p, "k");
            (which == 0 ? g.a : which == 1 ? g.b : g.c) += side == 1 ? step : -step;
            const lemma::MomentAttack attack = attack_of(p, shifts_of(g));
            sides[side] = {lemma::excess_lower(attack), lemma::excess_upper(attack)};
        }
        return 1 / (2 * step) * (sides[1] - sides[0]);
    };
    // F grows like exp(alpha (alpha-1)/2 a) at most.
    const real rate = p["alpha"] * (p["alpha"] - 1.0) / 2.0;
    const real step =
        0.05L * static_cast<real>(std::fmin(1.0, std::fmin(p["a"], p["b"]))) / (5 + rate);
    const Range x = 1.0L / 3.0L * (4 * difference(step / 2) - difference(step));
    if (!(x.upper - x.lower < 1e-3L * std::fabs(x.upper)))
        throw Error("the difference quotient has lost its digits");
    return Interval::between(Interval(down(x.lower), bits), Interval(up(x.upper), bits));
}

/// t1 = psi(a) - g(c - b/2), t2 = g'(c - b/2) - g'(b/2) against the sums in the plane.
Check formula_row(bool first) {
    Space space{{probability_dimension(1e-3, 0.99), square_length("a"), square_length("b"),
                 linear_dimension("c", -4.0, 4.0, {-1.0, 0.0, 0.1})},
                [](const Point& p) { return p["c"] * p["c"] <= 0.98 * p["a"] * p["b"]; }};
    return lemma_row(
        first ? "attack.lemma.formula_of_t1" : "attack.lemma.formula_of_t2",
        first ? "q t1 in the plane is q (psi(a) - g(c - b/2)) (C.1 (2))"
              : "q t2 in the plane is q (g'(c - b/2) - g'(b/2)) (C.1 (2))",
        "lattice sum in the plane", "trapezoid rule on a line", Relation::overlaps,
        std::move(space), 40, 800,
        [=](const Point& p) {
            const Gram g{p["a"], p["b"], p["c"]};
            const Brackets x = brackets_at(p, g, 1.0);
            return enclosure_of(first ? x.pp - x.ps : x.ps - x.ss);
        },
        [=](const Point& p, long bits) {
            const long working = bits + 64;
            const Interval q(p["q"], working);
            const Interval L = log(q / (1.0 - q));
            const Interval b(p["b"], working);
            const auto left = lemma::g_moments(L, Interval(p["c"], working) - b / 2.0, b, bits);
            if (first)
                return q * (lemma::psi_moments(L, Interval(p["a"], working), bits).one - left.one);
            return q * (left.slope - lemma::g_moments(L, b / 2.0, b, bits).slope);
        });
}

}  // namespace

std::vector<Check> interpolation_lemmas() {
    std::vector<Check> rows = moves();
    for (Check& check : signs()) rows.push_back(std::move(check));
    rows.push_back(formula_row(true));
    rows.push_back(formula_row(false));
    // Where the difference quotient keeps its digits.
    Space inner = grams({linear_dimension("k", -0.9, 0.9, {-0.9, 0.0, 0.9}),
                         {"which", Scale::linear, 0.0, 2.0, true, {0.0, 1.0, 2.0}}});
    inner.dimensions[0] = order_dimension(1.1, 8.0);
    inner.dimensions[2] = positive_dimension("a", 0.2, 2.0, {0.2, 1.0, 2.0});
    inner.dimensions[3] = positive_dimension("b", 0.2, 2.0, {0.2, 1.0, 2.0});
    rows.push_back(lemma_row("attack.lemma.interpolation",
                             "dF = alpha (alpha-1)/2 E[w (p^2 da + s^2 db - 2ps dc)] (C.1 (1)), to "
                             "1e-4",
                             "lattice sum of the brackets", "difference quotient of lattice sums",
                             Relation::overlaps, std::move(inner), 12, 240, derivative, quotient));
    return rows;
}

}  // namespace assay::verify
