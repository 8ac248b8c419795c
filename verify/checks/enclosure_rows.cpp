#include <fmt/format.h>
#include <algorithm>

#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

namespace {

constexpr double exact_width = 1e-11;   // of exact, profile and conversion answers
constexpr double formula_width = 1e-9;  // of the papers' formulas
constexpr double any_width = std::numeric_limits<double>::infinity();

struct Route {
    const char* quantity;
    Method method;
    Space space;
    double widest;
    int quick;
    int full;
    const char* region = "";  // tells two rows of one quantity and method apart
};

Check row_of(const Route& route) {
    Check row;
    row.id = fmt::format("{}.encloses_{}{}", route.quantity, to_string(route.method), route.region);
    row.claim = fmt::format(
        "the answer {} contains the exact value{}", route.quantity,
        route.widest < 1.0 ? fmt::format(" and is no wider than {:g} of it", route.widest) : "");
    row.subject = fmt::format("library: {}", route.quantity);
    row.oracle = oracle_name(route.quantity, route.method);
    row.relation = Relation::encloses;
    row.space = route.space;
    row.quick_points = route.quick;
    row.full_points = route.full;
    row.evaluate = library_subject(route.quantity);
    row.truth = oracle_truth(route.quantity, route.method);
    row.widest = route.widest;
    return row;
}

/// Two oracles at one point: their difference has to contain 0.
Check overlap_row(const char* quantity, Method first, Method second, Space space, int quick,
                  int full) {
    Check row;
    row.id = fmt::format("{}.routes_{}_{}", quantity, to_string(first), to_string(second));
    row.claim = fmt::format("two independent oracles of {} overlap at 128 bits", quantity);
    row.subject = "zero";
    row.oracle = fmt::format("{} minus {}", oracle_name(quantity, first), to_string(second));
    row.relation = Relation::overlaps;
    row.space = std::move(space);
    row.quick_points = quick;
    row.full_points = full;
    row.evaluate = [](const Point&) { return Enclosure{0.0, 0.0}; };
    row.truth = [a = oracle_truth(quantity, first), b = oracle_truth(quantity, second)](
                    const Point& point, long bits) {
        return a(point, std::max(bits, 128L)) - b(point, std::max(bits, 128L));
    };
    return row;
}

bool smaller_batch(const Point& point) {
    return point["B"] < point["D"];
}

Space line(const char* noise, double top_order = 1e4) {
    return {
        {order_dimension(1.0 + 1e-6, top_order), noise_dimension(noise), probability_dimension()},
        {}};
}

/// Where people work: the answers have to be sharp there.
Space ordinary(const char* noise) {
    return {{order_dimension(1.001, 256.0), noise_dimension(noise, 0.5, 100.0),
             probability_dimension(1e-6, 0.999)},
            {}};
}

Space integer_orders(const char* noise, double top_order = 256.0) {
    return {{integer_order_dimension(top_order), noise_dimension(noise), probability_dimension()},
            {}};
}

Space batches(Dimension order, double largest_batch) {
    return {{std::move(order), noise_dimension("sigma", 0.3, 1000.0),
             count_dimension("B", 1, largest_batch, {1, 2, 3, 30, 120}),
             count_dimension("D", 2, 1e6, {2, 3, 4, 31, 121, 50000})},
            smaller_batch};
}

Space taylor(Dimension order, double top_terms = 64.0) {
    return {
        {std::move(order), noise_dimension(), terms_dimension(top_terms), probability_dimension()},
        {}};
}

Space conversion(const char* last, double low, double high) {
    return {{order_dimension(), positive_dimension("rdp", 1e-12, 1e4, {0.0, 1e-9, 0.1, 1.0, 30.0}),
             positive_dimension(last, low, high)},
            {}};
}

std::vector<Route> exact_routes() {
    const Space pairs{{order_dimension(1.001, 64.0), noise_dimension("sigma", 0.3, 100.0),
                       probability_dimension(1e-6, 0.999),
                       linear_dimension("x", -1.0, 1.0, {-1.0, -0.5, 0.0, 0.5, 1.0}),
                       linear_dimension("y", -1.0, 1.0, {-1.0, -0.5, 0.0, 0.5, 1.0})},
                      [](const Point& p) { return std::abs(p["x"] - p["y"]) <= 1.0; }};
    const Space plane{{order_dimension(1.01, 16.0), noise_dimension("sigma", 1.0, 50.0),
                       probability_dimension(1e-4, 0.9)},
                      {}};
    const Space moments{{noise_dimension("sigma", 0.1, 1000.0),
                         {"j", Scale::logarithmic, 1, 61, true, {1, 3, 5, 7, 21, 61}}},
                        [](const Point& p) { return p.integer("j") % 2 == 1; }};
    std::vector<Route> routes;
    for (const char* name :
         {"exact.fixed_size_without_replacement", "exact.fixed_size_without_replacement_reverse"}) {
        routes.push_back({name, Method::trapezoid, line("sigma"), any_width, 60, 600, ""});
        routes.push_back(
            {name, Method::trapezoid, ordinary("sigma"), exact_width, 120, 2000, "_ordinary"});
        routes.push_back({name, Method::arb, ordinary("sigma"), exact_width, 60, 1000});
    }
    for (const auto& [name, noise] : {std::pair{"exact.poisson_add_remove", "s"},
                                      std::pair{"exact.poisson_add_remove_reverse", "s"},
                                      std::pair{"exact.poisson_replace_one", "sigma"}}) {
        routes.push_back({name, Method::trapezoid, line(noise), any_width, 60, 600, ""});
        routes.push_back(
            {name, Method::trapezoid, ordinary(noise), exact_width, 120, 2000, "_ordinary"});
        routes.push_back({name, Method::arb, ordinary(noise), exact_width, 60, 1000});
    }
    routes.push_back(
        {"profile.fixed_size_replace_one", Method::arb, ordinary("sigma"), exact_width, 60, 1000});
    routes.push_back({"exact.fixed_size_without_replacement", Method::sum, integer_orders("sigma"),
                      any_width, 200, 3000});
    routes.push_back(
        {"exact.poisson_add_remove", Method::sum, integer_orders("s"), any_width, 200, 3000});
    for (const char* name :
         {"exact.fixed_size_with_replacement", "exact.fixed_size_with_replacement_reverse"}) {
        routes.push_back({name, Method::trapezoid, batches(order_dimension(1.001, 1000.0), 300),
                          any_width, 80, 1500, ""});
        routes.push_back(
            {name, Method::arb, batches(order_dimension(1.01, 64.0), 200), any_width, 30, 400});
    }
    routes.push_back({"exact.fixed_size_with_replacement", Method::sum,
                      batches(integer_order_dimension(6.0), 30), any_width, 80, 1000});
    routes.push_back({"birrell2024.thm_3_7", Method::sum, batches(integer_order_dimension(6.0), 12),
                      any_width, 60, 600});
    routes.push_back(
        {"exact.replace_one_collinear", Method::trapezoid, pairs, any_width, 120, 1500});
    routes.push_back({"exact.replace_one_collinear", Method::arb, pairs, any_width, 50, 600});
    routes.push_back(
        {"exact.replace_one_equilateral", Method::trapezoid, plane, any_width, 10, 80});
    routes.push_back(
        {"exact.replace_one_equilateral_attainable", Method::trapezoid, plane, any_width, 10, 80});
    routes.push_back(
        {"exact.log_absolute_moment", Method::trapezoid, moments, any_width, 80, 1000});
    routes.push_back({"exact.log_absolute_moment", Method::arb, moments, any_width, 60, 600});
    return routes;
}

std::vector<Route> formula_routes() {
    const Dimension order = order_dimension(1.0 + 1e-6, 512.0);
    const Space second{{noise_dimension("sigma", 0.08, 1e4)}, {}};
    const Space noise_k{
        {noise_dimension(), {"k", Scale::linear, 0, 64, true, {0, 1, 2, 3, 16, 64}}}, {}};
    const Space noise_j{{noise_dimension(), {"j", Scale::linear, 1, 63, true, {1, 2, 3, 16, 63}}},
                        {}};
    const Space order_k{
        {order, noise_dimension(), {"k", Scale::linear, 3, 64, true, {3, 4, 5, 64}}}, {}};
    const Space wang{
        {order_dimension(1.0 + 1e-6, 256.0), noise_dimension(), probability_dimension()}, {}};
    Space capped = batches(integer_order_dimension(32.0), 60);
    capped.dimensions.push_back({"m", Scale::linear, 3, 12, true, {3, 4, 5}});
    capped.dimensions.push_back({"K", Scale::logarithmic, 1, 60, true, {1, 2, 3}});
    capped.admits = [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; };
    Space exact_h = capped;
    std::erase_if(exact_h.dimensions, [](const Dimension& d) { return d.name == "m"; });
    Space mixing{{count_dimension("B", 1, 2000, {1, 2, 30, 120}),
                  count_dimension("D", 2, 1e9, {2, 121, 50000}),
                  {"K", Scale::logarithmic, 1, 2000, true, {1, 2, 3, 120}}},
                 [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }};
    std::vector<Route> routes{
        {"birrell2024.log_M", Method::formula, noise_k, formula_width, 120, 1500},
        {"birrell2024.log_B_tilde", Method::formula, noise_j, formula_width, 80, 1000},
        {"birrell2024.log_R_bound", Method::formula, taylor(order), formula_width, 120, 1500},
        {"birrell2024.thm_3_3", Method::formula, taylor(order), any_width, 150, 2000},
        {"birrell2024.log_F_tilde", Method::formula, order_k, formula_width, 80, 1000},
        {"birrell2024.log_E_tilde", Method::formula, taylor(order), formula_width, 80, 1000},
        {"birrell2024.thm_3_4", Method::formula, taylor(order), any_width, 150, 2000},
        {"birrell2024.thm_c_9_as_printed", Method::formula, taylor(order), any_width, 120, 1500},
        {"birrell2024.q_tilde", Method::formula, mixing, formula_width, 80, 1000},
        {"birrell2024.thm_3_6", Method::formula, capped, any_width, 80, 1000},
        {"birrell2024.thm_3_6_capped", Method::formula, capped, any_width, 80, 1000},
        {"birrell2024.thm_3_6_exact_h", Method::formula, exact_h, any_width, 60, 600},
        {"birrell2024.eq_120", Method::formula, batches(order_dimension(), 1e5), any_width, 80,
         1000},
        {"birrell2024.second_order_coefficient", Method::formula, second, formula_width, 60, 500},
        {"exact.second_order_coefficient", Method::formula, second, exact_width, 60, 500},
        {"wang2019.upper", Method::formula, wang, any_width, 150, 2000},
        {"wang2019.lower", Method::formula, integer_orders("sigma"), any_width, 150, 2000},
        {"mironov2019.thm_11", Method::formula, line("s"), formula_width, 80, 1000},
        {"convert.mironov2017_prop_3", Method::formula, conversion("delta", 1e-300, 0.999),
         exact_width, 120, 1500},
        {"convert.balle2020_thm_21", Method::formula, conversion("delta", 1e-300, 0.999), any_width,
         120, 1500},
        {"convert.canonne2020", Method::formula, conversion("delta", 1e-300, 0.999), any_width, 120,
         1500},
        {"convert.canonne2020_delta", Method::formula, conversion("eps", 1e-6, 700.0), any_width,
         120, 1500},
    };
    routes.push_back({"mironov2019.fractional_series",
                      Method::arb,
                      {{order_dimension(1.01, 64.0), noise_dimension("s", 0.5, 20.0),
                        probability_dimension(1e-4, 0.9)},
                       {}},
                      any_width,
                      60,
                      600});
    return routes;
}

}  // namespace

