#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assay/rdp/profile_bound.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double bound = cell.applies ? cell.bound : infinity;
    table.add(row.series.name,
              {point.q, point.sigma, point.alpha, cell.applies ? 1.0 : 0.0, bound, cell.truth.lower,
               cell.truth.upper, cell.applies ? widen_down(bound / cell.truth.upper, 1) : infinity,
               cell.applies ? widen_up(bound / cell.truth.lower, 1) : infinity},
              !cell.applies                                 ? "vacuous"
              : row.series.direction == Direction::estimate ? "heuristic"
                                                            : "certified");
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
