#include "verify/oracles/published_variance.hpp"

#include <algorithm>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

/// sum a_i^2 and sum_{i != j} a_i a_j = (sum a_i)^2 - sum a_i^2.
struct Sums {
    Interval squares;
    Interval total;

    Sums(std::span<const double> a, long p) : squares(0.0, p), total(0.0, p) {
        for (const double x : a) {
            squares += square(Interval(x, p));
            total += Interval(x, p);
        }
    }
};

/// [same sum a_i^2 + different sum_{i != j} a_i a_j] / B^2 - mean^2, where `same` = E[J_i^2] and
/// `different` = E[J_i J_j], J_i the number of times i is drawn.
Interval variance(const Sums& sums, long B, long D, const Interval& same,
                  const Interval& different) {
    const long p = same.bits();
    const Interval batch = Interval::integer(B, p);
    const Interval mean = sums.total / Interval::integer(D, p);
    const Interval mixed = square(sums.total) - sums.squares;
    return (same * sums.squares + different * mixed) / square(batch) - square(mean);
}

bool all_equal(std::span<const double> a) {
    return std::all_of(a.begin(), a.end(), [&](double x) { return x == a.front(); });
}

long length(std::span<const double> a) {
    return static_cast<long>(a.size());
}

}  // namespace

Interval variance_poisson(std::span<const double> a, long B, long bits) {
    const long D = length(a);
    const bool zero = std::all_of(a.begin(), a.end(), [](double x) { return x == 0; });
    if (B == D || zero) return Interval(0.0, bits);  // everything is drawn
    return nonnegative(refined(bits, [&](long p) {
        // Independent, P(J_i = 1) = q.
        const Interval q = Interval::integer(B, p) / Interval::integer(D, p);
        return variance(Sums(a, p), B, D, q, square(q));
    }));
}

Interval variance_with_replacement(std::span<const double> a, long B, long bits) {
    const long D = length(a);
    if (all_equal(a)) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        // J is multinomial: E[J_i J_j] = B(B-1)/D^2, and B/D more for i = j.
        const Interval size = Interval::integer(D, p);
        const Interval batch = Interval::integer(B, p);
        const Interval different = batch * (batch - 1.0) / square(size);
        return variance(Sums(a, p), B, D, different + batch / size, different);
    }));
}

Interval variance_without_replacement(std::span<const double> a, long B, long bits) {
    const long D = length(a);
    if (B == D || all_equal(a)) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        // P(i in B) = B/D, P(i and j in B) = B(B-1)/(D(D-1)).
        const Interval size = Interval::integer(D, p);
        const Interval batch = Interval::integer(B, p);
        const Interval different = batch * (batch - 1.0) / (size * (size - 1.0));
        return variance(Sums(a, p), B, D, batch / size, different);
    }));
}

}  // namespace assay::verify
