#include <fmt/format.h>

#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/published_hockey_stick.hpp"
#include "verify/rows.hpp"

// Ways through the library that `assay eval` does not take for a single answer: curves of many
// orders, the integer-order sum, many steps near no sampling at all, two steps.

namespace assay::verify {

namespace {

struct Curve {
    const char* name;
    Mechanism (*mechanism)(const Point&);
    Adjacency adjacency;
    const char* exact;
    const char* noise;
};

std::vector<Check> curve_rows() {
    std::vector<Check> rows;
    for (const Curve& c : {Curve{"poisson_add_remove", poisson_at, Adjacency::add_remove,
                                 "exact.poisson_add_remove", "s"},
                           Curve{"poisson_replace_one", poisson_at, Adjacency::replace_one,
                                 "exact.poisson_replace_one", "sigma"},
                           Curve{"fixed_size", fixed_size_at, Adjacency::replace_one,
                                 "exact.fixed_size_without_replacement", "sigma"}}) {
        Check check = library_row(
            fmt::format("curve.{}.encloses_arb", c.name),
            "an order of a curve of several orders contains the exact value", Relation::encloses,
            {{order_dimension(1.01, 64.0), noise_dimension("sigma", 0.3, 20.0),
              probability_dimension(1e-5, 0.99)},
             {}},
            300, 3000);
        check.oracle = oracle_name(c.exact, Method::arb);
        check.evaluate = [c](const Point& p) {
            const double a = p["alpha"];
            const std::vector<double> orders{1.0 + (a - 1.0) / 2.0, a, 1.5 * a};
            return exact_rdp(c.mechanism(p), c.adjacency, orders)[1];
        };
        check.truth = [c, oracle = oracle_truth(c.exact, Method::arb)](const Point& p, long bits) {
            Point named = p;
            named.set(c.noise, p["sigma"]);
            return oracle(named, bits);
        };
        rows.push_back(std::move(check));
    }
    Check sum = library_row(
        "exact.poisson_integer_order.encloses_sum",
        "mironov2019 Section 3.3's finite sum at integer orders", Relation::encloses,
        {{integer_order_dimension(256.0), noise_dimension("s"), probability_dimension()}, {}}, 80,
        800);
    sum.oracle = oracle_name("exact.poisson_add_remove", Method::sum);
    sum.evaluate = [](const Point& p) {
        return poisson_integer_order_rdp(static_cast<int>(p.integer("alpha")), p["s"], p["q"]);
    };
    sum.truth = oracle_truth("exact.poisson_add_remove", Method::sum);
    rows.push_back(std::move(sum));
    return rows;
}

std::vector<Check> condition_rows() {
    // Where the theorem is said to apply, both printed conditions have to hold.
    std::vector<Check> rows;
    for (const char* condition : {"rhs4", "rhs5"}) {
        Check check =
            library_row(fmt::format("mironov2019.thm_11.applies_{}", condition),
                        fmt::format("Theorem 11 is applied only where its condition {} holds",
                                    condition == std::string("rhs4") ? "(4)" : "(5)"),
                        Relation::at_most,
                        {{order_dimension(1.01, 200.0),
                          noise_dimension("s", 3.0, 30.0),
                          {"q", Scale::logarithmic, 1e-4, 0.25, false, {0.01, 0.05, 0.2}}},
                         {}},
                        120, 1500);
        const std::string quantity = fmt::format("mironov2019.thm_11.{}", condition);
        check.oracle = oracle_name(quantity, Method::formula);
        check.evaluate = [](const Point& p) {
            const bool applies = theorem_11(p["alpha"], p["s"], p["q"]).applies;
            return exactly(applies ? p["alpha"] : -std::numeric_limits<double>::infinity());
        };
        check.truth = oracle_truth(quantity, Method::formula);
        rows.push_back(std::move(check));

        Check largest = library_row(
            fmt::format("mironov2019.thm_11.largest_order_{}", condition),
            "the largest order that satisfies the condition does satisfy it", Relation::at_most,
            {{noise_dimension("s", 4.0, 30.0),
              {"q", Scale::logarithmic, 1e-4, 0.2, false, {0.01, 0.05, 0.2}}},
             {}},
            40, 400);
        const auto order = condition == std::string("rhs4") ? largest_order_condition_4
                                                            : largest_order_condition_5;
        largest.oracle = oracle_name(quantity, Method::formula) + " at that order";
        largest.evaluate = [order](const Point& p) { return exactly(order(p["s"], p["q"])); };
        largest.truth = [order, oracle = oracle_truth(quantity, Method::formula)](const Point& p,
                                                                                  long bits) {
            const double alpha = order(p["s"], p["q"]);
            if (alpha <= 1.0) return Interval(alpha, bits);  // none: nothing is claimed
            Point named = p;
            named.set("alpha", alpha);
            return oracle(named, bits);
        };
        rows.push_back(std::move(largest));
    }
    return rows;
}

/// An upper bound of delta(eps) of two steps of the pair ((1-q) N(0,1) + q N(c,1), N(0,1)) in
/// either direction: condition on the first output z. Given z the rest is one step at eps -+ log
/// W(z), W increases, and so does (or falls) the integrand: every cell counts with its larger end.
Interval two_step_delta_above(double c, double q, double epsilon, long bits) {
    constexpr int cells = 2000;
    const double left = -7.0;
    const double right = 7.0 + c;
    const double width = (right - left) / cells;
    // The ratio is an argument of functions that refine until `bits` are right: it needs more.
    const auto ratio = [&](double z) {
        const Interval shift(c, 4 * bits);
        return (1.0 - Interval(q, 4 * bits)) + q * exp(shift * z - square(shift) / 2.0);
    };
    const auto mass = [&](double a, double b) {
        return normal_cdf(Interval(b, bits)) - normal_cdf(Interval(a, bits));
    };
    Interval removal(0.0, bits);
    Interval addition(0.0, bits);
    for (int i = 0; i < cells; ++i) {
        const double a = left + width * i;
        const double b = left + width * (i + 1);
        const Interval at_a = ratio(a);
        const Interval at_b = ratio(b);
        removal += mass(a, b) * at_b * one_step_delta_remove(c, q, epsilon - log(at_b), bits);
        addition += mass(a, b) * one_step_delta_add(c, q, epsilon + log(at_a), bits);
    }
    // Left of the cells: W and delta at the left end, respectively 1. Right: E[W; z > right], and
    // delta at the right end.
    const double end = left + width * cells;
    const Interval below = normal_cdf(Interval(left, bits));
    const Interval above = normal_cdf(-Interval(end, bits));
    removal += below * ratio(left) + above + q * normal_cdf(c - Interval(end, bits));
    addition += below + above * one_step_delta_add(c, q, epsilon + log(ratio(end)), bits);
    return max(removal, addition);
}

Enclosure lower_side(const Point& p, std::int64_t steps) {
    const Phase phase{poisson_at(p), steps};
    return exactly(epsilon_bracket({&phase, 1}, Adjacency::add_remove, p["delta"]).lower.value);
}

std::vector<Check> epsilon_rows() {
    Check many = library_row(
        "epsilon.poisson_nearly_all.lower",
        "the lower side of many Poisson steps is below the unsampled Gaussian's epsilon",
        Relation::at_most,
        {{noise_dimension("sigma", 3.0, 1000.0),
          {"q", Scale::probability, 1.0 - 1e-3, 1.0 - 1e-9, false, {0.999, 0.999999}},
          count_dimension("T", 1e2, 1e8, {1e4, 1e6}),
          {"delta", Scale::logarithmic, 1e-12, 0.3, false, {1e-5, 1e-2}}},
         {}},
        12, 120);
    many.oracle = "closed form: gaussian.epsilon of T steps without sampling";
    many.evaluate = [](const Point& p) { return lower_side(p, p.integer("T")); };
    many.truth = [oracle = any_oracle("gaussian.epsilon")](const Point& p, long bits) {
        Point named = p;
        named.set("c", std::nextafter(1.0 / p["sigma"], 1.0));  // epsilon grows with the shift
        return oracle(named, bits);
    };
    Check two = library_row("epsilon.poisson_two_steps.lower",
                            "at the lower side of epsilon of two steps, delta is not yet reached",
                            Relation::at_most,
                            {{{"sigma", Scale::logarithmic, 0.2, 2.0, false, {0.25, 0.3, 0.5, 1.0}},
                              {"q", Scale::logarithmic, 0.01, 0.6, false, {0.05, 0.2, 0.5}},
                              {"delta", Scale::logarithmic, 0.01, 0.4, false, {0.05, 0.1, 0.3}}},
                             {}},
                            3, 40);
    two.oracle = "two-step hockey-stick divergence, cells rounded up, at that epsilon";
    two.evaluate = [](const Point& p) {
        return lower_side(p, 2).lower > 0.0 ? exactly(p["delta"]) : exactly(0.0);
    };
    two.truth = [](const Point& p, long bits) {
        const double epsilon = lower_side(p, 2).lower;
        const double c = std::nextafter(1.0 / p["sigma"], 100.0);  // delta grows with the shift
        return Interval(two_step_delta_above(c, p["q"], epsilon, bits).upper_double(), bits);
    };
    return {many, two};
}

}  // namespace

std::vector<Check> path_rows() {
    return joined({curve_rows, condition_rows, epsilon_rows});
}

}  // namespace assay::verify
