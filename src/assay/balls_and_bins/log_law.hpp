#pragma once
#include <cstdint>
#include <vector>

#include "assay/balls_and_bins/convex_side.hpp"
#include "assay/balls_and_bins/sum_payoffs.hpp"

namespace assay {

/// A law on [0, inf) by cells that are uniform in the logarithm, cell i from e^{hi}: mass and
/// moment of each. On the side `above` the mass of a cell sits at its left end, the mass below the
/// cells at 0, and `infinite` is moment at infinity; on the side `below` every cell is an atom at
/// its barycentre, and so is what lies below the cells.
struct LogLaw {
    std::int64_t first = 0;
    std::vector<double> mass;
    std::vector<double> moment;
    MassMoment low;
    double infinite = 0.0;
    LawRounding rounding;
};

/// Products of independent non-negative variables on the grid e^{hi}.
///   Maths      e^{hi} e^{hj} = e^{h(i+j)}: a product of laws on the grid is a law on the grid
///   Direction  `above`: larger than the product in convex order, `below`: smaller, up to rounding
///   Cost       cells of a x cells of b, all terms positive
///   Source     docs/proofs.md, convex order of products
class LogProducts {
public:
    /// Cells end here; what lies above counts as infinite or as one atom.
    static constexpr double largest_log = 340.0;

    LogProducts(ConvexSide side, double step);

    /// The law of (A + B) scale, positions y replaced by y + shift (y + level) first, from
    /// e^{log_floor} to e^{log_top}.
    struct Shift {
        double relative = 0.0;
        double level = 0.0;
    };
    [[nodiscard]] LogLaw of_sum(const SumPayoffs& sum, double scale, const Shift& shift,
                                double log_floor, double log_top) const;
    [[nodiscard]] LogLaw product(const LogLaw& a, const LogLaw& b) const;

    [[nodiscard]] double call(const LogLaw& law, double strike) const;
    [[nodiscard]] double put(const LogLaw& law, double strike) const;

private:
    [[nodiscard]] double point(std::int64_t index) const;
    /// Cells at either end whose moment is negligible, merged; then spread on the side `above`.
    void trim(LogLaw& law) const;

    ConvexSide side_;
    double step_;
};

}  // namespace assay
