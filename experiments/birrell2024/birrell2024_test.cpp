#include "experiments/birrell2024/birrell2024.hpp"

#include <catch2/catch.hpp>

using namespace assay;
using namespace assay::experiments;

namespace {

FigureResult run(FigureResult (*figure)(const Params&), const std::string& stem) {
    return figure(Params::from_file("experiments/birrell2024/" + stem + ".toml"));
}

/// The y of the row at which x is within rounding of `x`.
double value(const Table& table, const std::string& series, double x) {
    const auto xs = table.values(series, "x");
    const auto ys = table.values(series, "y");
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (xs[i] == Approx(x).epsilon(1e-14)) return ys[i];
    FAIL(series << " has no row at " << x);
    return 0.0;
}

Approx exactly_about(double expected) {
    return Approx(expected).epsilon(1e-12);
}

}  // namespace

// The numbers come from a program of its own at 45 digits: the papers' formulas as they are
// printed, (44) at 80 digits, plain trapezoid sums for the exact curves.

TEST_CASE("Figures 2, 6 and 7 carry independently computed values", "[birrell2024]") {
    const double last = 64.0957344480193;  // 1 + 10^1.8
    const auto fig02 =
        run(birrell2024::run_fig02_replace_one_bounds, "fig02_replace_one_bounds").table;
    CHECK(value(fig02, "theorem_3_4_m5", last) == exactly_about(2.5135192025969559305e-5));
    CHECK(value(fig02, "wang_lower", 64.0) == exactly_about(2.2063754290399687255e-5));
    const auto fig06 =
        run(birrell2024::run_fig06_add_remove_bound_by_m, "fig06_add_remove_bound_by_m").table;
    CHECK(value(fig06, "theorem_3_3_m3", last) == exactly_about(2.336946871274356554e-5));
    const auto fig07 = run(birrell2024::run_fig07_fixed_size_and_poisson_at_high_orders,
                           "fig07_fixed_size_and_poisson_at_high_orders")
                           .table;
    CHECK(value(fig07, "theorem_c_9_as_printed", 60.0) == exactly_about(1.9421999529873974548e-5));
}

TEST_CASE("Figures 3 and 4 carry independently computed values", "[birrell2024]") {
    const auto fig03 = run(birrell2024::run_fig03_epsilon_by_delta, "fig03_epsilon_by_delta").table;
    CHECK(value(fig03, "exact", 1e-5) == exactly_about(1.0835400951769510831));
    CHECK(value(fig03, "theorem_3_4_m4", 1e-5) == exactly_about(1.1180702151825925689));
    CHECK(value(fig03, "wang_upper", 1e-5) == exactly_about(2.3585790535706744821));
    const auto fig04 = run(birrell2024::run_fig04_epsilon_fixed_size_and_poisson,
                           "fig04_epsilon_fixed_size_and_poisson")
                           .table;
    CHECK(value(fig04, "exact_poisson", 1e-5) == exactly_about(1.0485323464017837021));
    CHECK(value(fig04, "theorem_c_9_as_printed", 1e-5) == exactly_about(1.0506760426740367116));
    CHECK(value(fig04, "theorem_c_9_repaired", 1e-5) == exactly_about(1.0619702459889567588));
}

TEST_CASE("Figures 1, 8 and 9 carry independently computed values", "[birrell2024]") {
    const auto fig01 = run(birrell2024::run_fig01_with_replacement_lower_bounds,
                           "fig01_with_replacement_lower_bounds")
                           .table;
    CHECK(value(fig01, "lower_bound_b80", 4.0) == exactly_about(217.97884048243116025));
    CHECK(value(fig01, "exact_b80", 4.0) == exactly_about(217.97884048243116025));
    const auto fig08 = run(birrell2024::run_fig08_with_replacement_by_batch_size,
                           "fig08_with_replacement_by_batch_size")
                           .table;
    CHECK(value(fig08, "lower_bound_sigma_2", 200.0) == exactly_about(35117.570941787930508));
    CHECK(value(fig08, "exact_sigma_2", 200.0) == exactly_about(35117.570941787930508));
    const auto fig09 =
        run(birrell2024::run_fig09_with_replacement_bounds, "fig09_with_replacement_bounds").table;
    CHECK(value(fig09, "theorem_3_6", 1.001) == exactly_about(3.3940336518045013918e-7));
}
