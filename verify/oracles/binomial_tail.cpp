#include "verify/oracles/binomial_tail.hpp"

#include <algorithm>

#include "assay/numeric/errors.hpp"
#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

// Logarithms up to 2^38 lose that many bits when they are exponentiated.
constexpr long guard_bits = 64;

Interval success(const BinomialSize& distribution, long bits) {
    return Interval(distribution.numerator, bits) / Interval(distribution.denominator, bits);
}

Interval mass(const BinomialSize& distribution, long k, long p) {
    const Interval q = success(distribution, p);
    const Interval missed = 1.0 - q;
    const long rest = distribution.trials - k;
    if (k == 0) return power(missed, distribution.trials);
    if (rest == 0) return power(q, distribution.trials);
    const auto log_factorial = [&](long n) { return log_gamma(Interval::integer(n + 1, p)); };
    const Interval log_choices =
        log_factorial(distribution.trials) - log_factorial(k) - log_factorial(rest);
    return exp(log_choices + log(q) * Interval::integer(k, p) +
               log(missed) * Interval::integer(rest, p));
}

}  // namespace

Interval binomial_mass(const BinomialSize& distribution, long k, long bits) {
    widen_exponents();
    return mass(distribution, k, bits + guard_bits);
}

Interval binomial_tail(const BinomialSize& distribution, long threshold, long bits) {
    widen_exponents();
    const long n = distribution.trials;
    if (threshold >= n || distribution.numerator == 0.0) return Interval(0.0, bits);
    if (distribution.numerator == distribution.denominator) return Interval(1.0, bits);
    const long p = bits + guard_bits;
    const Interval odds = success(distribution, p) / (1.0 - success(distribution, p));
    Interval term = mass(distribution, threshold + 1, p);
    Interval sum = term;
    const Interval small = power(Interval(0.5, p), bits + 8);
    for (long k = threshold + 1; k < n; ++k) {
        const Interval ratio = odds * whole(n - k) / whole(k + 1);
        term *= ratio;
        sum += term;
        if (k % 16 != 0 || !certainly_below(ratio, Interval(1.0, p))) continue;
        const Interval left_out = term * whole(n - k - 1);
        if (certainly_below(left_out, sum * small)) return Interval::between(sum, sum + left_out);
    }
    return sum;
}

Interval cut_batches_delta(const BinomialSize& distribution, long steps, double epsilon,
                           long maximum, long bits) {
    const Interval tail = binomial_tail(distribution, maximum, bits);
    return (1.0 + exp(Interval(epsilon, tail.bits()))) * whole(steps) * tail;
}

long smallest_cut(const BinomialSize& distribution, long steps, double epsilon, double delta,
                  long least, long guess, long bits) {
    const auto enough = [&](long maximum) {
        if (maximum < least) return false;
        const Interval cost = cut_batches_delta(distribution, steps, epsilon, maximum, bits);
        const Interval most(delta, bits);
        if (certainly_at_most(cost, most)) return true;
        if (certainly_below(most, cost)) return false;
        throw Error("delta is too close to that of one maximum");
    };
    long too_small = least - 1;
    long fits = distribution.trials;
    const auto ask = [&](long maximum) {
        if (too_small < maximum && maximum < fits) (enough(maximum) ? fits : too_small) = maximum;
    };
    ask(guess);
    ask(guess - 1);
    while (fits - too_small > 1) ask(too_small + (fits - too_small) / 2);
    return fits;
}

}  // namespace assay::verify
