#pragma once
#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/scaled_real.hpp"
#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// Certified excess moment F - 1 = E_Q[f(P/Q - 1)], f(x) = (1+x)^a - 1 - a x >= 0, with z ~ N(0,1).
struct ExcessMoment {
    ScaledReal lower;
    ScaledReal upper;
    int nodes = 0;
    bool certified = true;  // false: nothing was certified, lower = 0 and upper is meaningless
};

/// F - 1 where F = E[P^a Q^(1-a)] is the moment behind the Rényi divergence of order a.
///   Maths      trapezoid rule on Q f(P/Q - 1) phi: the integrand is >= 0, nothing cancels
///   Domain     order > 1
///   Error      strip of analyticity, tails and rounding all bounded and added outward
///              (docs/error_bounds.md#divergence); certified = false beyond `max_nodes` nodes
///   Cost       about 60-150 nodes ordinarily; more for shifts above 1
[[nodiscard]] ExcessMoment excess_moment(const LikelihoodRatio& pair, real order,
                                         int max_nodes = 2'000'000);

/// Rényi divergence of order a in nats, log(F)/(a-1), from the enclosure of F - 1;
/// [0, inf] when that is not certified.
[[nodiscard]] Enclosure renyi_divergence(const ExcessMoment& moment, real order);
[[nodiscard]] Enclosure renyi_divergence(const LikelihoodRatio& pair, real order);

}  // namespace assay
