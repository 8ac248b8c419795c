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

/// Paired comparison: how often `first` is smaller, and the two-sided p-value of the sign test
/// (ties left out): Pr of a split as uneven when both are equally likely the smaller.
struct SignTest {
    int smaller = 0;
    int larger = 0;
    double p = 1.0;

    void add(std::span<const double> first, std::span<const double> second);
    void decide();
};

}  // namespace assay::experiments::aydin2024
