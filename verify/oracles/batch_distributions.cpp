#include "verify/oracles/batch_distributions.hpp"

#include <algorithm>

namespace assay::verify {

namespace {

/// C(n, k), exactly; 0 outside 0 <= k <= n <= 60.
long choices(long n, long k) {
    if (k < 0 || k > n) return 0;
    long value = 1;
    for (long i = 1; i <= std::min(k, n - k); ++i) value = value * (n - i + 1) / i;
    return value;
}

}  // namespace

std::vector<Interval> binomial_sizes(const BinomialSize& distribution, long bits) {
    std::vector<Interval> sizes;
    const Interval p =
        Interval(distribution.numerator, bits) / Interval(distribution.denominator, bits);
    for (long s = 0; s <= distribution.trials; ++s)
        sizes.push_back(Interval::integer(choices(distribution.trials, s), bits) * power(p, s) *
                        power(1.0 - p, distribution.trials - s));
    return sizes;
}

std::vector<Interval> constant_size(long n, long size, long bits) {
    std::vector<Interval> sizes(static_cast<std::size_t>(n + 1), Interval(0.0, bits));
    sizes[static_cast<std::size_t>(size)] = Interval(1.0, bits);
    return sizes;
}

std::vector<Interval> cut_sizes(std::vector<Interval> sizes, long maximum) {
    const auto last = static_cast<std::size_t>(maximum);
    for (std::size_t s = last + 1; s < sizes.size(); ++s) {
        sizes[last] += sizes[s];
        sizes[s] = Interval(0.0, sizes[s].bits());
    }
    return sizes;
}

std::vector<Interval> members_of_subset(const std::vector<Interval>& sizes, long some) {
    const auto n = static_cast<long>(sizes.size()) - 1;
    const long bits = sizes.front().bits();
    std::vector<Interval> members(static_cast<std::size_t>(some + 1), Interval(0.0, bits));
    for (long s = 0; s <= n; ++s)
        for (long k = 0; k <= std::min(some, s); ++k)
            members[static_cast<std::size_t>(k)] +=
                sizes[static_cast<std::size_t>(s)] *
                Interval::integer(choices(some, k) * choices(n - some, s - k), bits) /
                Interval::integer(choices(n, s), bits);
    return members;
}

std::vector<Interval> members_of_draws(long n, long draws, long some, long bits) {
    return binomial_sizes({draws, static_cast<double>(some), static_cast<double>(n)}, bits);
}

}  // namespace assay::verify
