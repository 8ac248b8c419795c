#pragma once
#include <cstdint>
#include <vector>

#include "assay/pld/pair_masses.hpp"
#include "assay/pld/privacy_loss_pmf.hpp"
#include "assay/pld/ratio_atoms.hpp"

namespace assay {

/// The widest loss that a grid represents, nats; beyond it mass is at infinity or dropped.
inline constexpr double widest_loss = 600.0;

/// What leaves at the ends of the grid: mass below `negligible` there becomes mass at infinity
/// (upper) or is dropped (lower).
struct LossGrid {
    double step = 0.0;            // nats, a double with few digits so that step * k is exact
    double negligible = 1e-40;    // of P's mass above, of Q's mass below
    double widest = widest_loss;  // nats, on either side of 0

    /// Normal deviations beyond which less than `negligible` lies: tail(z) <= e^{-z^2/2}.
    [[nodiscard]] double deviations() const;
};

/// The largest double of 12 significant bits that is at most x; step * k is then exact.
[[nodiscard]] double short_step(double x);

/// A finite distribution of the ratio on the points e^{step k}, on the side that the atoms are on.
///   Maths   upper: each atom is split between its two neighbours, keeping its mean (connect the
///           dots); lower: successive atoms, the last one in part, are merged where their
///           barycentre is a point of the grid (docs/proofs.md, convex order of products)
///   Error   second order in the step: at most step^2/4 is added to, step^2 taken from the variance
[[nodiscard]] PrivacyLossPmf discretise(const RatioAtoms& atoms, Adjacency adjacency,
                                        const LossGrid& grid);

/// The same on the points e^{offset + step k}.
[[nodiscard]] PrivacyLossPmf discretise_at(const RatioAtoms& atoms, Adjacency adjacency,
                                           const LossGrid& grid, double offset);

/// The masses of a pair between the points of a grid, of which both directions are made.
struct PairCells {
    LossGrid grid;
    std::int64_t first = 0;  // masses[i] lies below the point first + i, the last one above all
    std::vector<PairMass> masses;  // the first one from -infinity, the last one to infinity
    PairMass beyond;               // what no ratio is known of
    double at_one = 0.0;           // mass where the ratio is 1, under either
};

[[nodiscard]] PairCells divide(const DominatingPair& pair, const LossGrid& grid);

/// The same for one step of a pair, straight from its continuous distribution.
[[nodiscard]] PrivacyLossPmf discretise(const PairCells& cells, Adjacency adjacency,
                                        Direction direction);
[[nodiscard]] PrivacyLossPmf discretise(const DominatingPair& pair, Adjacency adjacency,
                                        Direction direction, const LossGrid& grid);

}  // namespace assay
