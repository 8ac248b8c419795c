#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// Of what need not be certain: where to cut, and how fine.
constexpr long planning_bits = 160;

/// What is known of an integrand g(x) e^{-x^2/2} above the real axis:
///   no density in it vanishes for |y| zero_rate < pi, and there
///   |g(x+iy)| <= cos(sector y/2)^-power g(x),   sector <= zero_rate.
struct Strip {
    double zero_rate = 0.0;
    double sector = 0.0;
    double power = 0.0;
};

/// A step whose relative error is about e^-nats, cut to 10 significant bits.
[[nodiscard]] double widest_step(const Strip& strip, double nats);

/// An e with |h sum g(kh) - int g| <= e int g, for real g >= 0 (upper end is the bound).
[[nodiscard]] Interval rule_error(const Strip& strip, const Interval& step);

/// Nodes kh, k any integer, of a function at most e^{slope|x| - x^2/2}:
/// the sum over all nodes, and over those with |x| >= slope + width. Both without e^{slope^2/2}.
[[nodiscard]] Interval sum_over_all(const Interval& step);
[[nodiscard]] Interval sum_beyond(const Interval& width, const Interval& step);

/// Its upper end is at least the maximum of slope x - x^2/2 over x in `range`.
[[nodiscard]] Interval parabola_maximum(const Interval& slope, const Interval& range);

}  // namespace assay::verify::trapezoid
