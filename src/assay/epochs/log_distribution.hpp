#pragma once
#include <cstdint>
#include <vector>

#include "assay/epochs/convex_side.hpp"
#include "assay/epochs/sum_payoffs.hpp"

namespace assay {

/// A distribution on [0, inf) by cells that are uniform in the logarithm, cell i from e^{hi}: mass
/// and moment of each. On the side `above` the mass of a cell sits at its left end, the mass below
/// the cells at 0, and `infinite` is moment at infinity; on the side `below` every cell is an atom
/// at its barycentre, and so is what lies below the cells.
struct LogDistribution {
    std::int64_t first = 0;
    std::vector<double> mass;
    std::vector<double> moment;
    MassMoment low;
    double infinite = 0.0;
    DistributionRounding rounding;
};

/// Cells end here, in nats: squares of what they hold are still doubles.
inline constexpr double largest_log_ratio = 340.0;

/// Cells of width `step` in the logarithm from e^{log_floor} to e^{log_top}, at most to
/// e^{largest_log_ratio}. Cells at either end are merged as long as they hold less than
/// `negligible`: of the moment, which is what E[(V - K)_+] of a product can lose, or of the mass,
/// which is what E[(1 - K V)_+] can.
struct LogGrid {
    enum class Counts { moment, mass };
    double step = 0.01;
    double log_floor = 0.0;
    double log_top = 0.0;
    Counts counts = Counts::moment;
    double negligible = 1e-20;
};

/// Positions y count as y + relative (y + level).
struct PositionShift {
    double relative = 0.0;
    double level = 0.0;
};

/// The distribution of (A + B) scale, positions shifted first, from one side in convex order.
///   Direction  `above`: larger than the sum, `below`: smaller, up to the rounding that it reports
///   Domain     0 < step <= 1/4       Throws  DomainError
///   Cost       atoms of A x atoms of B
[[nodiscard]] LogDistribution log_distribution_of_sum(const SumPayoffs& sum, double scale,
                                                      const PositionShift& shift,
                                                      const LogGrid& grid, ConvexSide side);

}  // namespace assay
