#include <cmath>
#include <span>

#include "verify/errata_parts.hpp"
#include "verify/oracles/published_variance.hpp"

namespace assay::verify {

namespace {

constexpr double gradients[] = {1.0, 2.0, 3.0, 5.5};
constexpr long records = 4;

/// The three variances from their definitions and sums of a and a^2.
struct Variances {
    Interval poisson;
    Interval with_replacement;
    Interval without_replacement;
    Interval mean_square;  // (sum a)^2 / D^2
    Interval square_mean;  // sum a^2 / D
    Interval B;

    explicit Variances(long batch)
        : poisson(variance_poisson(gradients, batch, erratum_bits)),
          with_replacement(variance_with_replacement(gradients, batch, erratum_bits)),
          without_replacement(variance_without_replacement(gradients, batch, erratum_bits)),
          mean_square(0.0, erratum_bits),
          square_mean(0.0, erratum_bits),
          B(Interval::integer(batch, erratum_bits)) {
        for (const double a : gradients) {
            mean_square += number(a);
            square_mean += square(number(a));
        }
        mean_square = square(mean_square / static_cast<double>(records));
        square_mean /= number(records);
    }
};

/// The formulas that hold, of (143)-(147).
long formulas_that_hold(const Variances& v) {
    const Interval D = number(records);
    const Interval q = v.B / D;
    const Interval spread = 1.0 / v.B - 1.0 / D;
    const Interval ratio = 1.0 - v.mean_square / v.square_mean;
    return overlap(v.poisson, spread * v.square_mean) +                                // (143)
           overlap(v.with_replacement, v.poisson / (1.0 - q) - v.mean_square / v.B) +  // (143)
           overlap(v.without_replacement,
                   D / (D - 1.0) * (v.poisson - spread * v.mean_square)) +        // (144)
           overlap(v.with_replacement / v.poisson, ratio / (1.0 - q)) +           // (145)
           overlap(v.without_replacement / v.poisson, ratio / (1.0 - 1.0 / D)) +  // (146)
           overlap(v.with_replacement, (1.0 - 1.0 / D) / (1.0 - q) * v.without_replacement);
}

Erratum batch_from_all_records() {
    Numbers numbers;
    const Interval all = numbers.add("mean of a = (1, 2, 3, 5.5)", number(11.5) / 4.0);
    const Interval others = numbers.add("mean of Z_B, B drawn from {2..4}", number(10.5) / 3.0);
    return tried(
        8, birrell2024,
        "Section 4.1 and Appendix F draw the batch B from {2, .., |D|}. It has to be "
        "{1, .., |D|}: otherwise the first record is never used, and the mean of Z_B is not "
        "that of all records, as (142) says.",
        numbers, certainly_below(all, others));
}

Erratum equality_at_one() {
    Numbers numbers;
    const Variances one(1);
    numbers.add("Var Z_R at |B| = 1, a = (1, 2, 3, 5.5)", one.with_replacement);
    numbers.add("Var Z_B there", one.without_replacement);
    const Interval factor =
        numbers.add("factor (1-1/|D|)/(1-q) at |B| = 1",
                    (1.0 - 1.0 / number(records)) / (1.0 - 1.0 / number(records)));
    return tried(8, birrell2024,
                 "Below (147) the variance with replacement is said to be always larger, by a "
                 "factor (1-1/|D|)/(1-q) > 1. At |B| = 1 the two samplers are the same, and the "
                 "factor is 1.",
                 numbers,
                 overlap(one.with_replacement, one.without_replacement) &&
                     overlap(factor, number(1.0)) && factor.relative_width() < 1e-20);
}

Erratum formulas_found_right() {
    Numbers numbers;
    long held = 0;
    for (long batch = 1; batch < records; ++batch) held += formulas_that_hold(Variances(batch));
    numbers.add("of 18 comparisons of (143)-(147) with the definitions, those that agree (96 bits)",
                held);
    // (120): the moment of N_{|B|} against N_0 at noise sigma/2 is e^{2 alpha (alpha-1) B^2/s^2}.
    const Point at{{"alpha", 2.5}, {"sigma", 1.0}, {"B", 3.0}, {"D", 10.0}};
    const Interval second_line =
        numbers.add("(120) at " + at.text(), "birrell2024.eq_120", Method::formula, at);
    const Interval a = number(2.5);
    const Interval first_line =
        numbers.add("its first line, integrated",
                    (2.0 * a * (a - 1.0) * 9.0 - a * 3.0 * log(number(10.0))) / (a - 1.0));
    const Interval exact = numbers.add("exact divergence there",
                                       "exact.fixed_size_with_replacement", Method::trapezoid, at);
    const Interval x = 4.0 / square(number(1000.0));
    const Interval leading = numbers.add("2 (e^{4/s^2} - e^{-4/s^2}) s^2/16 at s = 1000",
                                         2.0 * (exp(x) - exp(-x)) * square(number(1000.0)) / 16.0);
    const bool right = held == 18 && overlap(second_line, first_line) &&
                       certainly_at_most(second_line, exact) &&
                       std::abs((leading - 1.0).upper_double()) < 1e-9;
    return tried(8, birrell2024,
                 "Found right, against doubts: the variances (143)-(147), the bound (120), and the "
                 "coefficient (136) with its leading term.",
                 numbers, right);
}

Erratum conversions() {
    Numbers numbers;
    long equal = 0;
    for (const double alpha : {1.1, 2.0, 32.0})
        for (const double rdp : {1e-6, 0.1, 3.0})
            for (const double delta : {1e-10, 1e-5, 0.3}) {
                // canonne2020 as dp_accounting writes it: rdp + log1p(-1/a) - log(d a)/(a-1).
                const Interval a = number(alpha);
                const Interval canonne =
                    number(rdp) + log1p(-1.0 / a) - log(number(delta) * a) / (a - 1.0);
                const Point point{{"alpha", alpha}, {"rdp", rdp}, {"delta", delta}};
                equal += overlap(canonne,
                                 agreed_value("convert.balle2020_thm_21", Method::formula, point));
            }
    numbers.add("of 27 points, those at which the two formulas agree (96 bits)", equal);
    const Point low{{"alpha", 2.0}, {"rdp", 0.01}, {"delta", 0.3}};
    const Interval unclipped =
        numbers.add("balle2020 at " + low.text(), "convert.balle2020_thm_21", Method::formula, low);
    const Interval guarded = numbers.add("canonne2020 with its guard there", "convert.canonne2020",
                                         Method::formula, low);
    return tried(
        9, birrell2024,
        "\"Theorem 21 of Balle et al. (2020)\", the conversion of the paper and of Opacus, "
        "is the same formula as that of Canonne, Kamath and Steinke (2020) in "
        "dp_accounting, which adds a guard (0 where delta^2 + e^{-rdp} - 1 > 0) and clips "
        "at 0. Without the clip it can be negative.",
        numbers, equal == 27 && certainly_below(unclipped, number(0.0)) && guarded.is_zero());
}

Erratum figure_6() {
    Numbers numbers;
    const auto ratio = [&](double alpha) {
        const Point three{{"alpha", alpha}, {"sigma", 6.0}, {"q", 0.0024}, {"m", 3.0}};
        Point four = three;
        four.set("m", 4.0);
        return numbers.add(
            "m = 3 over m = 4, sigma=6 q=0.0024, at " + Point{{"alpha", alpha}}.text(),
            agreed_value("birrell2024.thm_3_3", Method::formula, three) /
                agreed_value("birrell2024.thm_3_3", Method::formula, four));
    };
    const Interval small = ratio(10.0);
    const Interval large = ratio(63.0);
    return tried(37, birrell2024,
                 "Appendix B calls the difference between m = 3 and m = 4 in Figure 6 negligible "
                 "over Opacus' default orders, which end at 63. It is below 1 % at order 10 and "
                 "above 5 % at order 63.",
                 numbers,
                 certainly_below(small, number(1.01)) && certainly_below(number(1.05), large));
}

Erratum leading_order() {
    Numbers numbers;
    Interval at_1 = number(0.0);
    for (const double sigma : {1.0, 6.0, 1000.0}) {
        const Point fixed{{"alpha", 3.0}, {"sigma", sigma}, {"q", 1e-12}};
        const Interval ratio =
            agreed_value("exact.fixed_size_without_replacement", Method::trapezoid, fixed) /
            agreed_value("exact.poisson_replace_one", Method::trapezoid, fixed);
        numbers.add("fixed-size over Poisson, exact, at " + fixed.text(), ratio);
        if (sigma == 1.0) at_1 = ratio;
    }
    const Interval x = 1.0 / square(number(1.0));
    const Interval limit = numbers.add("(e^{4/s^2} - 1)/(2 (e^{1/s^2} - e^{-1/s^2})) at s = 1",
                                       (exp(4.0 * x) - 1.0) / (2.0 * (exp(x) - exp(-x))));
    return tried(
        38, birrell2024,
        "The abstract says that under replace-one fixed-size and Poisson sampling have the "
        "same privacy to leading order in the sampling probability. They have it to "
        "leading order in q and in 1/sigma^2 together; in q alone the ratio tends to "
        "(e^{4/sigma^2} - 1)/(2 (e^{1/sigma^2} - e^{-1/sigma^2})).",
        numbers,
        std::abs((at_1 / limit - 1.0).upper_double()) < 1e-6 && certainly_below(number(2.0), at_1));
}

}  // namespace

std::vector<Erratum> accounting_errata() {
    return {batch_from_all_records(),
            equality_at_one(),
            formulas_found_right(),
            conversions(),
            figure_6(),
            leading_order()};
}

}  // namespace assay::verify