std::vector<Check> enclosure_rows() {
    std::vector<Check> rows;
    for (const Route& route : exact_routes()) rows.push_back(row_of(route));
    for (const Route& route : formula_routes()) rows.push_back(row_of(route));
    rows.push_back(overlap_row("exact.fixed_size_without_replacement", Method::trapezoid,
                               Method::arb, ordinary("sigma"), 40, 500));
    rows.push_back(overlap_row("exact.fixed_size_without_replacement_reverse", Method::trapezoid,
                               Method::arb, ordinary("sigma"), 40, 500));
    rows.push_back(overlap_row("exact.poisson_add_remove", Method::trapezoid, Method::arb,
                               ordinary("s"), 40, 500));
    rows.push_back(overlap_row("exact.poisson_add_remove", Method::sum, Method::trapezoid,
                               integer_orders("s", 64.0), 40, 500));
    rows.push_back(overlap_row("exact.poisson_add_remove_reverse", Method::trapezoid, Method::arb,
                               ordinary("s"), 40, 500));
    rows.push_back(overlap_row("exact.poisson_replace_one", Method::trapezoid, Method::arb,
                               ordinary("sigma"), 40, 500));
    rows.push_back(overlap_row("exact.fixed_size_with_replacement", Method::trapezoid, Method::arb,
                               batches(order_dimension(1.01, 64.0), 100), 20, 200));
    rows.push_back(overlap_row(
        "exact.log_absolute_moment", Method::trapezoid, Method::arb,
        {{noise_dimension("sigma", 0.1, 1000.0), {"j", Scale::linear, 1, 61, true, {1, 3, 21}}},
         [](const Point& p) { return p.integer("j") % 2 == 1; }},
        40, 300));
    return rows;
}

}  // namespace assay::verify
