#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/epochs/convex_side.hpp"
#include "assay/epochs/sum_payoffs.hpp"
#include "assay/numeric/window_sums.hpp"

namespace assay {

/// A distribution on [0, inf) by the cells [e^{hi}, e^{h(i+1)}), i = first, first+1, ..; what lies
/// below the cells and above them is kept as mass and moment. On the side `above` the mass of cell
/// i sits at its left end, and what lies below at 0.
struct GeometricGridDistribution {
    std::int64_t first = 0;
    std::vector<double> mass;
    std::vector<double> moment;
    MassMoment low;
    MassMoment top;
    DistributionRounding rounding;
};

/// Sums of independent positive variables on a geometric grid of log step h that ends at e^{h top}.
///   Maths      g_i + g_{i-d} lies in a cell i + o(d) that depends on d alone, so all pairs with
///              equal o are one window sum: O(cells log(2)/h) operations for a sum, not O(cells^2)
///   Direction  `above`: the distribution returned is larger in convex order than the sum's, up to
///   its
///              rounding; `below`: smaller. Every sum past the grid is kept exactly as mass and
///              moment: enough for payoffs that are linear there
///   Source     docs/proofs.md, convex order of sums; the grid is that of Feldman and Shenfeld 2026
class GeometricSums {
public:
    /// The grid from e^{log_floor} to e^{log_top}; 0 < step <= 1/4. The step may be enlarged by
    /// less than 1e-5 so that no sum of grid points falls on a cell boundary within rounding.
    GeometricSums(ConvexSide side, double step, double log_floor, double log_top);

    /// The lognormal of mean 1 (LognormalCells).
    [[nodiscard]] GeometricGridDistribution lognormal(double noise_multiplier) const;
    [[nodiscard]] GeometricGridDistribution sum(const GeometricGridDistribution& a,
                                                const GeometricGridDistribution& b);
    /// The same with the lowest cells merged, as long as they lie below `farthest` and the variance
    /// that this adds times `emphasis` is at most `allowance`.
    [[nodiscard]] GeometricGridDistribution trimmed(
        GeometricGridDistribution distribution, double allowance, double emphasis,
        double farthest = std::numeric_limits<double>::infinity()) const;
    [[nodiscard]] AtomicDistribution atoms(const GeometricGridDistribution& distribution) const;

    [[nodiscard]] double step() const { return step_; }

private:
    struct Window {  // the distances d = first .. first + width - 1 with o(d) = offset
        std::int64_t offset;
        std::int64_t first;
        std::int64_t width;
    };
    struct Cells {
        std::int64_t first = 0;
        std::vector<double> mass;
        std::vector<double> moment;
    };

    void add_pairs(const GeometricGridDistribution& larger,
                   const GeometricGridDistribution& smaller, bool diagonal, double factor,
                   Cells& out);
    [[nodiscard]] double point(std::int64_t index) const {
        return points_[static_cast<std::size_t>(index - floor_)];
    }
    /// The cells as a distribution on this side: spread or left as they are; mass and moment are
    /// right up to the relative error given.
    [[nodiscard]] GeometricGridDistribution settled(const Cells& cells, std::size_t kept,
                                                    double error) const;
    /// What lies below the cells, spread over 0 and the first point.
    void spread_low(GeometricGridDistribution& distribution) const;

    ConvexSide side_;
    double step_;
    std::int64_t floor_;
    std::int64_t top_;
    std::vector<double> points_;    // e^{hi}, i = floor .. top
    std::int64_t diagonal_offset_;  // o(0)
    std::int64_t far_;              // o(d) = 0 from here on
    double term_error_;             // relative, of a cell's mass and moment after one sum
    std::vector<Window> windows_;   // o(d) > 0
    // Kept between sums, so that they are not allocated anew.
    Cells out_;
    WindowSums window_mass_;
    WindowSums window_moment_;
};

}  // namespace assay
