#pragma once
#include <memory>
#include <vector>

#include "assay/pld/geometric_products.hpp"
#include "assay/pld/pair_masses.hpp"
#include "assay/pld/ratio_atoms.hpp"

namespace assay {

/// The distribution of the ratio W of a few steps on a geometric grid of losses, on one side of the
/// truth in convex order (docs/proofs.md, convex order of products): upper distributions are
/// obtained by splitting each cell's mass between its ends with the mean kept, lower ones by moving
/// it to its barycentre.
///   Cost  one doubling: that of GeometricProducts for Q and for P
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
    struct Cells {
        CellMasses q;
        CellMasses p;
    };

    GeometricLossDistribution() = default;
    [[nodiscard]] static double finite_mass(const CellMasses& masses);
    void escape(double& q, double& p);
    void drop_small(double& q, double& p);
    /// `operations`: multiplications and conversions in which a mass may have underflowed.
    void settle(Cells cells, double operations);
    void settle_upper(const Cells& cells);
    void settle_lower(Cells cells);

    std::shared_ptr<const GeometricGrid> grid_;
    Direction direction_ = Direction::upper;
    int smallest_ = 0;
    Cells masses_;  // none of them small
    double infinity_mass_ = 0.0;
    double null_mass_ = 0.0;
    double mass_error_ = 0.0;
    double loss_error_ = 0.0;
};

}  // namespace assay
