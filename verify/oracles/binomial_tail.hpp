#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// Bin(trials, numerator / denominator): b/n as the fraction (b, n), or a double (q, 1).
struct BinomialSize {
    long trials = 1;
    double numerator = 0.0;
    double denominator = 1.0;
};

/// P(X = k), 0 <= k <= trials, from log Gamma in intervals.
[[nodiscard]] Interval binomial_mass(const BinomialSize& distribution, long k, long bits);

/// P(X > threshold), 0 <= threshold: the masses from threshold + 1 on, added up one by one. When
/// they fall, what is left out is below their number times the next one.
[[nodiscard]] Interval binomial_tail(const BinomialSize& distribution, long threshold, long bits);

/// (1 + e^epsilon) steps P(X > maximum), chua2025 Appendix C.
[[nodiscard]] Interval cut_batches_delta(const BinomialSize& distribution, long steps,
                                         double epsilon, long maximum, long bits);

/// The smallest maximum >= `least` whose cut_batches_delta is at most delta. `guess` decides how
/// long that takes and nothing else. Throws Error when `bits` cannot tell.
[[nodiscard]] long smallest_cut(const BinomialSize& distribution, long steps, double epsilon,
                                double delta, long least, long guess, long bits);

}  // namespace assay::verify
