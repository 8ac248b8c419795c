#include "experiments/birrell2024/composed_epsilon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::experiments::birrell2024 {
namespace {

/// steps * rdp; `steps` carries two roundings and the product one.
Enclosure composed(const Enclosure& rdp, real steps) {
    const auto moved = [&](double end, real by) {
        const real product = steps * static_cast<real>(end);
        return product + by * std::abs(product);
    };
    return enclose_between(moved(rdp.lower, -4.0L * unit_roundoff),
                           moved(rdp.upper, 4.0L * unit_roundoff));
}

}  // namespace

real number_of_steps(double epochs, const Setting& setting) {
    return static_cast<real>(epochs) * static_cast<real>(setting.dataset) /
           static_cast<real>(setting.batch);
}

BestEpsilon best_epsilon(std::span<const double> orders, std::span<const Enclosure> one_step,
                         real steps, double delta, Conversion convert) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BestEpsilon best{.epsilon = {infinity, infinity}};
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Enclosure epsilon = convert(orders[i], composed(one_step[i], steps), delta);
        best.epsilon.lower = std::min(best.epsilon.lower, epsilon.lower);
        if (epsilon.upper < best.epsilon.upper) {
            best.epsilon.upper = epsilon.upper;
            best.order = orders[i];
        }
    }
    return best;
}

Table epsilon_table() {
    return Table({{.name = "x", .unit = "δ", .golden_tolerance = 0.0},
                  {.name = "y", .unit = "ε"},
                  {.name = "lower", .unit = "ε", .direction = Direction::lower},
                  {.name = "upper", .unit = "ε", .direction = Direction::upper},
                  {.name = "order", .unit = "order α"}});
}

void add_epsilon_curve(Table& table, const Series& series, std::span<const double> deltas,
                       std::span<const double> orders, std::span<const Enclosure> one_step,
                       real steps, std::string_view status) {
    table.add_series(series);
    for (const double delta : deltas) {
        const auto [epsilon, order] = best_epsilon(orders, one_step, steps, delta);
        const double side = series.direction == Direction::lower ? epsilon.lower : epsilon.upper;
        table.add(series.name, {delta, side, epsilon.lower, epsilon.upper, order},
                  std::isfinite(side) ? status : "vacuous");
    }
}

}  // namespace assay::experiments::birrell2024
