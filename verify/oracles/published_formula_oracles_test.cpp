#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "verify/oracles/oracle.hpp"

using namespace assay::verify;

TEST_CASE("every published formula is listed once") {
    std::multiset<std::string> quantities;
    for (const Oracle& oracle : published_formula_oracles()) {
        quantities.insert(std::string(oracle.quantity));
        CHECK_FALSE(oracle.method.empty());
        CHECK(oracle.evaluate != nullptr);
    }
    CHECK(quantities == std::multiset<std::string>{"birrell2024.eq_120",
                                                   "birrell2024.log_B_tilde",
                                                   "birrell2024.log_E_tilde",
                                                   "birrell2024.log_F_tilde",
                                                   "birrell2024.log_M",
                                                   "birrell2024.log_R_bound",
                                                   "birrell2024.q_tilde",
                                                   "birrell2024.second_order_coefficient",
                                                   "birrell2024.thm_3_3",
                                                   "birrell2024.thm_3_4",
                                                   "birrell2024.thm_3_6",
                                                   "birrell2024.thm_3_6_capped",
                                                   "birrell2024.thm_3_6_exact_h",
                                                   "birrell2024.thm_3_7_truncated",
                                                   "birrell2024.thm_c_9_as_printed",
                                                   "birrell2024.thm_c_9_repaired",
                                                   "chua2025.c_eps_add",
                                                   "chua2025.c_eps_remove",
                                                   "chua2025.eq_6",
                                                   "chua2025.event_probability_add",
                                                   "chua2025.event_probability_remove",
                                                   "chua2025.kl_upper_confidence",
                                                   "chua2025.shuffle_lower",
                                                   "convert.balle2020_thm_21",
                                                   "convert.canonne2020",
                                                   "convert.canonne2020_delta",
                                                   "convert.mironov2017_prop_3",
                                                   "exact.deterministic_delta",
                                                   "exact.log_absolute_moment",
                                                   "exact.second_order_coefficient",
                                                   "gaussian.delta",
                                                   "gaussian.epsilon",
                                                   "mironov2019.thm_11",
                                                   "mironov2019.thm_11.rhs4",
                                                   "mironov2019.thm_11.rhs5",
                                                   "one_step.delta_add",
                                                   "one_step.delta_remove",
                                                   "one_step.epsilon",
                                                   "order_statistics.mean_log_uniform",
                                                   "wang2019.lower",
                                                   "wang2019.upper"});
}
