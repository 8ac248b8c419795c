#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/pld/convolve.hpp"
#include "assay/pld/discretise.hpp"
#include "assay/pld/pair_masses.hpp"
#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// `steps` repetitions of one pair.
struct RepeatedLossPair {
    DominatingPair pair;
    std::int64_t steps = 1;
};

/// How fine the two grids are.
struct PldResolution {
    double spacing = 0.04;  // relative step of the geometric grid of the first doublings
    double step = 1e-3;     // nats, uniform grid
};

/// Blocks of a composition on one side, with their counts; the parts point into `distributions`.
struct LossBlocks {
    std::vector<PrivacyLossPmf> distributions;
    std::vector<std::int64_t> counts;
    [[nodiscard]] std::vector<RepeatedLoss> parts() const;
};

/// Cuts a composition into blocks: each pair's first powers of two on a geometric grid, the few
/// dozen repetitions of the largest block left to the FFT.
class CompositionPlan {
public:
    /// `relative_gap` is what the plan is made cheap for.
    CompositionPlan(std::span<const RepeatedLossPair> pairs, Adjacency adjacency,
                    double relative_gap);

    /// The grids may leave so much mass of the composed distribution to infinity.
    void neglect(double mass);

    [[nodiscard]] LossBlocks blocks(Direction direction, const PldResolution& resolution) const;
    /// One for each step of the uniform grid, the geometric grid's doublings being shared; `cells`
    /// are those of these steps.
    [[nodiscard]] std::vector<LossBlocks> blocks(Direction direction, double spacing,
                                                 std::span<const double> steps,
                                                 const std::vector<PairCells>& cells) const;
    /// What both directions share: the masses of the pairs without doublings, on every step.
    [[nodiscard]] std::vector<PairCells> cells(std::span<const double> steps) const;

    /// Factors that the uniform grid sees, and the scale of the composed loss.
    [[nodiscard]] double factors() const { return factors_; }
    [[nodiscard]] double scale() const { return scale_; }
    /// An upper bound of the total variation distance, hence of delta at every epsilon >= 0.
    [[nodiscard]] double total_variation() const { return total_variation_; }
    /// The pair, where a single factor is left: then nothing need be discretised; else null.
    [[nodiscard]] const DominatingPair* single() const;
    /// Whether any block passes the geometric grid.
    [[nodiscard]] bool geometric() const;
    /// Whether every pair is its own mirror image: both directions have the same divergence.
    [[nodiscard]] bool symmetric() const;
    /// Grid points that all the blocks of one side take at most.
    [[nodiscard]] double points(const PldResolution& resolution) const;
    /// About how many products of masses the doublings of one side take.
    [[nodiscard]] double products(const PldResolution& resolution) const;
    /// About how many products the masses of the grids' cells cost, with their transforms.
    [[nodiscard]] double products_of_cells(const PldResolution& resolution) const;

private:
    struct Entry {
        DominatingPair pair;
        std::int64_t steps;
        int doublings;
        double variance;  // of one step's loss, roughly
        double summed;    // pairs, whose masses are added
    };
    [[nodiscard]] LossGrid grid_of(double step) const;
    [[nodiscard]] double points_of(const Entry& entry, const PldResolution& resolution) const;
    struct Ends {
        double floor;
        double top;
    };
    [[nodiscard]] static Ends geometric_ends(const Entry& entry, double spacing);

    std::vector<Entry> entries_;
    Adjacency adjacency_;
    double neglected_ = 1e-30;
    double factors_ = 0.0;
    double scale_ = 0.0;
    double total_variation_ = 0.0;
};

}  // namespace assay
