#pragma once
#include <vector>

#include "assay/epochs/geometric_sum.hpp"

namespace assay {

/// A distribution of S - mean, S >= 0, by atoms at increasing positions; of what lies above the
/// grid, mass and moment of S.
struct CentredDistribution {
    double mean = 0.0;  // an integer: the number of summands
    std::vector<double> position;
    std::vector<double> mass;
    MassMoment top;
    DistributionRounding rounding;
};

/// A grid for the sum of n variables of mean 1: linear around n, geometric far out.
///   points   y = scale sinh(step j) from -depth to `top` - n, and -n itself; increasing
struct CentredGrid {
    double mean = 0.0;
    std::vector<double> points;
};
[[nodiscard]] CentredGrid centred_grid(double mean, double scale, double step, double depth,
                                       double top);

/// Sums of independent positive variables on grids that follow the spread of the sum: for the
/// regime of the central limit theorem, where a geometric grid would resolve the mean and not the
/// deviations.
///   Direction  as GeometricSums
///   Domain     distributions with an atom below their top
///   Cost       O(atoms of a x atoms of b)
[[nodiscard]] CentredDistribution centred_lognormal(double noise_multiplier,
                                                    const CentredGrid& grid, ConvexSide side);
[[nodiscard]] CentredDistribution centred_sum(const CentredDistribution& a,
                                              const CentredDistribution& b, const CentredGrid& grid,
                                              ConvexSide side);

/// As a distribution of S.
[[nodiscard]] AtomicDistribution atoms(const CentredDistribution& distribution);

}  // namespace assay
