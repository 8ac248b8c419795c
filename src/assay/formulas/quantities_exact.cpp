#include "assay/formulas/quantities.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/profile_bound.hpp"
#include "assay/rdp/sampled_gaussian.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;
using Orders = std::span<const double>;

}  // namespace

std::vector<Quantity> exact_quantities() {
    return {
        {"exact.fixed_size_without_replacement",
         {alpha, sigma, q},
         "log E[(1-q + q e^(cz - c^2/2))^alpha] / (alpha-1), z ~ N(0,1), c = 2/sigma",
         "birrell2024 (7)-(8)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return fixed_size_without_replacement_rdp(a.number("alpha"), a.number("sigma"),
                                                       a.number("q"));
         },
         [](Orders orders, const Arguments& a) {
             return fixed_size_without_replacement_rdp(orders, a.number("sigma"), a.number("q"));
         }},
        {"exact.fixed_size_without_replacement_reverse",
         {alpha, sigma, q},
         "D_alpha(N_0 || q N_c + (1-q) N_0), c = 2/sigma",
         "birrell2024 (7)-(8), the addition direction",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return fixed_size_without_replacement_addition_rdp(a.number("alpha"),
                                                                a.number("sigma"), a.number("q"));
         }},
        {"exact.fixed_size_with_replacement",
         {alpha, sigma, B, D},
         "log E[V^alpha] / (alpha-1), V = sum_n Bin(n; B, 1/D) e^(ncz - n^2 c^2/2), c = 2/sigma",
         "birrell2024 (115)-(116), the removal direction",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return fixed_size_with_replacement_rdp(a.number("alpha"), a.number("sigma"),
                                                    a.integer("B"), a.integer("D"));
         }},
        {"exact.fixed_size_with_replacement_reverse",
         {alpha, sigma, B, D},
         "log E[V^(1-alpha)] / (alpha-1), V as for exact.fixed_size_with_replacement",
         "birrell2024 (115), the addition direction",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return fixed_size_with_replacement_addition_rdp(a.number("alpha"), a.number("sigma"),
                                                             a.integer("B"), a.integer("D"));
         }},
        {"exact.poisson_add_remove",
         {alpha, s, q},
         "log A_alpha / (alpha-1), A_alpha = E[(1-q + q e^((2x-1)/(2s^2)))^alpha], x ~ N(0,s^2)",
         "mironov2019 Section 3.3",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return poisson_add_remove_rdp(a.number("alpha"), a.number("s"), a.number("q"));
         }},
        {"exact.poisson_add_remove_reverse",
         {alpha, s, q},
         "log B_alpha / (alpha-1), B_alpha = E_mu[(mu_0/mu)^alpha], mu = (1-q) N(0,s^2) + q "
         "N(1,s^2)",
         "mironov2019 Section 3",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return poisson_addition_rdp(a.number("alpha"), a.number("s"), a.number("q"));
         }},
        {"exact.poisson_replace_one",
         {alpha, sigma, q},
         "D_alpha(q N_u + (1-q) N_0 || q N_(-u) + (1-q) N_0), |u| = 1/sigma",
         "docs/proofs.md, Poisson sampling under replace-one",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return poisson_replace_one_rdp(a.number("alpha"), a.number("sigma"), a.number("q"));
         }},
        {"profile.fixed_size_replace_one",
         {alpha, sigma, q},
         "log(1 + E[(W^alpha + W^(1-alpha) - W - 1) 1{W > 1}]) / (alpha-1), W = 1-q + q e^(cz - "
         "c^2/2), c = 2/sigma",
         "docs/proofs.md, profile bound of fixed-size sampling under replace-one",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return profile_bound_rdp(a.number("alpha"), a.number("sigma"), a.number("q"));
         }},
    };
}

}  // namespace assay::formulas
