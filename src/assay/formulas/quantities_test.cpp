#include "assay/formulas/quantities.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace assay;
using namespace assay::formulas;

TEST_CASE("the table has every quantity of the machine interface, once", "[formulas]") {
    const std::set<std::string_view> expected{"exact.fixed_size_without_replacement",
                                              "exact.fixed_size_without_replacement_reverse",
                                              "exact.fixed_size_with_replacement",
                                              "exact.poisson_add_remove",
                                              "exact.poisson_add_remove_reverse",
                                              "exact.poisson_replace_one",
                                              "exact.replace_one_collinear",
                                              "exact.replace_one_equilateral",
                                              "exact.replace_one_equilateral_attainable",
                                              "exact.log_absolute_moment",
                                              "exact.second_order_coefficient",
                                              "profile.fixed_size_replace_one",
                                              "birrell2024.second_order_coefficient",
                                              "birrell2024.log_M",
                                              "birrell2024.log_B_tilde",
                                              "birrell2024.log_R_bound",
                                              "birrell2024.log_F_tilde",
                                              "birrell2024.log_E_tilde",
                                              "birrell2024.thm_3_3",
                                              "birrell2024.thm_3_4",
                                              "birrell2024.thm_c_9_as_printed",
                                              "birrell2024.q_tilde",
                                              "birrell2024.thm_3_6",
                                              "birrell2024.thm_3_6_capped",
                                              "birrell2024.thm_3_6_exact_h",
                                              "birrell2024.thm_3_7",
                                              "birrell2024.thm_3_7_truncated",
                                              "birrell2024.eq_120",
                                              "birrell2024.variance_poisson",
                                              "birrell2024.variance_with_replacement",
                                              "birrell2024.variance_without_replacement",
                                              "wang2019.upper",
                                              "wang2019.lower",
                                              "mironov2019.thm_11",
                                              "mironov2019.fractional_series",
                                              "convert.mironov2017_prop_3",
                                              "convert.balle2020_thm_21",
                                              "convert.canonne2020",
                                              "convert.canonne2020_delta",
                                              "epsilon.over_orders",
                                              "rrrr.response_probability",
                                              "rrrr.epsilon_2",
                                              "rrrr.response_marginal",
                                              "utility.fisher_information",
                                              "utility.entropy",
                                              "utility.posterior_total_variation",
                                              "utility.marginal_total_variation",
                                              "utility.mean_squared_error",
                                              "utility.honest_response",
                                              "rrrr.trace_inverse_fisher_drop_smallest",
                                              "rrrr.trace_inverse_fisher_drop_last",
                                              "rrrr.trace_full_covariance",
                                              "rrrr.fisher_determinant",
                                              "rrrr.response_matrix_determinant",
                                              "best_k.fisher_information",
                                              "best_k.entropy",
                                              "best_k.posterior_total_variation",
                                              "best_k.marginal_total_variation",
                                              "best_k.mean_squared_error",
                                              "best_k.honest_response",
                                              "rrrr.honest_probability_geometric",
                                              "srr.honest_probability",
                                              "posterior.gradient_phi",
                                              "posterior.log_likelihood",
                                              "rrrr.max_log_ratio",
                                              "rrrr.max_log_ratio_as_released",
                                              "posterior.mean",
                                              "posterior.variance",
                                              "posterior.log_marginal_likelihood"};
    std::set<std::string_view> found;
    for (const Quantity& quantity : all_quantities()) CHECK(found.insert(quantity.name).second);
    for (const std::string_view name : expected) {
        INFO(name);
        CHECK(found.contains(name));
    }
    CHECK(find_quantity("exact.nothing") == nullptr);
}

TEST_CASE("every entry is complete", "[formulas]") {
    for (const Quantity& quantity : all_quantities()) {
        INFO(quantity.name);
        CHECK_FALSE(quantity.formula.empty());
        CHECK_FALSE(quantity.source.empty());
        CHECK(quantity.evaluate != nullptr);
        CHECK(quantity.trivial_value.lower < quantity.trivial_value.upper);
        std::set<std::string_view> names;
        for (const Parameter& parameter : quantity.parameters) {
            INFO(parameter.name);
            CHECK(names.insert(parameter.name).second);
            CHECK_FALSE(parameter.domain.text.empty());
            if (parameter.type != ParameterType::text) CHECK_FALSE(parameter.unit.empty());
        }
        CHECK_FALSE(names.empty());
    }
}

TEST_CASE("a shared curve gives the numbers of its single orders", "[formulas]") {
    Arguments point;
    point.set("sigma", 6.0);
    point.set("s", 6.0);
    point.set("q", 0.0024);
    point.set("m", 4.0);
    const std::vector<double> orders{1.1, 2.0, 10.5, 63.0};
    int curves = 0;
    for (const Quantity& quantity : all_quantities()) {
        if (!is_curve(quantity)) continue;
        ++curves;
        INFO(quantity.name);
        const auto values = evaluate_curve(quantity, orders, point);
        REQUIRE(values.size() == orders.size());
        for (std::size_t i = 0; i < orders.size(); ++i) {
            Arguments single = point;
            single.set("alpha", orders[i]);
            const Enclosure value = quantity.evaluate(single).values.front();
            CHECK_NOTHROW(intersect(values[i], value));
            CHECK(values[i].relative_width() < 1e-9);
        }
    }
    CHECK(curves >= 10);
}

TEST_CASE("orders after the deadline get the trivial value", "[formulas]") {
    Arguments point;
    point.set("s", 6.0);
    point.set("q", 0.0024);
    point.deadline = ThreadClock::now();
    const std::vector<double> orders{2.0, 3.0};
    const auto values = evaluate_curve(*find_quantity("exact.poisson_add_remove"), orders, point);
    CHECK(values == std::vector<Enclosure>(2, trivial::half_line));
}
