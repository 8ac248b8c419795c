#include <array>

#include "verify/errata_parts.hpp"
#include "verify/oracles/published_add_remove.hpp"
#include "verify/oracles/published_truncated_sum.hpp"
#include "verify/oracles/published_weights.hpp"
#include "verify/oracles/published_with_replacement.hpp"

namespace assay::verify {

namespace {

Erratum needless_one() {
    constexpr double alpha = 32.0;
    constexpr double q = 0.0024;
    constexpr long m = 3;
    const Point point{{"alpha", alpha}, {"sigma", 6.0}, {"q", q}, {"m", 3.0}};
    Numbers numbers;
    const Interval exact = agreed_value("exact.fixed_size_without_replacement", Method::sum, point);
    const Interval printed = agreed_value("birrell2024.thm_3_3", Method::formula, point);
    const Moments moments(fixed_size_shift_squared(6.0, 256), largest_order(alpha, m) + 1);
    // C(alpha, m) q^m B~_m is the share of "1 +".
    const Interval rate(q, 256);
    const Interval needless = power(rate, m) * absolute_falling_factorial(alpha, m, 256) / 6.0 *
                              moments.absolute_bound(m);
    const Interval rest =
        log1p(taylor_bound_excess(alpha, m, rate, moments) - needless) / (number(alpha) - 1.0);
    numbers.add("Theorem 3.3 over exact at " + point.text(), printed / exact);
    numbers.add("the same without the 1 +", rest / exact);
    return tried(5, birrell2024,
                 "The remainder (50) of H rests on x^{alpha-m} <= 1 + x^{ceil(alpha)-m}. At an "
                 "integer alpha > m the 1 + is needless, the power being exact, and H is a finite "
                 "sum there anyway. With m = 3 the bound is 2.8 % above the exact value at the "
                 "parameters of Figure 6, alpha = 32: two thirds of that is the 1 +, the rest the "
                 "Cauchy-Schwarz step (46).",
                 numbers,
                 certainly_below(number(1.028), printed / exact) &&
                     certainly_at_most(exact, rest) &&
                     certainly_below(rest / exact, number(1.010)));
}

/// F_2(c, 0) = sum_n a_n (1 - 1/D + e^{cn}/D)^B, (122).
Interval f_2(long B, long D, const Interval& c) {
    const std::vector<Interval> weights = copy_weights(B, D, B, erratum_bits);
    const Interval rate = 1.0 / Interval::integer(D, erratum_bits);
    Interval sum(0.0, erratum_bits);
    for (long n = 0; n <= B; ++n)
        sum += weights[static_cast<std::size_t>(n)] *
               power((1.0 - rate) + rate * exp(c * static_cast<double>(n)), B);
    return sum;
}

Erratum equation_126() {
    constexpr long B = 20;
    constexpr long D = 20000;
    const Point point{{"alpha", 2.0}, {"sigma", 6.0}, {"B", B}, {"D", D}};
    const Interval variance = square(number(6.0));
    Numbers numbers;
    const Interval exact =
        numbers.add("exact divergence at " + point.text(), "exact.fixed_size_with_replacement",
                    Method::trapezoid, point);
    const Interval printed =
        numbers.add("F_2(4 sigma^2, 0)/(alpha-1), as printed", f_2(B, D, 4.0 * variance));
    const Interval no_log = numbers.add("F_2(4/sigma^2, 0)/(alpha-1)", f_2(B, D, 4.0 / variance));
    const Interval right = numbers.add("log F_2(4/sigma^2, 0)/(alpha-1)", log(no_log));
    return tried(
        6, birrell2024,
        "(126) prints the lower bound as F_{T,alpha}(4 sigma_t^2, 0)/(alpha-1). It has to be "
        "log F_{T,alpha}(4/sigma_t^2, 0)/(alpha-1): what is printed lies far above the "
        "divergence that it should bound from below (alpha = 2 below, where the right "
        "form is the divergence itself).",
        numbers,
        certainly_below(exact, printed) && certainly_below(exact, no_log) && overlap(exact, right));
}

Erratum equation_124() {
    constexpr long B = 8;
    constexpr long D = 100;
    const Point point{{"alpha", 4.0}, {"sigma", 2.0}, {"B", B}, {"D", D}};
    Numbers numbers;
    numbers.add("exact divergence at " + point.text(), "exact.fixed_size_with_replacement",
                Method::trapezoid, point);
    const std::array<long, 4> chosen{0, 1, 2, B};
    numbers.add("F_{T,4} with T_k = {0,1,2,|B|} at every level, log F/(alpha-1)",
                truncated_lower_bound(4, 2.0, B, D, chosen, erratum_bits));
    return not_decidable(
        6, birrell2024,
        "The recursion (124) for F_{T,k} has F_{k-1}(.., T_{k-1}) inside. F_{k-1} of (121) has no "
        "third argument: F_{T,k-1} is meant. With F_{k-1} the cost would not be the one claimed.",
        numbers, "a matter of notation: a lower bound results either way");
}

Erratum equation_110() {
    constexpr long B = 120;
    constexpr long D = 50000;
    Numbers numbers;
    numbers.add("q~ of (113), |B| = 120, |D| = 50000, K = 3", "birrell2024.q_tilde",
                Method::formula, Point{{"B", B}, {"D", D}, {"K", 3.0}});
    numbers.add("right side of (110), |D'| = 50001", "birrell2024.q_tilde", Method::formula,
                Point{{"B", B}, {"D", D + 1.0}, {"K", 3.0}});
    numbers.add("q = |B|/|D|", Interval::integer(B, erratum_bits) / static_cast<double>(D));
    return not_decidable(6, birrell2024,
                         "(110) prints q >= (1 + a_0'/sum a_n')^{-1}. What follows uses it for q~, "
                         "and it is derived from (106), which is about q~.",
                         numbers, "true of both q~ and q = |B|/|D|");
}

Erratum equation_54() {
    const Point moment{{"sigma", 6.0}, {"j", 3.0}};
    Numbers numbers;
    const Interval b =
        numbers.add("log B_3 at sigma=6", "exact.log_absolute_moment", Method::trapezoid, moment);
    const Interval b_tilde =
        numbers.add("log B~_3 there", "birrell2024.log_B_tilde", Method::formula, moment);
    numbers.add("B~_3/B_3", exp(b_tilde - b));
    return not_decidable(6, birrell2024,
                         "(53)-(54) bound the Taylor remainder by B_{sigma,m}, then explain "
                         "B~_{sigma,m}. B~ is meant, as in (56): B has no closed form for odd m.",
                         numbers,
                         "true of both, B being the smaller; only the bound with B~ is computable");
}

Erratum lemma_c_5() {
    const Point at{{"sigma", 6.0}, {"j", 3.0}, {"k", 3.0}};
    Numbers numbers;
    const Interval b = exp(agreed_value("exact.log_absolute_moment", Method::trapezoid, at));
    const Interval m = exp(agreed_value("birrell2024.log_M", Method::formula, at));
    const Interval part =
        numbers.add("integral over p > r, k = 3, p/r = X at sigma=6", (b + m) / 2.0);
    const Interval whole_space = numbers.add("integral over the whole space as printed", m);
    numbers.add("the same with |.|", b);
    return tried(
        7, birrell2024,
        "In the last lines of (75), the proof of Lemma C.5, the integral of (p-r)^k/r^{k-1} "
        "over a part of {p > r} is bounded by the integral over the whole space. For odd k "
        "the integrand is negative where p < r, and the step fails: it needs |p-r|^k. The "
        "lemma itself has the absolute value in its divergence and stands.",
        numbers, certainly_below(whole_space, part) && certainly_at_most(part, b));
}

Erratum misprints() {
    return not_decidable(
        7, birrell2024,
        "Misprints without numbers: the proof of Lemma C.7 cites \"Lemma 72\", which is Lemma C.4 "
        "with equation (72); Remark C.6 says that Lemma C.5 is applied for k >= 2, and it is for "
        "k >= 3; the first line of (28) lacks its sigma~; in (33) the bars of the divergence and "
        "of "
        "the condition are exchanged, and the first p of (33), (36) and (38) lacks its index t.",
        {}, "no number depends on them");
}

}  // namespace

std::vector<Erratum> formula_errata() {
    return {needless_one(), equation_126(), equation_124(), equation_110(),
            equation_54(),  lemma_c_5(),    misprints()};
}

}  // namespace assay::verify
