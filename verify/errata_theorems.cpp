#include <cmath>

#include "verify/errata_parts.hpp"

namespace assay::verify {

namespace {

constexpr const char* printed_c_9 = "birrell2024.thm_c_9_as_printed";
constexpr const char* exact_replace_one = "exact.poisson_replace_one";
constexpr const char* exact_fixed_size = "exact.fixed_size_without_replacement";

/// The two published values of m on a grid of noise, probability and order.
struct Scan {
    long points = 0;
    long violations = 0;
    Interval least_ratio = number(INFINITY);
};

Scan theorem_c_9_at_4_and_5() {
    Scan scan;
    for (const double m : {4.0, 5.0})
        for (const double sigma : {0.5, 1.0, 2.0, 4.0, 6.0, 20.0, 60.0})
            for (const double q : {0.001, 0.0024, 0.01, 0.05, 0.1, 0.3, 0.5})
                for (const double alpha : {1.1, 1.5, 2.0, 3.0, 4.5, 8.0, 16.0, 33.5}) {
                    const Point point{{"alpha", alpha}, {"sigma", sigma}, {"q", q}, {"m", m}};
                    const Interval bound = agreed_value(printed_c_9, Method::formula, point);
                    const Interval exact =
                        agreed_value(exact_replace_one, Method::trapezoid, point);
                    ++scan.points;
                    if (!certainly_at_most(exact, bound)) ++scan.violations;
                    scan.least_ratio = min(scan.least_ratio, bound / exact);
                }
    return scan;
}

Erratum theorem_c_9() {
    Numbers numbers;
    bool confirmed = true;
    for (const Point& point : {Point{{"alpha", 60.5}, {"sigma", 20.0}, {"q", 0.3}, {"m", 60.0}},
                               Point{{"alpha", 60.5}, {"sigma", 20.0}, {"q", 0.2}, {"m", 24.0}}}) {
        const std::string at = " at " + point.text();
        const Interval bound =
            numbers.add("printed bound" + at, printed_c_9, Method::formula, point);
        const Interval exact =
            numbers.add("exact divergence" + at, exact_replace_one, Method::trapezoid, point);
        const Interval repaired = numbers.add(
            "repaired bound" + at,
            oracle_truth("birrell2024.thm_c_9_repaired", Method::formula)(point, erratum_bits));
        confirmed = confirmed && certainly_below(bound, exact) && certainly_below(exact, repaired);
    }
    const Scan scan = theorem_c_9_at_4_and_5();
    numbers.add("points scanned at m = 4 and 5", scan.points);
    numbers.add("of them violations", scan.violations);
    numbers.add("smallest printed bound / exact divergence among them", scan.least_ratio);
    return tried(
        1, birrell2024,
        "Theorem C.9 bounds Poisson sampling under replace-one \"for any integer m >= 3\" by the "
        "terms of Theorem 3.4 with 2 sigma for sigma. It is false for large m: the integrals of "
        "(80) depend on the difference of the two shifts, which is r_t and does not shrink to "
        "r_t/2. At the m = 4 and 5 that the paper uses no violation is found. With (80) replaced "
        "by "
        "2 B~_k(sigma) + 2 B~_k(2 sigma) for even k and 2 B~_k(sigma) + B~_k(2 sigma) for odd k, "
        "as Lemma C.5 gives it, the bound holds (docs/proofs.md, G).",
        numbers, confirmed && scan.violations == 0);
}

/// 1 + tanh(x) = 2/(1 + e^{-2x}), x = 1/sigma^2.
Interval one_plus_tanh(double sigma) {
    return 2.0 / (1.0 + exp(-2.0 / square(number(sigma))));
}

/// e^{(alpha-1) D} - 1 at the point.
Interval excess(const Interval& divergence, double alpha) {
    return expm1(divergence * (number(alpha) - 1.0));
}

Erratum second_order_coefficient() {
    Numbers numbers;
    bool confirmed = true;
    for (const double sigma : {0.5, 1.0, 2.0, 6.0, 20.0, 1000.0}) {
        const Point point{{"sigma", sigma}};
        const Interval ratio =
            agreed_value("birrell2024.second_order_coefficient", Method::formula, point) /
            agreed_value("exact.second_order_coefficient", Method::formula, point);
        numbers.add("printed / attainable coefficient at " + point.text(), ratio);
        confirmed =
            confirmed && overlap(ratio, one_plus_tanh(sigma)) && ratio.relative_width() < 1e-20;
    }
    const Point small{{"alpha", 3.0}, {"sigma", 1.0}, {"q", 1e-12}};
    const Interval limit = excess(agreed_value(exact_fixed_size, Method::sum, small), 3.0) /
                           (square(number(1e-12)) * 6.0);
    numbers.add("(H-1)/(q^2 alpha (alpha-1)) at " + small.text(), limit);
    const Interval attainable =
        numbers.add("attainable coefficient at sigma=1", "exact.second_order_coefficient",
                    Method::formula, Point{{"sigma", 1.0}});
    confirmed = confirmed && std::abs((limit / attainable - 1.0).upper_double()) < 1e-6;

    const Point triangle{{"alpha", 2.0}, {"sigma", 2.0}, {"q", 0.01}};
    const Interval h = excess(agreed_value(exact_fixed_size, Method::trapezoid, triangle), 2.0);
    const Interval outside =
        excess(agreed_value("exact.replace_one_equilateral", Method::trapezoid, triangle), 2.0);
    const Interval inside = excess(
        agreed_value("exact.replace_one_equilateral_attainable", Method::trapezoid, triangle), 2.0);
    numbers.add("(F-1)/(H-1) of an equilateral triangle with side r_t, at " + triangle.text(),
                outside / h);
    numbers.add("(F-1)/(H-1) of the largest equilateral triangle of clipped vectors, there",
                inside / h);
    confirmed = confirmed && certainly_below(h, outside) && certainly_below(inside, h);
    return tried(
        2, birrell2024,
        "The constraints (60) ask of three clipped vectors that all their distances be at most "
        "r_t, twice the clipping radius, and cannot be attained together: three vectors in a ball "
        "are never pairwise as far apart as its diameter. The second-order coefficient of Theorem "
        "3.4, q^2 alpha (alpha-1) (e^{4/sigma^2} - e^{2/sigma^2}), is therefore 1 + "
        "tanh(1/sigma^2) times the attainable one, q^2 alpha (alpha-1) (e^{4/sigma^2} - 1)/2, "
        "which is that of the exact moment H.",
        numbers, confirmed);
}

Erratum unsampled_cap() {
    struct Case {
        const char* name;
        const char* quantity;
        Point point;
    };
    Numbers numbers;
    bool confirmed = true;
    for (const Case& one :
         {Case{"Theorem 3.3",
               "birrell2024.thm_3_3",
               {{"alpha", 2.5}, {"sigma", 1.0}, {"q", 0.1}, {"m", 4.0}}},
          Case{"Theorem 3.4",
               "birrell2024.thm_3_4",
               {{"alpha", 2.5}, {"sigma", 1.0}, {"q", 0.1}, {"m", 4.0}}},
          Case{"Theorem 3.4",
               "birrell2024.thm_3_4",
               {{"alpha", 2.5}, {"sigma", 6.0}, {"q", 0.5}, {"m", 4.0}}},
          Case{"Wang et al. (127)", "wang2019.upper", {{"alpha", 4.0}, {"sigma", 6.0}, {"q", 0.9}}},
          Case{"Wang et al. (131)",
               "wang2019.upper",
               {{"alpha", 1.01}, {"sigma", 6.0}, {"q", 0.4}}}}) {
        const Interval cap = 2.0 * number(one.point["alpha"]) / square(number(one.point["sigma"]));
        const Interval bound = agreed_value(one.quantity, Method::formula, one.point);
        numbers.add(std::string(one.name) + " over 2 alpha/sigma^2 at " + one.point.text(),
                    bound / cap);
        confirmed = confirmed && certainly_below(cap, bound);
    }
    return tried(3, birrell2024,
                 "Theorems 3.3 and 3.4 and the bound of Wang et al. (2019) for sampling without "
                 "replacement are not capped by 2 alpha/sigma^2, the divergence without any "
                 "sampling, which bounds this sampler too. They exceed it at the points below: the "
                 "minimum of the two has to be taken.",
                 numbers, confirmed);
}

}  // namespace

std::vector<Erratum> theorem_errata() {
    return {theorem_c_9(), second_order_coefficient(), unsampled_cap()};
}

}  // namespace assay::verify
