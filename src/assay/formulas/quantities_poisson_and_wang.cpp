#include "assay/formulas/quantities.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

Answer evaluate_theorem_11(const Arguments& a) {
    const Theorem11 theorem = theorem_11(a.number("alpha"), a.number("s"), a.number("q"));
    Answer answer = theorem.rdp;
    answer.more.emplace_back("applies", theorem.applies);
    answer.more.emplace_back("rhs4", theorem.condition_4);
    answer.more.emplace_back("rhs5", theorem.condition_5);
    return answer;
}

}  // namespace

std::vector<Quantity> wang2019_quantities() {
    return {
        {"wang2019.upper",
         {alpha, sigma, q},
         "log[1 + 2 q^2 alpha (alpha-1) (e^(4/sigma^2) - 1) + sum_(j=3)^alpha 2 C(alpha,j) q^j "
         "e^(2j(j-1)/sigma^2)] / (alpha-1), interpolated between integers",
         "wang2019 Theorem 9 as birrell2024 (127)-(132), epsilon(j) = 2j/sigma^2",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return wang_upper_rdp(a.number("alpha"), a.number("sigma"), a.number("q"));
         }},
        {"wang2019.lower",
         {integer_alpha, sigma, q},
         "log[sum_j C(alpha,j) (1-q)^(alpha-j) q^j e^(2j(j-1)/sigma^2)] / (alpha-1)",
         "wang2019 Proposition 11 as birrell2024 (133)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return wang_lower_rdp(a.small("alpha"), a.number("sigma"), a.number("q"));
         }},
    };
}

std::vector<Quantity> mironov2019_quantities() {
    return {
        {"mironov2019.thm_11",
         {alpha, s, q},
         "2 q^2 alpha / s^2; also whether the theorem applies and the right sides of (4), (5)",
         "mironov2019 Theorem 11",
         trivial::half_line,
         evaluate_theorem_11},
        {"mironov2019.fractional_series",
         {alpha, s, q},
         "log A_alpha / (alpha-1) by the series in erfc",
         "mironov2019 Section 3.3",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             // The series and the integral are the same number; far in the tails one is sharper.
             const double order = a.number("alpha");
             const double noise = a.number("s");
             const double probability = a.number("q");
             return intersect(poisson_fractional_series_rdp(order, noise, probability),
                              poisson_add_remove_rdp(order, noise, probability));
         }},
    };
}

}  // namespace assay::formulas
