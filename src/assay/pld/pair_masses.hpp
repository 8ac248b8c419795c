#pragma once
#include <span>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/dominating_pair.hpp"

namespace assay {

/// The two masses of an interval of the ratio W = dP/dQ, and their difference P - Q, formed without
/// the mass that a record that is not drawn leaves in common; its error is at most pair_mass_error
/// times `moved`.
struct PairMass {
    real under_q = 0.0L;
    real under_p = 0.0L;
    real excess = 0.0L;
    real moved = 0.0L;
};

/// Relative error of every mass below, for boundaries whose normal quantile is within 45.
inline constexpr double pair_mass_error = 0x1p-46;

/// Masses of {b_0 <= log W < b_1}, {b_1 <= log W < b_2}, ..; all of them positive sums or tails.
///   Domain  two boundaries at least, increasing; for a symmetric pair, or one with a null record,
///           none strictly straddles 0, where the atom (not counted in any interval) lies
[[nodiscard]] std::vector<PairMass> interval_masses(const DominatingPair& pair,
                                                    std::span<const real> boundaries);

/// How many pairs' masses those of one are the sum of, about: what an interval costs.
[[nodiscard]] double summed_pairs(const DominatingPair& pair);

/// The mass at ratio 1 exactly, the same under P and Q; 0 for removal and antipodal pairs.
[[nodiscard]] real mass_at_one(const DominatingPair& pair);

/// What a distribution above the pair's has outside all intervals: P's mass where Q may have none
/// and Q's where P may have none, of the draws whose hits are too many to be told apart. A
/// distribution below it has nothing there.
[[nodiscard]] PairMass mass_beyond(const DominatingPair& pair);

/// Both hockey-stick divergences of the pair itself, no grid: removal E_Q (W - e^epsilon)_+ and
/// addition E_Q (1 - e^epsilon W)_+, each within [lower, upper]; epsilon >= 0.
struct PairDivergence {
    Enclosure removal;
    Enclosure addition;
};
[[nodiscard]] PairDivergence pair_divergence(const DominatingPair& pair, double epsilon);

/// log W at the normal quantile `deviations` beyond the larger mean, and below the smaller one: all
/// but that tail of the mass lies between.
struct LossRange {
    real lowest = 0.0L;
    real highest = 0.0L;
};
[[nodiscard]] LossRange loss_range(const DominatingPair& pair, real deviations);

/// log W of the removal pair at normal quantiles, and the quantile that all but that tail of P's
/// mass lies below.
[[nodiscard]] std::vector<real> log_ratios(const DominatingPair& pair,
                                           std::span<const real> quantiles);
[[nodiscard]] real highest_quantile(const DominatingPair& pair, real deviations);

}  // namespace assay
