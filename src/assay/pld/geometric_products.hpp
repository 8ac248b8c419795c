#pragma once
#include <cstdint>
#include <vector>

#include "assay/pld/geometric_grid.hpp"

namespace assay {

/// Masses of one measure by cells of a geometric grid: gains [L_k, L_{k+1}), costs the mirror
/// image, the last cell unbounded; between them and loss 0; and at loss 0.
struct CellMasses {
    std::vector<double> gains;
    std::vector<double> costs;
    double small_gain = 0.0;
    double small_cost = 0.0;
    double one = 0.0;
};

/// The sum of two independent copies of a distribution on the points of a geometric grid.
///   Maths   pairs of equal offset are a loss times a window of smaller ones: one product for all
///   Cost    about 6 n m multiplications for n points on each side; m log2 m for each of n windows
///   Errors  a mass is relatively within `roundings` 2^-53, but for products that underflow
class GeometricProducts {
public:
    /// Cells below `kept` count as small.
    GeometricProducts(const GeometricGrid& grid, Direction direction, int kept);

    /// `masses` has none that are small.
    [[nodiscard]] CellMasses squared(const CellMasses& masses) const;

    [[nodiscard]] double roundings() const;
    /// Multiplications of one call.
    [[nodiscard]] double operations() const;

private:
    struct Factor;
    struct Sums;

    void add_equal(const Factor& factor, Sums& out) const;
    void add_runs(const Factor& large, const Factor& small, const std::vector<DistanceRun>& runs,
                  Sums& out) const;
    void add_far(const Factor& large, const Factor& small, int distance, int shift, double head,
                 std::vector<double>& cells, double& low) const;
    [[nodiscard]] Factor factor(const std::vector<double>& masses) const;

    const GeometricGrid::Runs& runs_;
    int size_;
    int per_doubling_;
    int kept_;
    int longest_ = 1;          // run
    std::int64_t passes_ = 1;  // over the cells of one sign
};

}  // namespace assay
