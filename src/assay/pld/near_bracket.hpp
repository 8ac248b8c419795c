#pragma once
#include <optional>
#include <span>
#include <vector>

#include "assay/pld/composition_plan.hpp"
#include "assay/pld/loss_sum.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

/// How the sums of losses of a composition are laid out.
struct NearPlan {
    std::vector<RepeatedLossPair> pairs;  // those that release anything
    std::vector<double> deviations;       // about that of one step's loss, pair by pair
    double scale = 0.0;                   // of the sum
    bool symmetric = false;               // both directions have the same divergence
    double negligible = 1e-40;            // masses below it may leave

    NearPlan(std::span<const RepeatedLossPair> all, Adjacency adjacency);
    [[nodiscard]] double steps() const;
    /// About how many products both sides take at a spacing.
    [[nodiscard]] double products(double spacing) const;
    /// What the masses of single steps cost of them.
    [[nodiscard]] double products_of_masses(double spacing) const;
    [[nodiscard]] std::shared_ptr<const LossPoints> points(double spacing) const;
};

/// Both sides of a composition from sums of losses on a geometric grid, all of it with relative
/// errors: for losses of any small scale and deltas far out in the tail (docs/proofs.md R.7).
class NearBracket {
public:
    /// Without `addition` that direction is left open.
    NearBracket(const NearPlan& plan, double spacing, bool addition = true);
    [[nodiscard]] DeltaSides at(double epsilon) const;
    /// Products of masses behind it, in units of those of the geometric doublings.
    [[nodiscard]] double products() const { return products_; }

private:
    struct Sides {
        SumDivergence upper;
        SumDivergence lower;
    };
    std::optional<Sides> removal_;
    std::optional<Sides> addition_;
    double products_ = 0.0;
};

/// What is asked of it.
struct NearAim {
    double relative_gap = 1e-3;
    double most_products = 1e9;
};

/// The best bracket of delta at an epsilon, or of epsilon at a delta, within the work allowed;
/// `known` tells on which side of what the answer lies already.
[[nodiscard]] DeltaSides near_delta(NearPlan plan, double epsilon, const DeltaSides& known,
                                    const NearAim& aim);
[[nodiscard]] Enclosure near_epsilon(NearPlan plan, double delta, const Enclosure& known,
                                     const NearAim& aim);

}  // namespace assay
