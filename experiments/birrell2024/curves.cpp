#include "experiments/birrell2024/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::experiments::birrell2024 {

Table curve_table(const std::string& x_unit, const std::string& y_unit) {
    return Table({{.name = "x", .unit = x_unit, .golden_tolerance = 1e-14},
                  {.name = "y", .unit = y_unit},
                  {.name = "lower", .unit = y_unit, .direction = Direction::lower},
                  {.name = "upper", .unit = y_unit, .direction = Direction::upper}});
}

void add_curve(Table& table, const Series& series, std::span<const double> x,
               std::span<const Enclosure> y, std::string_view status) {
    table.add_series(series);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double side = series.direction == Direction::lower   ? y[i].lower
                            : series.direction == Direction::upper ? y[i].upper
                                                                   : y[i].midpoint();
        table.add(series.name, {x[i], side, y[i].lower, y[i].upper},
                  std::isfinite(side) ? status : "vacuous");
    }
}

std::vector<Enclosure> at_each(std::span<const double> x,
                               const std::function<Enclosure(double)>& f) {
    std::vector<Enclosure> values;
    values.reserve(x.size());
    for (const double point : x) values.push_back(f(point));
    return values;
}

std::vector<double> as_doubles(std::span<const std::int64_t> integers) {
    std::vector<double> values;
    for (const std::int64_t integer : integers) values.push_back(static_cast<double>(integer));
    return values;
}

Setting read_setting(const Params& params) {
    Setting setting{.sigma = params.number("noise_multiplier"),
                    .batch = params.integer("batch_size"),
                    .dataset = params.integer("dataset_size")};
    if (setting.batch < 1 || setting.batch >= setting.dataset)
        params.refuse("batch_size", "is not in 1..dataset_size-1");
    setting.q = static_cast<double>(setting.batch) / static_cast<double>(setting.dataset);
    return setting;
}

Claim claim(std::string_view id, std::string where, std::string statement, std::string found,
            Verdict verdict, Basis basis) {
    return {.id = "birrell2024-" + std::string(id),
            .paper = "birrell2024",
            .where = std::move(where),
            .statement = std::move(statement),
            .found = std::move(found),
            .verdict = verdict,
            .basis = std::move(basis)};
}

std::string describe_gap(double relative_difference, double tolerance) {
    return relative_difference < tolerance
               ? fmt::format("relative difference below {:g}", tolerance)
               : fmt::format("relative difference {:.3g}", relative_difference);
}

double ratio(const Enclosure& a, const Enclosure& b) {
    return a.midpoint() / b.midpoint();
}

Range range_of_ratios(std::span<const double> x, std::span<const double> numerators,
                      std::span<const double> denominators) {
    Range range;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double value = numerators[i] / denominators[i];
        if (i == 0 || value < range.least) range.least = value, range.least_at = x[i];
        if (i == 0 || value > range.most) range.most = value, range.most_at = x[i];
    }
    return range;
}

Range range_of_ratios(const Table& table, std::string_view numerator,
                      std::string_view denominator) {
    return range_of_ratios(table.values(numerator, "x"), table.values(numerator, "y"),
                           table.values(denominator, "y"));
}

std::string over_deltas(const Range& range) {
    return fmt::format("{:.4f} (delta {:g}) to {:.4f} (delta {:g})", range.least, range.least_at,
                       range.most, range.most_at);
}

double crossing(const std::function<double(double)>& f, double level, double low, double high) {
    for (int halving = 0; halving < 50 && high - low > 1e-10 * high; ++halving) {
        const double middle = low + (high - low) / 2.0;
        (f(middle) < level ? low : high) = middle;
    }
    return high;
}

}  // namespace assay::experiments::birrell2024
