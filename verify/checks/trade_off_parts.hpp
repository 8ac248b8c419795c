#pragma once
#include <vector>

#include "verify/check.hpp"
#include "verify/oracles/interval.hpp"

namespace assay::verify {

// What the rows about trade-off functions share: tests by a threshold of one normal coordinate.

constexpr long trade_off_bits = 256;

/// P(Z > z).
[[nodiscard]] inline Interval tail(const Interval& z) {
    return normal_cdf(-z);
}

[[nodiscard]] inline Interval c_of(const Point& p, long b) {
    return 1.0 / Interval(p["sigma"], b);
}

/// P(z > u) under (1-q) N_0 + q N_c.
[[nodiscard]] inline Interval mixture_tail(const Interval& q, const Interval& c,
                                           const Interval& u) {
    return (1.0 - q) * tail(u) + q * tail(u - c);
}

// Lists of trade_off_rows(), one file each.
[[nodiscard]] std::vector<Check> trade_off_group_rows();
[[nodiscard]] std::vector<Check> trade_off_outcome_rows();
[[nodiscard]] std::vector<Check> trade_off_reading_rows();

}  // namespace assay::verify
