#pragma once
#include <cstddef>
#include <memory>

#include "assay/epochs/convex_side.hpp"
#include "assay/epochs/dominating_pair.hpp"
#include "assay/epochs/sum_payoffs.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// How the sums are discretised: `geometric` (GeometricSums) resolves large single terms, `centred`
/// (adaptive_sum.hpp) the deviations of a sum from its mean. Either step is relative.
enum class SumGrid { geometric, centred };
struct Resolution {
    SumGrid grid = SumGrid::geometric;
    double step = 0.01;
};

/// The grid that suits the mechanism, at a step that costs milliseconds; what gap it leaves is seen
/// in the answer, and falls with the square of the step.
[[nodiscard]] Resolution coarse_resolution(const BallsAndBins& mechanism);

/// The standard deviation of W near its mean, large single terms left out: what a grid has to
/// resolve. An estimate.
[[nodiscard]] double typical_deviation(const BallsAndBins& mechanism);

/// An epsilon, at most 600, beyond which delta is about below this value or 1e-16: an estimate.
[[nodiscard]] double negligible_beyond(const BallsAndBins& mechanism, double delta = 1e-16);

/// Hockey-stick divergence of one epoch of balls-and-bins under zero-out, in one direction, both
/// sides, for every epsilon from one computation.
///   Maths      W = (1/T) sum_t Y_t with independent Y_t = e^{x_t/s^2 - 1/(2 s^2)}, x_t ~ N(0,
///   s^2);
///              removal: delta = E[(W - e^eps)_+], addition: delta = E[(1 - e^eps W)_+]
///   Direction  both: T-fold sums of discretisations of Y that are larger and smaller in convex
///              order; the last sum is not discretised. Rounding is counted
///   Domain     noise multiplier >= 0.01; 0 <= eps. Above largest_epsilon() the sides are no longer
///              near each other: the upper one is at most that at largest_epsilon(), the lower one
///              0 (addition: above 700). In the addition direction largest_epsilon() is lower than
///              what was asked for where delta is below 1e-18 beyond
///   Cost       about log2 T + popcount T sums, then O(atoms) for each epsilon
///   Errors     second order in the step. The result does not depend on threads
///   Source     docs/proofs.md, convex order of sums; dominating pair of chua2025 Theorem 3.1
class ConvexOrderBracket {
public:
    ConvexOrderBracket(const BallsAndBins& mechanism, LossDirection direction,
                       double largest_epsilon, const Resolution& resolution)
        : ConvexOrderBracket(mechanism, direction, largest_epsilon, resolution, false, 1.0) {}

    /// A sum whose both ends count, in either direction: for compositions. Of its mass about
    /// `null_mass` at most may be merged at the low end, where a composition pays for it in full in
    /// the addition direction; 1 where only its moment counts.
    [[nodiscard]] static ConvexOrderBracket of_both_ends(const BallsAndBins& mechanism,
                                                         double largest_epsilon,
                                                         const Resolution& resolution,
                                                         double null_mass = 1.0) {
        return {mechanism, LossDirection::removal, largest_epsilon, resolution, true, null_mass};
    }

    /// Throws DomainError unless 0 <= eps < inf.
    [[nodiscard]] Enclosure delta(double epsilon) const;

    [[nodiscard]] const BallsAndBins& mechanism() const { return mechanism_; }
    [[nodiscard]] LossDirection direction() const { return direction_; }
    [[nodiscard]] double largest_epsilon() const { return largest_epsilon_; }
    [[nodiscard]] const Resolution& resolution() const { return resolution_; }
    [[nodiscard]] std::size_t atoms() const;

    /// The last two summands of the sum on one side, and what rounding did to them: positions y
    /// are right up to rounding.position (y + level).
    struct Side {
        std::shared_ptr<const SumPayoffs> payoffs;
        DistributionRounding rounding;
        double level = 0.0;
    };
    [[nodiscard]] const Side& side(ConvexSide which) const;

private:
    ConvexOrderBracket(const BallsAndBins& mechanism, LossDirection direction,
                       double largest_epsilon, const Resolution& resolution, bool both_ends,
                       double null_mass);
    /// delta at an epsilon that the grid is made for.
    [[nodiscard]] Enclosure resolved(double epsilon) const;

    BallsAndBins mechanism_;
    LossDirection direction_;
    double largest_epsilon_;
    Resolution resolution_;
    Side below_;
    Side above_;
};

}  // namespace assay
