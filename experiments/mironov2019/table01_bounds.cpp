#include <limits>
#include <string_view>

#include "assay/numeric/directed.hpp"
#include "experiments/mironov2019/mironov2019.hpp"
#include "experiments/mironov2019/table01_rows.hpp"

namespace assay::experiments::mironov2019 {

namespace {

Table empty_table() {
    return Table({{.name = "q", .unit = "1", .golden_tolerance = 0.0},
                  {.name = "sigma", .unit = "1", .golden_tolerance = 0.0},
                  {.name = "alpha", .unit = "1", .golden_tolerance = 0.0},
                  {.name = "applies", .unit = "1", .golden_tolerance = 0.0},
                  {.name = "bound", .unit = "nats"},
                  {.name = "exact_lower", .unit = "nats", .direction = Direction::lower},
                  {.name = "exact_upper", .unit = "nats", .direction = Direction::upper},
                  {.name = "ratio_lower", .unit = "1", .direction = Direction::lower},
                  {.name = "ratio_upper", .unit = "1", .direction = Direction::upper}});
}

void add_row(Table& table, const Row& row, const Point& point, const Cell& cell) {
    const auto add = [&](double applies, double bound, double ratio_lower, double ratio_upper,
                         std::string_view status) {
        table.add(row.series.name,
                  {point.q, point.sigma, point.alpha, applies, bound, cell.truth.lower,
                   cell.truth.upper, ratio_lower, ratio_upper},
                  status);
    };
    if (!cell.applies) {
        constexpr double nothing = std::numeric_limits<double>::infinity();
        add(0.0, nothing, nothing, nothing, "vacuous");
        return;
    }
    add(1.0, cell.bound, widen_down(cell.bound / cell.truth.upper, 1),
        widen_up(cell.bound / cell.truth.lower, 1),
        row.series.direction == Direction::estimate ? "heuristic" : "certified");
}

}  // namespace

FigureResult run_table01_bounds(const Params& params) {
    Table table = empty_table();
    const std::vector<Row> rows = table_rows();
    for (const Row& row : rows) {
        table.add_series(row.series);
        for (const double q : params.numbers("q"))
            for (const double sigma : params.numbers("sigma"))
                for (const double alpha : params.numbers("alpha")) {
                    const Point point{.q = q, .sigma = sigma, .alpha = alpha};
                    add_row(table, row, point, row.evaluate(point));
                }
    }
    return {table, table_claims(rows, params.section("claims"))};
}

}  // namespace assay::experiments::mironov2019
