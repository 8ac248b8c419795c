#pragma once
#include <memory>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/pld/ratio_atoms.hpp"

namespace assay {

/// Distances first .. last, in points of a geometric grid, at which the sum of two losses, or their
/// difference, lies `shift` cells above the larger one.
struct DistanceRun {
    int first;
    int last;
    int shift;
};

/// Losses 0 and +-floor 2^{k/m}, k = 0..size-1: equally fine, relative to the loss, at every scale.
/// Sums and differences of two such points lie at offsets that depend on their distance alone.
struct GeometricGrid {
    /// Distances from 1 on. Beyond the last run the smaller loss no longer matters: a sum is in the
    /// larger loss's cell, a difference `far_difference` cells above it.
    struct Runs {
        std::vector<DistanceRun> sums;
        std::vector<DistanceRun> differences;
        int far_difference;
    };

    double floor = 0.0;
    int per_doubling = 0;  // m, also the offset of the sum of two equal losses
    int size = 0;
    std::vector<double> gain;  // e^{loss}, rounded: these doubles are the grid
    std::vector<double> cost;  // e^{-loss}
    Runs upper;                // cells begin at the points
    Runs lower;                // cells have the points in their middle

    [[nodiscard]] const Runs& runs(Direction direction) const {
        return direction == Direction::upper ? upper : lower;
    }
};
/// Reaches at least from `floor` to `top` with relative step at most `spacing`.
///   Domain  0 < floor < top <= 650, top 2^{2/m} <= 700, 0 < spacing <= 0.7, floor spacing >= 2^-47
[[nodiscard]] std::shared_ptr<const GeometricGrid> geometric_grid(double floor, double top,
                                                                  double spacing);

}  // namespace assay
