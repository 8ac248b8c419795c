#include "assay/formulas/quantities.hpp"
#include "assay/rdp/absolute_moment.hpp"
#include "assay/rdp/replace_one_pairs.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr Parameter x{"x", ParameterType::number, finite, "c = 2/sigma"};
constexpr Parameter y{"y", ParameterType::number, finite, "c = 2/sigma"};
constexpr Parameter odd_j{"j", ParameterType::integer, odd_moment, "1"};

}  // namespace

std::vector<Quantity> replace_one_pair_quantities() {
    return {
        {"exact.replace_one_collinear",
         {alpha, sigma, q, x, y},
         "D_alpha(q N_(xc) + (1-q) N_0 || q N_(yc) + (1-q) N_0) on the line, c = 2/sigma",
         "birrell2024 Appendix C, collinear differences",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return replace_one_collinear_rdp(a.number("alpha"), a.number("sigma"), a.number("q"),
                                              a.number("x"), a.number("y"));
         }},
        {"exact.replace_one_equilateral",
         {alpha, sigma, q},
         "the same in the plane with the means c(1, 0) and c(1/2, sqrt(3)/2)",
         "birrell2024 (60), the extreme of its constraints (not attainable)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return replace_one_equilateral_rdp(a.number("alpha"), a.number("sigma"),
                                                a.number("q"));
         }},
        {"exact.replace_one_equilateral_attainable",
         {alpha, sigma, q},
         "the same in the plane with the means c(sqrt(3)/2, 0) and c(sqrt(3)/4, 3/4)",
         "docs/proofs.md, fixed-size sampling under replace-one",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return replace_one_equilateral_attainable_rdp(a.number("alpha"), a.number("sigma"),
                                                           a.number("q"));
         }},
        {"exact.second_order_coefficient",
         {sigma},
         "(e^(4/sigma^2) - 1)/2",
         "docs/proofs.md, fixed-size sampling under replace-one",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return exact_second_order_coefficient(a.number("sigma"));
         }},
        {"birrell2024.second_order_coefficient",
         {sigma},
         "e^(4/sigma^2) - e^(2/sigma^2)",
         "birrell2024 Theorem 3.4",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return birrell2024_second_order_coefficient(a.number("sigma"));
         }},
        {"exact.log_absolute_moment",
         {sigma, odd_j},
         "log E|X_c - 1|^j, X_c = e^(cz - c^2/2), c = 2/sigma",
         "birrell2024 (45)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return log_absolute_moment(a.number("sigma"), a.small("j"));
         }},
    };
}

}  // namespace assay::formulas
