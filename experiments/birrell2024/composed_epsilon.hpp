#pragma once
#include <span>
#include <string_view>

#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "experiments/birrell2024/curves.hpp"

namespace assay::experiments::birrell2024 {

/// epochs |D| / |B|: the figures take it as it is, whole or not.
[[nodiscard]] real number_of_steps(double epochs, const Setting& setting);

using Conversion = Enclosure (*)(double order, const Enclosure& rdp, double delta);

/// The smallest epsilon over a list of orders, and the order of its upper end.
struct BestEpsilon {
    Enclosure epsilon;
    double order = 0.0;
};
[[nodiscard]] BestEpsilon best_epsilon(std::span<const double> orders,
                                       std::span<const Enclosure> one_step, real steps,
                                       double delta, Conversion convert = balle2020_epsilon);

/// Columns x (delta), y (epsilon), lower, upper, and the order at which the minimum is attained.
[[nodiscard]] Table epsilon_table();

/// Declares a series and adds its smallest epsilon for every delta.
void add_epsilon_curve(Table& table, const Series& series, std::span<const double> deltas,
                       std::span<const double> orders, std::span<const Enclosure> one_step,
                       real steps, std::string_view status = "certified");

}  // namespace assay::experiments::birrell2024
