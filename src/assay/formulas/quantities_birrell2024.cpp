#include "assay/formulas/quantities.hpp"
#include "assay/rdp/gradient_variance.hpp"
#include "assay/rdp/taylor_add_remove.hpp"
#include "assay/rdp/taylor_moments.hpp"
#include "assay/rdp/taylor_replace_one.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr Parameter moment_k{"k", ParameterType::integer, moment, "1"};
constexpr Parameter moment_j{"j", ParameterType::integer, moment, "1"};
constexpr Parameter coefficient_k{"k", ParameterType::integer, coefficient, "1"};
constexpr Parameter gradients{"a", ParameterType::number_list, finite, "gradient"};
constexpr Parameter batch{
    "B", ParameterType::integer,
    Domain{"an integer from 1 to the length of a", [](double b) { return b >= 1.0 && b <= 1e6; }},
    "records"};

/// A bound of four parameters, as `theorem_3_4_rdp` and its kin.
using TaylorBound = Enclosure (*)(double order, double noise_multiplier, int terms, double q);

template <TaylorBound bound>
Answer evaluate(const Arguments& a) {
    return bound(a.number("alpha"), a.number("sigma"), a.small("m"), a.number("q"));
}

}  // namespace

std::vector<Quantity> birrell2024_taylor_quantities() {
    return {
        {"birrell2024.log_M",
         {sigma, moment_k},
         "log M_k, M_k = E[(e^(cz - c^2/2) - 1)^k], c = 2/sigma",
         "birrell2024 (44)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return log_taylor_moment(a.number("sigma"), a.small("k"));
         }},
        {"birrell2024.log_B_tilde",
         {sigma, moment_j},
         "log B~_j: M_j for even j, sqrt(M_(j-1) M_(j+1)) for odd j",
         "birrell2024 (47)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return log_absolute_moment_bound(a.number("sigma"), a.small("j"));
         }},
        {"birrell2024.log_R_bound",
         {alpha, sigma, m, q},
         "log of the bound on the Taylor remainder of H, with B~",
         "birrell2024 (50), (54)",
         trivial::line,
         evaluate<log_taylor_remainder_bound>},
        {"birrell2024.thm_3_3",
         {alpha, sigma, m, q},
         "log[1 + sum_(k=2)^(m-1) C(alpha,k) q^k M_k + R~_m] / (alpha-1)",
         "birrell2024 Theorem 3.3",
         trivial::half_line,
         evaluate<theorem_3_3_rdp>},
        {"birrell2024.log_F_tilde",
         {alpha, sigma, coefficient_k},
         "log F~_k, the bound on the k-th Taylor coefficient under replace-one",
         "birrell2024 (83)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return log_coefficient_bound(a.number("alpha"), a.number("sigma"), a.small("k"));
         }},
        {"birrell2024.log_E_tilde",
         {alpha, sigma, m, q},
         "log E~_m(q), the bound on the Taylor remainder under replace-one",
         "birrell2024 (90)",
         trivial::line,
         evaluate<log_replace_one_remainder_bound>},
        {"birrell2024.thm_3_4",
         {alpha, sigma, m, q},
         "log[1 + q^2 alpha (alpha-1) (e^(4/sigma^2) - e^(2/sigma^2)) + sum_(k=3)^(m-1) q^k/k! "
         "F~_k "
         "+ E~_m(q)] / (alpha-1)",
         "birrell2024 Theorem 3.4",
         trivial::half_line,
         evaluate<theorem_3_4_rdp>,
         [](std::span<const double> orders, const Arguments& a) {
             return theorem_3_4_rdp(orders, a.number("sigma"), a.small("m"), a.number("q"));
         }},
        {"birrell2024.thm_c_9_as_printed",
         {alpha, sigma, m, q},
         "log[1 + q^2 alpha (alpha-1) (e^(1/sigma^2) - e^(-1/sigma^2)) + sum_(k=3)^(m-1) q^k/k! "
         "F~_k + E~_m(q)] / (alpha-1), F~ and E~ at 2 sigma; no upper bound for large m",
         "birrell2024 Theorem C.9, as printed",
         trivial::half_line,
         evaluate<theorem_c_9_as_printed_rdp>},
        {"birrell2024.thm_c_9_repaired",
         {alpha, sigma, m, q},
         "the same with the first family of integrals in (80) bounded at its own distances",
         "birrell2024 Theorem C.9, repaired in docs/proofs.md",
         trivial::half_line,
         evaluate<theorem_c_9_repaired_rdp>},
    };
}

std::vector<Quantity> birrell2024_variance_quantities() {
    return {
        {"birrell2024.variance_poisson",
         {gradients, batch},
         "(1/B - 1/D) (1/D) sum a_i^2, D = length of a",
         "birrell2024 (143)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return variance_poisson(a.numbers("a"), a.small("B"));
         }},
        {"birrell2024.variance_with_replacement",
         {gradients, batch},
         "(1/(B D)) sum (a_i - mean a)^2",
         "birrell2024 (143)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return variance_with_replacement(a.numbers("a"), a.small("B"));
         }},
        {"birrell2024.variance_without_replacement",
         {gradients, batch},
         "(1/B - 1/D) (1/(D-1)) sum (a_i - mean a)^2",
         "birrell2024 (144)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return variance_without_replacement(a.numbers("a"), a.small("B"));
         }},
    };
}

}  // namespace assay::formulas
