#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {

/// A box plot: quartiles (linear between order statistics), and whiskers to the farthest value
/// within 1.5 interquartile ranges of the box.
struct Box {
    double whisker_low = 0.0;
    double lower_quartile = 0.0;
    double median = 0.0;
    double upper_quartile = 0.0;
    double whisker_high = 0.0;
};
[[nodiscard]] Box box_of(std::vector<double> values);

[[nodiscard]] double mean_of(std::span<const double> values);

/// Mean and standard deviation of every column of rows of one length.
[[nodiscard]] std::vector<Spread> spreads(std::span<const std::vector<double>> rows);

[[nodiscard]] std::vector<double> logarithms(std::span<const std::int64_t> numbers);

}  // namespace assay::experiments::aydin2024
