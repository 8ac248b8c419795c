#pragma once
#include <functional>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// What distributions and thresholds are best given in.
constexpr long ratio_bits = 128;

/// A likelihood ratio W >= 0 of mean 1 by its hockey-stick divergences.
///   excess(k)   E (W - k)_+, k > 0
///   quantile(z) increasing, runs from nearly 0 to where E (W - .)_+ is negligible as z does from
///               -1 to 1; where the nodes lie, which needs no proof
struct RatioDistribution {
    std::function<Interval(const Interval& k)> excess;
    std::function<double(double z)> quantile;
};

/// Phi by Arb: far from 0 a hundred times as fast as MPFR's erfc.
[[nodiscard]] Interval ratio_normal(const Interval& x);

/// The excess of a distribution that is its own mirror image, from that for k >= 1: below 1 it is
/// 1 - k + E (k - W)_+, with the mirrored part. Its slopes are in [-1, 0].
[[nodiscard]] Interval mirrored_excess(const Interval& k,
                                       const std::function<Interval(const Interval&)>& from_one);

/// W = 1-q + q X, X = e^{c z - c^2/2}, z ~ N(0, 1): the removal of a record drawn with probability
/// q; q = 1: a Gaussian step.
[[nodiscard]] RatioDistribution removal_ratio(double q, const Interval& c);
/// 1/W under the distribution P = W Q: its addition.
[[nodiscard]] RatioDistribution addition_ratio(double q, const Interval& c);
/// W where W > 1, with Q's mass; 1/W there, with P's; 1 with the rest.
[[nodiscard]] RatioDistribution symmetric_ratio(double q, const Interval& c);
/// (1-q + q X)/(1-q + q X'), X' = e^{-c z - c^2/2}, z drawn from (1-q) N(0, 1) + q N(-c, 1): a
/// record drawn with probability q and its antipode. Its own mirror image.
[[nodiscard]] RatioDistribution antipodal_ratio(double q, const Interval& c);
/// (Y_1 + Y_2)/2, two batches of an epoch with this noise, and the same under the other
/// distribution.
[[nodiscard]] RatioDistribution two_batches_ratio(double sigma, bool addition);

/// Encloses E (U V - k)_+ for independent U and V, from nothing but both calls. It is E h(U), h(u)
/// = u E (V - k/u)_+: convex, h(0) = 0, slopes in [0, 1]. Chords of h between nodes, continued by
/// the slope 1, are above h; in each gap the chords of both neighbouring gaps, continued, are below
/// it. Either is piecewise linear, with the mean  slope at 0 + sum (change of slope) E (U -
/// kink)_+. The width falls with the square of the number of nodes.
[[nodiscard]] Interval product_excess(const RatioDistribution& u, const RatioDistribution& v,
                                      const Interval& k, int nodes);

}  // namespace assay::verify
