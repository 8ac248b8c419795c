#pragma once
#include <memory>
#include <vector>

#include "assay/pld/pair_masses.hpp"
#include "assay/pld/ratio_atoms.hpp"

namespace assay {

/// Losses 0 and +-floor 2^{k/m}, k = 0..size-1: equally fine, relative to the loss, at every scale.
/// Sums and differences of two such points lie at offsets that depend on their distance alone.
struct GeometricGrid {
    double floor = 0.0;
    int per_doubling = 0;  // m
    int size = 0;
    std::vector<double> gain;  // e^{loss}, rounded: these doubles are the grid
    std::vector<double> cost;  // e^{-loss}
};
/// Reaches at least from `floor` to `top` with relative step at most `spacing`.
///   Domain  0 < floor < top <= 650, top 2^{2/m} <= 700, 0 < spacing <= 0.7, floor spacing >= 2^-47
[[nodiscard]] std::shared_ptr<const GeometricGrid> geometric_grid(double floor, double top,
                                                                  double spacing);

/// The distribution of the ratio W of a few steps on a geometric grid of losses, on one side of the
/// truth in convex order (docs/proofs.md, convex order of products): upper distributions are
/// obtained by splitting each cell's mass between its ends with the mean kept, lower ones by moving
/// it to its barycentre.
///   Cost  one doubling: about 4 n (m log2 m) multiplications for n points on each side
class GeometricLossDistribution {
public:
    /// One step.
    GeometricLossDistribution(const DominatingPair& pair, std::shared_ptr<const GeometricGrid> grid,
                              Direction direction);

    /// The distribution of the product of two independent copies; losses below the grid point
    /// `smallest_kept` are merged.
    [[nodiscard]] GeometricLossDistribution doubled(int smallest_kept) const;

    [[nodiscard]] RatioAtoms atoms() const;

private:
    struct Mass {
        double q = 0.0;
        double p = 0.0;
        void add(double more_q, double more_p) {
            q += more_q;
            p += more_p;
        }
    };
    /// Masses by cell: gains [L_k, L_{k+1}), costs the mirror image; the last cell is unbounded.
    struct Side {
        std::vector<double> q;
        std::vector<double> p;
    };
    struct Cells;
    struct Doubling;

    GeometricLossDistribution() = default;
    [[nodiscard]] Mass finite_mass() const;
    void escape(double& q, double& p);
    void drop_small(Side& side);
    /// `operations`: multiplications and conversions in which a mass may have underflowed.
    void settle(Cells& cells, double operations);
    void settle_upper(const Cells& cells);
    void settle_lower(const Cells& cells);

    std::shared_ptr<const GeometricGrid> grid_;
    Direction direction_ = Direction::upper;
    int smallest_ = 0;
    Side gains_;
    Side costs_;
    Mass one_;
    double infinity_mass_ = 0.0;
    double null_mass_ = 0.0;
    double mass_error_ = 0.0;
    double loss_error_ = 0.0;
};

}  // namespace assay
