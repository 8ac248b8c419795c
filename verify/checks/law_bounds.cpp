#include <fmt/format.h>

#include <cmath>

#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

constexpr const char* without = "exact.fixed_size_without_replacement";
constexpr const char* with = "exact.fixed_size_with_replacement";

Space line(double top_order = 512.0) {
    return {{order_dimension(1.0 + 1e-5, top_order), noise_dimension("sigma", 1e-8, 5000.0),
             probability_dimension()},
            {}};
}

Space taylor(double top_order = 512.0) {
    Space space = line(top_order);
    space.dimensions.push_back(terms_dimension());
    return space;
}

Space batches(bool taylor_terms) {
    Space space{
        {integer_order_dimension(32.0), noise_dimension("sigma", 1e-8, 1000.0),
         count_dimension("B", 1, 60, {1, 2, 3, 30}),
         count_dimension("D", 2, 1e6, {2, 3, 31, 50000}), count_dimension("K", 1, 30, {1, 2, 3})},
        [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }};
    if (taylor_terms) space.dimensions.push_back({"m", Scale::linear, 3, 8, true, {3, 4, 5}});
    return space;
}

std::vector<Check> without_replacement() {
    const Space integers{{integer_order_dimension(256.0), noise_dimension("sigma", 1e-8, 5000.0),
                          probability_dimension()},
                         {}};
    const Side attainable = answer("exact.replace_one_equilateral_attainable");
    return {
        at_most_law("law.thm_3_3.above_exact",
                    "birrell2024 Theorem 3.3 is above H for every number of terms", taylor(), 80,
                    600, answer(without), answer("birrell2024.thm_3_3")),
        at_most_law("law.thm_3_4.above_thm_3_3",
                    "Theorem 3.4 (replace-one) is above Theorem 3.3 (add/remove)", taylor(), 80,
                    600, answer("birrell2024.thm_3_3"), answer("birrell2024.thm_3_4")),
        at_most_law("law.wang2019.upper_above_exact", "wang2019 Theorem 9 is above H", line(), 60,
                    1000, answer(without), answer("wang2019.upper")),
        at_most_law("law.wang2019.lower_below_exact", "wang2019's lower bound is below H", integers,
                    60, 1000, answer("wang2019.lower"), answer(without)),
        at_most_law("law.profile.above_exact", "the profile bound is above H (docs/proofs.md, F)",
                    line(5000.0), 60, 600, answer(without),
                    answer("profile.fixed_size_replace_one")),
        at_most_law(
            "law.profile.below_twice_the_excess",
            "F_prof - 1 <= 2 (H - 1) (docs/proofs.md, F (iii))", line(64.0), 60, 1000,
            [](const Point& p) {
                const Interval order = Interval(p["alpha"], distribution_bits) - 1.0;
                return expm1(order * answer("profile.fixed_size_replace_one")(p));
            },
            [](const Point& p) {
                const Interval order = Interval(p["alpha"], distribution_bits) - 1.0;
                return 2.0 * expm1(order * answer(without)(p));
            }),
        at_most_law("law.equilateral_attainable.below_exact",
                    "three clipped vectors at equal distances stay below H (Theorem 1)",
                    Space{{order_dimension(1.01, 16.0), noise_dimension("sigma", 1.0, 50.0),
                           probability_dimension(1e-4, 0.9)},
                          {}},
                    8, 80, attainable, answer(without)),
        at_most_law("law.thm_c_9_repaired.above_exact",
                    "Theorem C.9 as repaired is above the exact Poisson replace-one value (G)",
                    taylor(), 80, 600, answer("exact.poisson_replace_one"),
                    answer("birrell2024.thm_c_9_repaired")),
        at_most_law("law.thm_c_9.right_at_3_terms",
                    "Theorem C.9 as printed is above the exact value at m = 3 (G)", line(), 60,
                    1000, answer("exact.poisson_replace_one"),
                    answer("birrell2024.thm_c_9_as_printed", [](Point& p) { p.set("m", 3.0); })),
    };
}

Interval truncated(const Point& p) {
    return interval_of(
        library_answer("birrell2024.thm_3_7_truncated", {{"alpha", p["alpha"]},
                                                         {"sigma", p["sigma"]},
                                                         {"B", p["B"]},
                                                         {"D", p["D"]},
                                                         {"T", std::vector<double>{0.0, p["K"]}}}));
}

std::vector<Check> with_replacement() {
    return {
        at_most_law("law.thm_3_6_exact_h.above_exact", "(112) with the exact H is above the truth",
                    batches(false), 30, 400, answer(with), answer("birrell2024.thm_3_6_exact_h")),
        at_most_law("law.thm_3_6.above_exact_h", "a Taylor bound of H can only raise (112)",
                    batches(true), 30, 400, answer("birrell2024.thm_3_6_exact_h"),
                    answer("birrell2024.thm_3_6")),
        at_most_law("law.thm_3_6_capped.below_thm_3_6", "capped terms are no larger", batches(true),
                    30, 400, answer("birrell2024.thm_3_6_capped"), answer("birrell2024.thm_3_6")),
        at_most_law("law.thm_3_6_capped.above_exact", "(112) with capped terms is above the truth",
                    batches(true), 30, 400, answer(with), answer("birrell2024.thm_3_6_capped")),
        at_most_law("law.eq_120.below_exact", "birrell2024 (120) is below the exact value",
                    batches(false), 30, 400, answer("birrell2024.eq_120"), answer(with)),
        at_most_law("law.thm_3_7_truncated.below_exact",
                    "birrell2024's sum over fewer index sets is below the exact value",
                    Space{{{"alpha", Scale::linear, 2, 6, true, {2, 3, 4}},
                           noise_dimension("sigma", 0.5, 100.0),
                           count_dimension("B", 2, 12, {2, 3, 8}),
                           count_dimension("D", 3, 1e5, {4, 13, 1000}),
                           count_dimension("K", 1, 12, {1, 2, 3})},
                          [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }},
                    30, 300, truncated, answer(with)),
    };
}

std::vector<Check> moments() {
    const Space odd{{noise_dimension("sigma", 0.1, 5000.0),
                     {"j", Scale::logarithmic, 3, 61, true, {3, 5, 7, 21, 61}}},
                    [](const Point& p) { return p.integer("j") % 2 == 1; }};
    const auto even = [](double shift) {
        return answer("birrell2024.log_M", [=](Point& p) { p.set("k", p["j"] + shift); });
    };
    return {
        at_most_law("law.moments.odd_between_even",
                    "E|X-1|^j is log-convex in j: an odd moment is below its even neighbours' mean",
                    odd, 60, 800, answer("exact.log_absolute_moment"),
                    [even](const Point& p) { return (even(-1.0)(p) + even(1.0)(p)) / 2.0; }),
        at_most_law("law.moments.signed_below_absolute", "|E(X-1)^j| <= E|X-1|^j", odd, 60, 800,
                    even(0.0), answer("exact.log_absolute_moment")),
    };
}

}  // namespace

std::vector<Check> bound_laws() {
    return joined({without_replacement, with_replacement, moments});
}

}  // namespace assay::verify
