#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay::experiments::chua2025 {

/// How narrow a bracket is asked for: (upper - lower) / upper where the upper side is at least
/// `negligible_delta`.
struct Narrowness {
    double gap = 1e-3;
    double negligible_delta = 1e-13;
};

/// delta(eps) of one epoch of balls-and-bins at each epsilon, the larger of both directions.
///   Direction  both: EpochCurve; in the addition direction the upper side is also at most the
///              probability of the event outside of which the loss is at most epsilon
[[nodiscard]] std::vector<Enclosure> balls_and_bins_delta(const BallsAndBins& mechanism,
                                                          std::span<const double> epsilons,
                                                          const Narrowness& wanted);

/// delta(eps) of as many Poisson-sampled steps with q = 1/T: every batch as large on average. The
/// upper side is also at most 1 - (1-q)^T, the probability that a record takes part at all.
[[nodiscard]] std::vector<Enclosure> poisson_delta(const BallsAndBins& mechanism,
                                                   std::span<const double> epsilons,
                                                   const Narrowness& wanted);

/// `count` + 1 epsilons from 0 to `largest`, evenly spaced, or denser near 0 (as the squares).
[[nodiscard]] std::vector<double> even_grid(double largest, std::int64_t count);
[[nodiscard]] std::vector<double> grid_dense_near_0(double largest, std::int64_t count);

/// Where a first curve lies above or below a second one, both falling: certain for every epsilon of
/// the interval, not for grid points alone.
///   Maths      first > second on [a, b] where lower(first at b) > upper(second at a); the same the
///              other way round
struct Ordering {
    double above_until = 0.0;     // first > second on [grid front, above_until]; -inf: nowhere seen
    double below_from = 0.0;      // first < second on [below_from, below_until], the widest such
    double below_until = 0.0;     // interval of the grid; inf, -inf: nowhere seen
    double largest_second = 0.0;  // upper side of the second curve at below_from and its
    double least_second = 0.0;    // lower side at below_until
};
[[nodiscard]] Ordering compare(std::span<const double> epsilons, std::span<const Enclosure> first,
                               std::span<const Enclosure> second);

}  // namespace assay::experiments::chua2025
