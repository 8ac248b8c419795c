#pragma once
#include <optional>
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// M_k = sum_l (-1)^{k-l} C(k,l) E_l, E_l = e^{c^2 l(l-1)/2}: birrell2024 (44) with c = 2/sigma,
/// and B~ of (47). The precision is that of c^2; how much of it the alternating signs leave is seen
/// in the width of the answers.
class Moments {
public:
    /// For the orders k = 0..matters.size()-1. Those that matter come from one table of differences
    /// (M_k is the k-th difference of E at 0), or one by one where few terms of the sum suffice; of
    /// the others only bounds are given. Throws Unaffordable when the table would be too large.
    Moments(const Interval& c_squared, std::vector<bool> matters);
    /// All orders 0..top matter.
    Moments(const Interval& c_squared, long top);

    /// (44).
    [[nodiscard]] const Interval& moment(long k) const;
    /// B~_j, (47).
    [[nodiscard]] const Interval& absolute_bound(long j) const;

private:
    [[nodiscard]] bool sum_is_short(long k) const;
    void fill_table(long last);
    [[nodiscard]] Interval bounds(long k) const;

    double c_squared_low_;
    double c_squared_high_;
    std::vector<bool> matters_;
    std::vector<Interval> exponentials_;  // E_l
    // Those known so far.
    mutable std::vector<std::optional<Interval>> moments_;
    mutable std::vector<bool> final_;
    mutable std::vector<std::optional<Interval>> odd_bounds_;
};

/// The alternating sum (44) for one k, from its largest term down, left when the rest is bounded.
[[nodiscard]] Interval alternating_sum(const std::vector<Interval>& exponentials, long k,
                                       double c_squared_low);

/// E_0 .. E_top.
[[nodiscard]] std::vector<Interval> lognormal_moments(const Interval& c_squared, long top);

/// (2/sigma)^2 with p bits.
[[nodiscard]] Interval fixed_size_shift_squared(double sigma, long p);

/// birrell2024.log_M, log_B_tilde, and exact.log_absolute_moment.
[[nodiscard]] std::vector<Oracle> published_moment_oracles();

}  // namespace assay::verify
