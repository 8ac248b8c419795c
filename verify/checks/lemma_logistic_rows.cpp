#include <algorithm>
#include <limits>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_logistic.hpp"

namespace assay::verify {

namespace {

using lemma::g_moments;
using lemma::LogisticMoments;
using lemma::psi_moments;

/// The numbers of docs/proofs.md, C.3 at L, a >= b > c > 0.
struct Setting {
    Interval L, a, b, c;
};

Setting setting_at(const Point& p, long bits) {
    const long working = bits + 64;
    const double b = p["a"] * p["kb"];
    return {Interval(p["L"], working), Interval(p["a"], working), Interval(b, working),
            Interval(b * p["kc"], working)};
}

/// g at the ends of I = [c - b/2, b/2].
struct Ends {
    LogisticMoments left;
    LogisticMoments right;
};
Ends ends_of(const Setting& s, long bits) {
    return {g_moments(s.L, s.c - s.b / 2.0, s.b, bits), g_moments(s.L, s.b / 2.0, s.b, bits)};
}
/// The average of g'' over I.
Interval g2_of(const Setting& s, const Ends& e) {
    return (e.right.slope - e.left.slope) / (s.b - s.c);
}

/// numerator / denominator where the denominator is positive, infinite where it is not; a
/// denominator that may be 0 leaves the upper side open.
Interval ratio_if_positive(const Interval& numerator, const Interval& denominator) {
    const Interval open(std::numeric_limits<double>::infinity(), denominator.bits());
    if (mpfr_sgn(denominator.upper()) <= 0) return open;
    if (denominator.is_positive()) return numerator / denominator;
    const Interval largest(denominator.upper_double(), denominator.bits());
    return Interval::between(numerator / largest, open);
}

Interval k0(long bits) {
    return 1.0 / sqrt(Interval::pi(bits) * 2.0 * exp(Interval(1.0, bits)));
}

Interval lemma_2(const Point& p, long bits) {
    const Setting s = setting_at(p, bits);
    const Ends e = ends_of(s, bits);
    const Interval t1 = psi_moments(s.L, s.a, bits).one - e.left.one;
    const Interval t2 = e.left.slope - e.right.slope;
    return ratio_if_positive(s.a * (s.b - s.c) * t1, -(s.b * (s.a - s.c) * t2));
}

Interval fact_1(const Point& p, long bits) {
    const Setting s = setting_at(p, bits);
    const Interval g2 = g2_of(s, ends_of(s, bits));
    return ratio_if_positive(s.b * psi_moments(s.L, s.b, bits).low, s.c * g2);
}

/// t^2 psi'(t) at the larger t over the smaller, both at most max(12, -2L).
Interval fact_2(const Point& p, long bits) {
    const long working = bits + 64;
    const double most = std::max(12.0, -2.0 * p["L"]);
    const double high = most * p["t"];
    const Interval L(p["L"], working);
    const Interval t(high, working);
    const Interval earlier(high * p["kt"], working);
    return square(t) * psi_moments(L, t, bits).low /
           (square(earlier) * psi_moments(L, earlier, bits).low);
}

/// J / k0.
Interval fact_3(const Point& p, long bits) {
    const Setting s = setting_at(p, bits);
    return s.b * g2_of(s, ends_of(s, bits)) / k0(bits + 64);
}

/// 2 g(c - b/2) where g2 > 0, else 0.
Interval fact_3_half(const Point& p, long bits) {
    const Setting s = setting_at(p, bits);
    const Ends e = ends_of(s, bits);
    if (mpfr_sgn(g2_of(s, e).upper()) <= 0) return Interval(0.0, bits);
    return e.left.one * 2.0;
}

/// The larger of psi(t)/(1/2 + k0) and t psi'(t)/k0, t >= max(12, -2L).
Interval fact_4(const Point& p, long bits) {
    const long working = bits + 64;
    const Interval t(std::max(12.0, -2.0 * p["L"]) * p["t"], working);
    const LogisticMoments m = psi_moments(Interval(p["L"], working), t, bits);
    return max(m.one / (k0(working) + 0.5), t * m.low / k0(working));
}

/// (g - g')(b/2) over (g - g')(c - b/2).
Interval sign_3(const Point& p, long bits) {
    const Setting s = setting_at(p, bits);
    const Ends e = ends_of(s, bits);
    return (e.right.one - e.right.slope) / (e.left.one - e.left.slope);
}

Dimension logit() {
    return linear_dimension("L", -14.0, 6.0, {-14.0, -5.0, -1.0, 0.0, 6.0});
}

Space triangles() {
    return {{logit(), positive_dimension("a", 1e-3, 16.0, {0.01, 1.0, 4.0, 16.0}),
             linear_dimension("kb", 1e-3, 1.0, {0.001, 0.5, 1.0}),
             linear_dimension("kc", 1e-3, 0.999, {0.001, 0.5, 0.999})},
            {}};
}

/// one <= ratio, or one >= ratio.
Check ratio_row(std::string id, std::string claim, Relation relation, Space space, Attained ratio) {
    Check row = lemma_row(
        std::move(id), std::move(claim), "the number 1",
        "trapezoid rule on a line: the ratio of both sides", relation, std::move(space), 40, 1000,
        [](const Point&) { return exactly(1.0); }, std::move(ratio));
    row.searched = true;
    return row;
}

}  // namespace

std::vector<Check> logistic_lemmas() {
    const Space rising{{logit(), linear_dimension("t", 1e-3, 1.0, {0.001, 0.5, 1.0}),
                        linear_dimension("kt", 1e-3, 0.999, {0.001, 0.5, 0.999})},
                       {}};
    const Space late{{linear_dimension("L", -20.0, 6.0, {-20.0, -14.0, -6.0, 0.0, 6.0}),
                      positive_dimension("t", 1.0, 4.0, {1.0, 1.1, 2.0, 4.0})},
                     {}};
    return {
        ratio_row("attack.lemma.lemma_2", "a(b-c) t1 + b(a-c) t2 >= 0 (docs/proofs.md, Lemma 2)",
                  Relation::at_most, triangles(), lemma_2),
        ratio_row("attack.lemma.sign_3", "t1 + t2 >= 0: g - g' rises (C.1 (3))", Relation::at_most,
                  triangles(), sign_3),
        ratio_row("attack.lemma.fact_1", "b psi'(b) >= c g2 (C.3, Fact 1)", Relation::at_most,
                  triangles(), fact_1),
        ratio_row("attack.lemma.fact_2", "t^2 psi'(t) rises up to max(12, -2L) (C.3, Fact 2)",
                  Relation::at_most, rising, fact_2),
        ratio_row("attack.lemma.fact_3", "J <= k0 (C.3, Fact 3)", Relation::at_least, triangles(),
                  fact_3),
        ratio_row("attack.lemma.fact_3_half", "g(c - b/2) < 1/2 where g2 > 0 (C.3, Fact 3)",
                  Relation::at_least, triangles(), fact_3_half),
        ratio_row("attack.lemma.fact_4",
                  "psi(t) >= 1/2 + k0 or t psi'(t) >= k0 from max(12, -2L) on (C.3, Fact 4)",
                  Relation::at_most, late, fact_4),
    };
}

}  // namespace assay::verify
