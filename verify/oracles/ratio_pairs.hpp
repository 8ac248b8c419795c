#pragma once
#include "verify/oracles/ratio_product.hpp"

namespace assay::verify {

// Likelihood ratios of the pairs of docs/proofs.md E.5, F.8, F.9 and L, each from its definition:
// normal probabilities, and a place found by bisection.

/// V = sum_k a_k e^{kcz - k^2c^2/2}, a_k = Bin(k; B, 1/D), and 1/V under the distribution P = V Q:
/// a record that is drawn B times with replacement, its removal and its addition. B is small.
[[nodiscard]] RatioDistribution hits_ratio(long B, long D, const Interval& c, bool addition);

/// For k >= 1 the excess sum_{j >= 1} a_j H_{k'}(N_{jc} || N_0), k' = 1 + (k-1)/(1 - a_0), and its
/// own mirror image: hits with replacement, of which the number is told.
[[nodiscard]] RatioDistribution told_hits_ratio(long B, long D, const Interval& c);

/// W_{2r} beyond the place at which its excess over 1 is that of W_r, 1/W_r below, 1 with the rest:
/// a record and a null one in batches of fixed size. Its addition is the mirror image.
[[nodiscard]] RatioDistribution null_record_ratio(double q, const Interval& r, bool addition);

/// E (W - k)_+, k >= 1, of P = (1-q) N_0 + q N_{2r} and Q = (1-q) N_0 + q N_r, or of the other
/// order: from the roots of a quadratic equation.
[[nodiscard]] Interval halved_excess(double q, const Interval& r, const Interval& k, bool addition);

/// The largest of T coordinates, to one of which 2r (P) or r (Q) is added.
[[nodiscard]] RatioDistribution largest_ratio(long T, const Interval& r, bool addition);

}  // namespace assay::verify
