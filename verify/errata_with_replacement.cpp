#include "verify/errata_parts.hpp"

namespace assay::verify {

namespace {

constexpr const char* drawn = "exact.fixed_size_with_replacement";

Point figure_9(double alpha, double terms) {
    return {{"alpha", alpha}, {"sigma", 6.0}, {"m", 4.0},
            {"B", 120.0},     {"D", 50000.0}, {"K", terms}};
}

/// 2 alpha B^2 / sigma^2: every one of B draws is the record.
Interval full_batch(const Point& p) {
    return 2.0 * number(p["alpha"]) * square(number(p["B"])) / square(number(p["sigma"]));
}

Erratum cap_with_replacement() {
    Numbers numbers;
    const Point bound_at = figure_9(1.01, 120.0);
    const Interval bound = numbers.add("Theorem 3.6 (K = |B|) at " + bound_at.text(),
                                       "birrell2024.thm_3_6", Method::formula, bound_at);
    const Interval cap = numbers.add("2 alpha |B|^2/sigma^2 there", full_batch(bound_at));
    const Point full{{"alpha", 40.0}, {"sigma", 2.0}, {"B", 4.0}, {"D", 100.0}};
    const Interval value =
        numbers.add("exact divergence at " + full.text(), drawn, Method::trapezoid, full);
    const Interval small_cap =
        numbers.add("2 alpha/sigma^2 there", 2.0 * number(40.0) / square(number(2.0)));
    const Interval large_cap = numbers.add("2 alpha |B|^2/sigma^2 there too", full_batch(full));
    return tried(3, birrell2024,
                 "Theorem 3.6 (with replacement) is not capped by the divergence without "
                 "sampling either. Here that is 2 alpha |B|^2/sigma^2, since the record may be "
                 "drawn |B| times; 2 alpha/sigma^2 does not bound this sampler, and a minimum with "
                 "it would be wrong.",
                 numbers,
                 certainly_below(cap, bound) && certainly_below(small_cap, value) &&
                     certainly_at_most(value, large_cap));
}

Erratum looseness() {
    Numbers numbers;
    const auto ratio = [&](const std::string& name, const char* quantity, const Point& point) {
        return numbers.add(name + " over exact at " + point.text(),
                           agreed_value(quantity, Method::formula, point) /
                               agreed_value(drawn, Method::trapezoid, point));
    };
    const Interval all = ratio("Theorem 3.6", "birrell2024.thm_3_6", figure_9(1.01, 120.0));
    const Interval capped = ratio("(112) with K = 3 and capped terms", "birrell2024.thm_3_6_capped",
                                  figure_9(1.01, 3.0));
    const Interval at_2 = ratio("(112) with K = 3 and capped terms", "birrell2024.thm_3_6_capped",
                                figure_9(2.0, 3.0));
    return tried(
        4, birrell2024,
        "Theorem 3.6 takes K = |B|: the moment H of every term is replaced by its Taylor bound at "
        "noise sigma/n, whose remainder explodes. At the parameters of Figure 9 it is 2.4e12 times "
        "the exact value at alpha = 1.01. Its general form (112) with K = 3, and with "
        "e^{2 alpha (alpha-1) n^2/sigma^2} for the Taylor bounds that exceed it, is within 0.2 % "
        "there, yet 4.5e8 times the exact value at alpha = 2.",
        numbers,
        certainly_below(number(2e12), all) && certainly_below(capped, number(1.002)) &&
            certainly_below(number(4e8), at_2));
}

}  // namespace

std::vector<Erratum> with_replacement_errata() {
    return {cap_with_replacement(), looseness()};
}

}  // namespace assay::verify
