#pragma once
#include <span>
#include <vector>

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

}  // namespace assay::experiments::aydin2024
