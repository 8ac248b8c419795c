#include <cmath>
#include <functional>

#include "verify/tables.hpp"

namespace assay::verify {

namespace {

using Values = std::vector<double>;
using Admits = std::function<bool(const Point&)>;

struct Axis {
    const char* name;
    Values values;
};

/// The product of the axes, the last one fastest.
std::vector<Point> product(const std::vector<Axis>& axes, const Admits& admits = {}) {
    std::vector<Point> points{Point{}};
    for (const Axis& axis : axes) {
        std::vector<Point> longer;
        for (const Point& point : points)
            for (const double value : axis.values) {
                longer.push_back(point);
                longer.back().set(axis.name, value);
            }
        points = std::move(longer);
    }
    if (admits) std::erase_if(points, [&](const Point& point) { return !admits(point); });
    return points;
}

/// Every point of the product with the coordinates of every tuple.
std::vector<Point> with(const std::vector<Point>& points, const std::vector<Point>& tuples) {
    std::vector<Point> longer;
    for (const Point& point : points)
        for (const Point& tuple : tuples) {
            longer.push_back(point);
            for (const auto& [name, value] : tuple.coordinates()) longer.back().set(name, value);
        }
    return longer;
}

void add(Table& table, const std::vector<const char*>& quantities,
         const std::vector<Point>& points) {
    for (const char* quantity : quantities)
        for (const Point& point : points) table.lines.push_back({quantity, point});
}

/// Where people work, and where formulas break.
std::vector<Point> line_points(const char* noise) {
    std::vector<Point> points =
        product({{"alpha", {1.000001, 1.01, 1.5, 2, 4.5, 16, 32.5, 64, 256}},
                 {noise, {0.5, 1, 2, 6, 20, 100}},
                 {"q", {1e-9, 0.0001, 0.0024, 0.01, 0.1, 0.5, 0.999}}});
    const std::vector<Point> extremes =
        product({{"alpha", {1.000001, 1.5, 2, 2.0000000001, 60.5, 1000, 10000}},
                 {noise, {0.05, 0.3, 1000, 10000}},
                 {"q", {0, 1e-9, 0.3, 0.999999999}}});
    points.insert(points.end(), extremes.begin(), extremes.end());
    return points;
}

Table line_table(const char* file, const char* noise, const std::vector<const char*>& quantities) {
    Table table{file, {"alpha", noise, "q"}, {}};
    add(table, quantities, line_points(noise));
    return table;
}

Table profile() {
    Table table{"profile_fixed_size.csv", {"alpha", "sigma", "q"}, {}};
    add(table, {"profile.fixed_size_replace_one"},
        product({{"alpha", {1.000001, 1.01, 1.5, 2, 4.5, 16, 32.5, 256}},
                 {"sigma", {0.5, 1, 2, 6, 20, 100}},
                 {"q", {0, 1e-9, 0.0024, 0.1, 0.5, 0.999}}}));
    return table;
}

Table with_replacement() {
    Table table{"fixed_size_with_replacement.csv", {"alpha", "sigma", "B", "D"}, {}};
    add(table, {"exact.fixed_size_with_replacement", "exact.fixed_size_with_replacement_reverse"},
        with(product({{"alpha", {1.01, 1.5, 2, 3, 4.5, 16, 64}}, {"sigma", {0.5, 1, 6, 20, 100}}}),
             {{{"B", 1}, {"D", 2}},
              {{"B", 1}, {"D", 1000}},
              {{"B", 2}, {"D", 3}},
              {{"B", 9}, {"D", 10}},
              {{"B", 10}, {"D", 100}},
              {{"B", 30}, {"D", 31}},
              {{"B", 100}, {"D", 1000000}},
              {{"B", 120}, {"D", 50000}}}));
    return table;
}

Table collinear() {
    Table table{"replace_one_collinear.csv", {"alpha", "sigma", "q", "x", "y"}, {}};
    add(table, {"exact.replace_one_collinear"},
        with(product(
                 {{"alpha", {1.5, 2, 4.5, 32}}, {"sigma", {0.5, 2, 10}}, {"q", {0.001, 0.1, 0.9}}}),
             {{{"x", 1}, {"y", 0}},
              {{"x", 0}, {"y", 1}},
              {{"x", 0.5}, {"y", -0.5}},
              {{"x", 1}, {"y", 0.5}},
              {{"x", 0.25}, {"y", 0.75}},
              {{"x", -1}, {"y", -0.5}}}));
    return table;
}

Table equilateral() {
    Table table{"replace_one_equilateral.csv", {"alpha", "sigma", "q"}, {}};
    add(table, {"exact.replace_one_equilateral", "exact.replace_one_equilateral_attainable"},
        product({{"alpha", {1.01, 1.5, 2, 4.5, 16}},
                 {"sigma", {1, 2, 10, 50}},
                 {"q", {0.0024, 0.3, 0.9}}}));
    return table;
}

Table moments() {
    Table table{"moments.csv", {"sigma", "j"}, {}};
    const Values noise{0.1, 0.3, 0.5, 1, 2, 6, 20, 100, 1000, 10000};
    add(table, {"exact.log_absolute_moment", "birrell2024.log_B_tilde"},
        product({{"sigma", noise}, {"j", {3, 5, 7, 11, 21, 41, 61}}}));
    add(table, {"exact.second_order_coefficient", "birrell2024.second_order_coefficient"},
        product({{"sigma", {0.1, 0.3, 0.5, 0.75, 1, 1.5, 2, 4, 6, 20, 100, 1000, 10000}}}));
    return table;
}

Table taylor_bounds() {
    Table table{"birrell2024_taylor_bounds.csv", {"alpha", "sigma", "m", "q"}, {}};
    add(table, {"birrell2024.thm_3_3", "birrell2024.thm_3_4"},
        product({{"alpha", {1.01, 1.5, 2, 3, 4.5, 16, 64, 256}},
                 {"sigma", {0.5, 2, 6, 100}},
                 {"m", {3, 4, 10}},
                 {"q", {1e-06, 0.0024, 0.1, 0.5}}}));
    return table;
}

Table with_replacement_bounds() {
    Table table{
        "birrell2024_with_replacement_bounds.csv", {"alpha", "sigma", "m", "B", "D", "K"}, {}};
    const std::vector<Point> batches{{{"B", 1}, {"D", 2}, {"K", 1}},
                                     {{"B", 5}, {"D", 6}, {"K", 5}},
                                     {{"B", 10}, {"D", 100}, {"K", 3}},
                                     {{"B", 20}, {"D", 50000}, {"K", 2}},
                                     {{"B", 120}, {"D", 50000}, {"K", 3}}};
    const Values noise{1, 6, 20};
    add(table, {"birrell2024.thm_3_6", "birrell2024.thm_3_6_capped"},
        with(product({{"alpha", {1.5, 2, 3, 4.5, 6, 16}}, {"sigma", noise}, {"m", {3, 4}}}),
             batches));
    add(table, {"birrell2024.thm_3_6_exact_h"},
        with(product({{"alpha", {2, 3, 6, 16}}, {"sigma", noise}}), batches));
    add(table, {"birrell2024.q_tilde"}, batches);
    return table;
}

Table general_bounds() {
    Table table{"wang2019_bounds.csv", {"alpha", "sigma", "q"}, {}};
    const Axis noise{"sigma", {0.5, 1, 2, 6, 20, 100}};
    const Axis probability{"q", {1e-9, 0.0024, 0.1, 0.5, 0.999}};
    add(table, {"wang2019.upper"},
        product({{"alpha", {1.01, 1.5, 2, 3, 4.5, 16, 64, 256}}, noise, probability}));
    add(table, {"wang2019.lower"}, product({{"alpha", {2, 3, 16, 64, 256}}, noise, probability}));
    return table;
}

Table conversions() {
    Table table{"conversions.csv", {"alpha", "rdp", "delta", "eps"}, {}};
    const Axis orders{"alpha", {1.000001, 1.5, 2, 16, 64, 1000}};
    const Axis divergence{"rdp", {0, 1e-9, 0.001, 0.1, 1, 30}};
    add(table, {"convert.mironov2017_prop_3", "convert.balle2020_thm_21", "convert.canonne2020"},
        product({orders, divergence, {"delta", {1e-300, 1e-10, 1e-5, 0.1}}}));
    // Far beyond the divergence the answer is too small for a double.
    add(table, {"convert.canonne2020_delta"},
        product({orders, divergence, {"eps", {0.01, 1, 10, 300}}}, [](const Point& p) {
            return p["rdp"] == 0 || (p["alpha"] - 1) * (p["eps"] - p["rdp"]) < 600;
        }));
    return table;
}

// Where a value is too small for a double: the least z at which the likelihood ratio
// 1-q + q e^{cz - c^2/2} passes e^eps is far out in the tail of N(0,1), and so on. Plain doubles
// will do, for they only choose the points.
constexpr double farthest = 35.0;

bool remove_is_ordinary(const Point& p) {
    const double above = std::exp(p["eps"]) - (1 - p["q"]);
    return std::log(above / p["q"]) / p["c"] - p["c"] / 2 < farthest;
}
bool add_is_ordinary(const Point& p) {
    const double above = std::exp(-p["eps"]) - (1 - p["q"]);
    return above <= 0 || std::log(above / p["q"]) / p["c"] + p["c"] / 2 > -farthest;
}
bool gaussian_is_ordinary(double mu, double epsilon) {
    return epsilon / mu - mu / 2 < farthest;
}

Table hockey_stick() {
    Table table{"hockey_stick.csv", {"c", "q", "T", "sigma", "eps", "delta"}, {}};
    const Axis shift{"c", {0.02, 0.1, 0.5, 1, 2, 5}};
    const Axis probability{"q", {1e-9, 0.0024, 0.1, 0.9, 1}};
    const Axis steps{"T", {1, 100, 10000}};
    const Axis epsilon{"eps", {0, 0.01, 0.5, 1, 5}};
    add(table, {"one_step.delta_remove"},
        product({shift, probability, epsilon}, remove_is_ordinary));
    add(table, {"one_step.delta_add"}, product({shift, probability, epsilon}, add_is_ordinary));
    add(table, {"one_step.epsilon"}, product({shift, probability, {"delta", {1e-10, 1e-5, 1e-3}}}));
    add(table, {"gaussian.delta"},
        product({shift, steps, {"eps", {0, 0.1, 1, 5, 20}}}, [](const Point& p) {
            return gaussian_is_ordinary(p["c"] * std::sqrt(p["T"]), p["eps"]);
        }));
    add(table, {"gaussian.epsilon"}, product({shift, steps, {"delta", {1e-10, 1e-5}}}));
    add(table, {"exact.deterministic_delta"},
        product({{"sigma", {0.3, 0.5, 1, 2, 6, 20}}, epsilon},
                [](const Point& p) { return gaussian_is_ordinary(1 / p["sigma"], p["eps"]); }));
    return table;
}

std::vector<Table> all() {
    return {
        line_table("fixed_size_without_replacement.csv", "sigma",
                   {"exact.fixed_size_without_replacement",
                    "exact.fixed_size_without_replacement_reverse"}),
        line_table("poisson_add_remove.csv", "s",
                   {"exact.poisson_add_remove", "exact.poisson_add_remove_reverse"}),
        line_table("poisson_replace_one.csv", "sigma", {"exact.poisson_replace_one"}),
        with_replacement(),
        collinear(),
        equilateral(),
        profile(),
        moments(),
        taylor_bounds(),
        with_replacement_bounds(),
        general_bounds(),
        conversions(),
        hockey_stick(),
    };
}

}  // namespace

std::span<const Table> certified_tables() {
    static const std::vector<Table> tables = all();
    return tables;
}

}  // namespace assay::verify
