#include "verify/oracles/published_weights.hpp"

#include <algorithm>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_work = 2e9;  // about 1 s

}  // namespace

std::vector<Interval> copy_weights(long B, long D, long last, long p) {
    if (static_cast<double>(last) * static_cast<double>(p + 400) > most_work) throw Unaffordable();
    std::vector<Interval> weights;
    weights.reserve(static_cast<std::size_t>(last) + 1);
    if (D == 1) {  // every draw is the record
        weights.assign(static_cast<std::size_t>(last) + 1, Interval(0.0, p));
        if (last == B) weights.back() = Interval(1.0, p);
        return weights;
    }
    const Interval others = Interval::integer(D - 1, p);
    weights.push_back(power(others / Interval::integer(D, p), B));
    for (long n = 0; n < last; ++n) {
        // a_{n+1} / a_n = (B-n) / ((n+1) (D-1)).
        Interval next = weights.back() * whole(B - n);
        next /= whole(n + 1);
        next /= others;
        weights.push_back(std::move(next));
    }
    return weights;
}

Interval copy_weight(long B, long D, long n, long p) {
    const long short_side = std::min(n, B - n);
    if (static_cast<double>(short_side) * static_cast<double>(p + 400) > most_work)
        throw Unaffordable();
    if (D == 1) return Interval(n == B ? 1.0 : 0.0, p);
    const Interval size = Interval::integer(D, p);
    Interval weight = power(Interval::integer(D - 1, p) / size, B - n) / power(size, n);
    for (long j = 1; j <= short_side; ++j) {
        weight *= whole(B - j + 1);
        weight /= whole(j);
    }
    return weight;
}

}  // namespace assay::verify
