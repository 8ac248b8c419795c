#include "assay/formulas/quantities.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/with_replacement_bounds.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr Parameter index_set{"T", ParameterType::integer_list, counts, "copies of a record"};

/// A bound of six parameters: `theorem_3_6_rdp` and its capped counterpart.
using MixtureBound = Enclosure (*)(double order, double noise_multiplier, int terms,
                                   std::int64_t batch, std::int64_t dataset, std::int64_t copies);

template <MixtureBound bound>
Answer evaluate(const Arguments& a) {
    return bound(a.number("alpha"), a.number("sigma"), a.small("m"), a.integer("B"), a.integer("D"),
                 a.integer("K"));
}

}  // namespace

std::vector<Quantity> birrell2024_with_replacement_quantities() {
    return {
        {"birrell2024.q_tilde",
         {B, D, K},
         "(1 + a_0 / sum_(n=1)^K a_n)^(-1), a_n = Bin(n; B, 1/D)",
         "birrell2024 (113) with equality",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return effective_sampling_probability(a.integer("B"), a.integer("D"), a.integer("K"));
         }},
        {"birrell2024.thm_3_6",
         {alpha, sigma, m, B, D, K},
         "log[1 + sum_(n<=K) a~_n (H^bound_n - 1) + sum_(n>K) a_n (e^(2 alpha (alpha-1) "
         "n^2/sigma^2) - 1)] / (alpha-1)",
         "birrell2024 Theorem 3.6 as (112), minimal q~",
         trivial::half_line,
         evaluate<theorem_3_6_rdp>},
        {"birrell2024.thm_3_6_capped",
         {alpha, sigma, m, B, D, K},
         "the same with each H^bound_n - 1 capped by e^(2 alpha (alpha-1) n^2/sigma^2) - 1",
         "birrell2024 Theorem 3.6 as (112), capped",
         trivial::half_line,
         evaluate<theorem_3_6_capped_rdp>},
        {"birrell2024.thm_3_6_exact_h",
         {alpha, sigma, B, D, K},
         "the same with the exact H in place of its Taylor bound",
         "birrell2024 Theorem 3.6 as (112), exact H",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return theorem_3_6_exact_h_rdp(a.number("alpha"), a.number("sigma"), a.integer("B"),
                                            a.integer("D"), a.integer("K"));
         }},
        {"birrell2024.thm_3_7",
         {integer_alpha, sigma, B, D},
         "log of the sum over (n_1..n_alpha) / (alpha-1): the exact value at integer alpha",
         "birrell2024 Theorem 3.7, (17)",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return fixed_size_with_replacement_rdp(a.number("alpha"), a.number("sigma"),
                                                    a.integer("B"), a.integer("D"));
         }},
        {"birrell2024.thm_3_7_truncated",
         {integer_alpha, sigma, B, D, index_set},
         "log F_(T,alpha)(4/sigma^2, 0) / (alpha-1), T_k = T for k > 2, T_2 = {0..B}",
         "birrell2024 (124)-(126)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return theorem_3_7_truncated_rdp(a.small("alpha"), a.number("sigma"), a.integer("B"),
                                              a.integer("D"), a.integers("T"));
         }},
        {"birrell2024.eq_120",
         {alpha, sigma, B, D},
         "alpha B/(alpha-1) (2 B (alpha-1)/sigma^2 - log D)",
         "birrell2024 (120)",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return equation_120_rdp(a.number("alpha"), a.number("sigma"), a.integer("B"),
                                     a.integer("D"));
         }},
    };
}

}  // namespace assay::formulas
