#pragma once
#include <vector>

#include "verify/oracles/binomial_tail.hpp"

namespace assay::verify {

// Exact distributions of batches of few examples. A list holds P(0), P(1), ..

/// |B| ~ Bin(n, p), of n examples.
[[nodiscard]] std::vector<Interval> binomial_sizes(const BinomialSize& distribution, long bits);
/// |B| = size, of n examples.
[[nodiscard]] std::vector<Interval> constant_size(long n, long size, long bits);
/// min(|B|, maximum).
[[nodiscard]] std::vector<Interval> cut_sizes(std::vector<Interval> sizes, long maximum);

/// How many of `some` given examples are in a batch that is uniform given its size: hypergeometric,
/// sum_s P(|B| = s) C(some, k) C(n - some, s - k) / C(n, s), n = sizes.size() - 1 <= 60.
[[nodiscard]] std::vector<Interval> members_of_subset(const std::vector<Interval>& sizes,
                                                      long some);
/// The same, with multiplicity, for `draws` draws with replacement: Bin(draws, some / n).
[[nodiscard]] std::vector<Interval> members_of_draws(long n, long draws, long some, long bits);

}  // namespace assay::verify
