#include <fmt/format.h>

#include <set>

#include "assay/numeric/errors.hpp"
#include "verify/errata_double.hpp"
#include "verify/errata_parts.hpp"
#include "verify/oracles/published_truncated_sum.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

/// T_k for k > 2: the caption's, and the released figure code's.
std::vector<long> caption_set(long B) {
    return {0, 1, 2, B};
}
std::vector<long> released_set(long order, long B) {
    if (order <= 5) return {0, 1, 2, 3, 4, 5, B - 3, B - 2, B - 1, B};
    if (order == 6) return {0, 1, 2, 3, B - 2, B - 1, B};
    if (order <= 8) return {0, 1, 2, 3, B - 1, B};
    return caption_set(B);
}

Interval lower_bound(long order, long B, const std::vector<long>& chosen) {
    constexpr double sigma = 6.0;
    const long D = 1000 * B;
    Interval value = truncated_lower_bound(order, sigma, B, D, chosen, erratum_bits);
    const Enclosure library =
        library_answer("birrell2024.thm_3_7_truncated",
                       {{"alpha", static_cast<double>(order)},
                        {"sigma", sigma},
                        {"B", static_cast<double>(B)},
                        {"D", static_cast<double>(D)},
                        {"T", std::vector<double>(chosen.begin(), chosen.end())}});
    if (!overlap(value, Interval::between(number(library.lower), number(library.upper))))
        throw Error(fmt::format("thm_3_7_truncated at order {}, B = {}: library and oracle differ",
                                order, B));
    return value;
}

Erratum figure_1() {
    Numbers numbers;
    Interval largest(0.0, erratum_bits);
    std::string where;
    for (const long B : {20L, 30L, 40L, 60L, 80L})
        for (long order = 3; order <= 8; ++order) {
            const Interval lower = 1.0 - lower_bound(order, B, caption_set(B)) /
                                             lower_bound(order, B, released_set(order, B));
            if (certainly_at_most(lower, largest)) continue;
            largest = lower;
            where = fmt::format("|B| = {}, alpha = {}", B, order);
        }
    numbers.add("largest relative difference, |B| = 20..80, alpha = 2..10", largest);
    numbers.add("attained at", where);
    return tried(
        10, birrell2024,
        "Figure 1 is drawn by the authors' code with index sets T_k, k > 2, larger than "
        "the {0, 1, 2, |B|} of Appendix D.2.1 up to order 8 (up to 10 elements). The claim "
        "on trial is that the curves with the sets of the text are visibly lower, read "
        "as: by 1 % somewhere.",
        numbers, certainly_below(number(0.01), largest));
}

Erratum released_parameters() {
    return not_decidable(
        11, birrell2024,
        "Parameters that the text leaves open, taken from the authors' figure code: Figures 2 and "
        "6 "
        "use alpha = 1 + 10^x at 100 points x in [-2, 1.8]; Figures 3 and 4 minimise over "
        "alpha = 1 + 10^x, 500 points x in [-1, 1.5], with 250 50000/120 = 104166.67 steps, not an "
        "integer; Wang et al.'s lower bound is drawn at integers; Figure 7 has m = 5 and alpha in "
        "[50, 60]; Figures 1 and 8 have |D| = 1000 |B|; "
        "Figure 9 has m = 4, K = 3 with capped terms.",
        {}, "facts about a program, not about numbers of the paper");
}

Erratum alternating_sum() {
    Numbers numbers;
    bool confirmed = true;
    for (const double sigma : {20.0, 30.0, 50.0, 100.0}) {
        long negative = 0;
        for (long k = 2; k <= 40 && negative == 0; k += 2)
            if (!(moment_in_double(sigma, k) > 0.0)) negative = k;
        numbers.add(
            fmt::format("first even k with M_k <= 0 in double precision, sigma = {}", sigma),
            negative);
        confirmed = confirmed && negative != 0;
    }
    for (const long k : {16L, 24L}) {
        const Point at{{"sigma", 20.0}, {"k", static_cast<double>(k)}};
        const Interval exact = exp(agreed_value("birrell2024.log_M", Method::formula, at));
        numbers.add("M_k at " + at.text(), exact);
        numbers.add("the same in double precision at " + at.text(),
                    number(moment_in_double(20.0, k)));
    }
    return tried(12, birrell2024,
                 "The alternating sum (44) for the moments M_k, all of them positive, cancels: "
                 "summed in double precision from the highest order down, as the paper advises, it "
                 "turns negative at large sigma, and B~ of (47), a square root, then does not "
                 "exist.",
                 numbers, confirmed);
}

Erratum released_code() {
    return not_decidable(12, birrell2024,
                         "The authors' released program does not run as shipped (it imports a "
                         "module by another name), returns NaN for sigma >= 20 and infinity for "
                         "small sigma.",
                         {}, "the program is not part of this repository and is not run here");
}

}  // namespace

std::vector<Erratum> figure_errata() {
    return {figure_1(), released_parameters(), alternating_sum(), released_code()};
}

}  // namespace assay::verify
