#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"

namespace assay::verify::trapezoid {

/// V(z) = sum_n Bin(n; count, p) e^{n c z - n^2 c^2/2}, a polynomial in E = e^{cz}:
/// count 0 is the constant 1, count 1 is 1 - q + q e^{cz - c^2/2}. c of either sign, count >= 0.
class ShiftMixture {
public:
    ShiftMixture(long count, const Interval& probability, const Interval& shift);

    [[nodiscard]] long count() const { return count_; }
    [[nodiscard]] const Interval& shift() const { return shift_; }
    [[nodiscard]] long bits() const { return shift_.bits(); }
    /// At E.
    [[nodiscard]] Interval at_exponential(const Interval& exponential) const;
    /// log V at z.
    [[nodiscard]] Interval log_at(const Interval& z) const;
    /// The derivative of log V at z, enclosed (log V is convex); `here` is log V at z.
    [[nodiscard]] Interval log_slope(const Interval& z, const Interval& here) const;
    /// At least |d log V / dz| everywhere: count |c|.
    [[nodiscard]] double steepest() const;
    /// Terms summed so far: what an evaluation costs.
    [[nodiscard]] long terms() const { return terms_; }
    /// A k <= count with |V(x+iy)| >= cos(cy/2)^k V(x) for |cy| < pi.
    [[nodiscard]] double sector_power() const;
    /// |c|, rounded up: V has no zero for |Im z| |c| < pi.
    [[nodiscard]] double zero_rate() const { return abs(shift_).upper_double(); }

private:
    [[nodiscard]] Interval polynomial(const Interval& exponential) const;
    [[nodiscard]] long largest_term(const Interval& exponential) const;
    const Interval& weight(long n) const;

    long count_;
    Interval shift_;
    Interval odds_;
    Interval shrink_;  // e^{-c^2}
    mutable long terms_ = 0;
    mutable std::vector<Interval> weights_;
    mutable Interval next_factor_;  // e^{-(2n+1) c^2/2} for the next n
};

}  // namespace assay::verify::trapezoid
