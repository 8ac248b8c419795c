#include "verify/oracles/batch_mean.hpp"

#include <bit>
#include <vector>

namespace assay::verify {

namespace {

// Weighted squares of sums of gradients within a factor of 2^100, exactly; enclosed for others.
constexpr long exact_bits = 512;

long power_of(long base, long exponent) {
    long value = 1;
    for (long i = 0; i < exponent; ++i) value *= base;
    return value;
}

/// Adds up batches: integer weights, and sums of gradients.
class Batches {
public:
    Batches(std::span<const double> a, long B) : a_(a), B_(B) {}

    /// A batch with counts[i] copies of gradient i.
    void add(std::span<const long> counts, long weight) {
        if (weight == 0) return;
        Interval sum(0.0, exact_bits);
        for (std::size_t i = 0; i < a_.size(); ++i)
            sum += Interval(a_[i], exact_bits) * whole(counts[i]);
        weights_ += weight;
        sums_ += sum * whole(weight);
        squares_ += square(sum) * whole(weight);
    }

    [[nodiscard]] BatchMean result() const {
        const Interval all = whole(weights_);
        const Interval drawn = all * whole(B_);
        return {sums_ / drawn, (squares_ * all - square(sums_)) / square(drawn)};
    }

private:
    static Interval whole(long n) { return Interval::integer(n, exact_bits); }

    std::span<const double> a_;
    long B_;
    long weights_ = 0;
    Interval sums_{0.0, exact_bits};
    Interval squares_{0.0, exact_bits};
};

/// Every set of examples, with the weight of its size.
template <class Weight>
BatchMean over_sets(std::span<const double> a, long B, Weight weight_of) {
    Batches batches(a, B);
    std::vector<long> counts(a.size());
    for (unsigned set = 0; set < (1U << a.size()); ++set) {
        for (std::size_t i = 0; i < a.size(); ++i) counts[i] = (set >> i) & 1U;
        batches.add(counts, weight_of(static_cast<long>(std::popcount(set))));
    }
    return batches.result();
}

/// Every way to give the examples from `next` on the draws that are left; `weight` counts the
/// orders of the draws given so far.
void each_count(Batches& batches, std::vector<long>& counts, std::size_t next, long left,
                long weight) {
    if (next + 1 == counts.size()) {
        counts[next] = left;
        batches.add(counts, weight);
        return;
    }
    long choices = 1;  // C(left, k)
    for (long k = 0; k <= left; ++k) {
        counts[next] = k;
        each_count(batches, counts, next + 1, left - k, weight * choices);
        choices = choices * (left - k) / (k + 1);
    }
}

}  // namespace

BatchMean enumerated_poisson(std::span<const double> a, long B) {
    const auto n = static_cast<long>(a.size());
    return over_sets(a, B,
                     [=](long size) { return power_of(B, size) * power_of(n - B, n - size); });
}

BatchMean enumerated_subsets(std::span<const double> a, long B) {
    return over_sets(a, B, [=](long size) { return size == B ? 1L : 0L; });
}

BatchMean enumerated_draws(std::span<const double> a, long B) {
    Batches batches(a, B);
    std::vector<long> counts(a.size());
    each_count(batches, counts, 0, B, 1);
    return batches.result();
}

}  // namespace assay::verify
