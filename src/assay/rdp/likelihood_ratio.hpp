#pragma once
#include <optional>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// A pair of densities P, Q relative to the standard normal, seen at one point z.
struct LossPoint {
    real log_p = 0.0L;
    real log_q = 0.0L;
    real loss = 0.0L;            // log(P/Q), accurate relatively even where it is tiny
    real excess = 0.0L;          // P/Q - 1, the same; +inf beyond the range of `real`
    real log_q_slope = 0.0L;     // d log Q / dz
    real absolute_error = 0.0L;  // of log_p and log_q, and of loss where |loss| > 1
    real relative_error = 0.0L;  // of loss and excess where |loss| <= 1
};

/// What the error bounds of the quadrature need to know of a pair
/// (docs/error_bounds.md#divergence).
struct PairShape {
    real p_slope_max = 0.0L;     // sup d log P / dz >= 0, the limit at z -> +inf
    real q_slope_min = 0.0L;     // inf d log Q / dz <= 0
    real lowest_excess = -1.0L;  // a lower bound of P/Q - 1 over all z
    real q_left_mean = 0.0L;     // most negative shift in Q: Q phi <= (normal densities at >= it)
    real strip = 0.0L;           // P and Q have no zero for |Im z| < strip
    real sector = 0.0L;          // |Q(x+iy)| >= cos(sector y / 2)^sector_power Q(x)
    real sector_power = 0.0L;
    real crossing = 0.0L;  // about where P = Q; only accuracy near it depends on this
};

/// Probabilities of {Z > z} under P and under Q.
struct TailPair {
    real under_p = 0.0L;
    real under_q = 0.0L;
};

/// Pair of densities, both finite positive combinations of exponentials e^(shift z - shift^2/2), so
/// that log P and log Q are convex; P - Q changes sign once, from - to + as z grows.
class LikelihoodRatio {
public:
    LikelihoodRatio() = default;
    LikelihoodRatio(const LikelihoodRatio&) = default;
    LikelihoodRatio& operator=(const LikelihoodRatio&) = default;
    virtual ~LikelihoodRatio() = default;

    [[nodiscard]] virtual LossPoint at(real z) const = 0;
    [[nodiscard]] virtual PairShape shape() const = 0;
    /// Relative error at most 2^-40: under_p from below, under_q from above.
    [[nodiscard]] virtual TailPair tails(real z) const = 0;
    /// Rényi divergence in closed form where the component of the largest shift all but decides it,
    /// to a relative width of about 1e-13; none elsewhere (docs/error_bounds.md#largest-shift).
    [[nodiscard]] virtual std::optional<Enclosure> ruled_by_largest_shift(real /*order*/) const {
        return std::nullopt;
    }
};

}  // namespace assay
