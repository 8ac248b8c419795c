#include "verify/oracles/trapezoid_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay::verify::trapezoid {

namespace {

// log x, nearly, of x > 0 whatever its exponent.
double rough_log(mpfr_srcptr x) {
    if (mpfr_regular_p(x) == 0) return mpfr_zero_p(x) != 0 ? -1e300 : 1e300;
    long exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, x, MPFR_RNDN);
    return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2;
}

bool negligible(const Interval& term, const Interval& sum) {
    if (mpfr_zero_p(term.upper()) != 0) return true;
    if (mpfr_regular_p(term.upper()) == 0 || mpfr_regular_p(sum.lower()) == 0) return false;
    return mpfr_get_exp(term.upper()) < mpfr_get_exp(sum.lower()) - sum.bits() - 2;
}

}  // namespace

ShiftMixture::ShiftMixture(long count, const Interval& probability, const Interval& shift)
    : count_(count),
      shift_(shift),
      odds_(count > 1 ? probability / (1.0 - probability) : probability),
      shrink_(exp(-square(shift))),
      next_factor_(exp(-square(shift) / 2.0)) {
    weights_.push_back(power(1.0 - probability, count));
    if (count == 1) weights_.push_back(probability * next_factor_);
}

const Interval& ShiftMixture::weight(long n) const {
    // Bin(n+1)/Bin(n) = (count-n)/(n+1) p/(1-p), and the Gaussian factor falls by e^{-(2n+1)c^2/2}.
    for (long k = static_cast<long>(weights_.size()) - 1; k < n; ++k) {
        const Interval ratio = Interval::integer(count_ - k, bits()) /
                               Interval::integer(k + 1, bits()) * odds_ * next_factor_;
        weights_.push_back(weights_.back() * ratio);
        next_factor_ *= shrink_;
        ++terms_;
    }
    return weights_[static_cast<std::size_t>(n)];
}

long ShiftMixture::largest_term(const Interval& exponential) const {
    const double log_odds = rough_log(odds_.upper());
    const double log_exponential = rough_log(exponential.upper());
    const double square_shift = square(shift_).upper_double();
    // The ratio of consecutive terms falls with n: bisect for the last one above 1.
    long low = 0;
    long high = count_;
    while (low < high) {
        const long n = low + (high - low) / 2;
        const double k = static_cast<double>(n);
        const double log_ratio = std::log(static_cast<double>(count_ - n) / (k + 1)) + log_odds +
                                 log_exponential - (2 * k + 1) * square_shift / 2;
        if (log_ratio > 0)
            low = n + 1;
        else
            high = n;
    }
    return low;
}

Interval ShiftMixture::polynomial(const Interval& exponential) const {
    const long start = largest_term(exponential);
    const Interval first_power = power(exponential, start);
    const Interval inverse = 1.0 / exponential;
    Interval sum = weight(start) * first_power;
    Interval rest(0.0, bits());
    // The terms are log-concave in n: after two with ratio r < 1 the others are below a geometric
    // series, term r/(1-r), in either direction.
    for (const int direction : {+1, -1}) {
        Interval previous = weight(start) * first_power;
        Interval powers = first_power;
        for (long n = start + direction; n >= 0 && n <= count_; n += direction) {
            ++terms_;
            powers *= direction > 0 ? exponential : inverse;
            Interval term = weight(n) * powers;
            sum += term;
            if (negligible(term, sum)) {
                const Interval ratio = term / previous;
                if (ratio.upper_double() < 0.9) {
                    rest += term * ratio / (1.0 - ratio);
                    break;
                }
            }
            previous = std::move(term);
        }
    }
    return Interval::between(sum, sum + rest);
}

Interval ShiftMixture::at_exponential(const Interval& exponential) const {
    if (count_ == 0) return Interval(1.0, bits());
    if (count_ == 1) return weights_[0] + weights_[1] * exponential;
    return polynomial(exponential);
}

Interval ShiftMixture::log_at(const Interval& z) const {
    if (count_ == 0) return Interval(0.0, bits());
    return log(at_exponential(exp(shift_ * z)));
}

Interval ShiftMixture::log_slope(const Interval& z, const Interval& here) const {
    if (count_ == 0) return Interval(0.0, bits());
    // Convex: the derivative lies between the slopes of the chords on either side.
    const double d = std::ldexp(1.0, -30 - std::max(0, std::ilogb(1.0 + steepest())));
    return hull((here - log_at(z - d)) / d, (log_at(z + d) - here) / d);
}

double ShiftMixture::sector_power() const {
    // V = A prod(1 + e^{cz}/x_k), so with w = e^{cx}/x_k and t = 4w/(1+w)^2 <= 1 a factor keeps
    // (1 - t sin^2(cy/2))^{1/2} >= cos(cy/2)^t of its size, and sum t = 4 (log V)''/c^2 = 4 Var n,
    // n having probabilities as the terms of V(x): at most count.
    const double all = static_cast<double>(count_);
    if (all * square(shift_).lower_double() < 8) return all;
    // Var n <= E(n-mode)^2. The terms times e^{c^2 j(j-1)/2}, j = |n-mode|, fall on either side of
    // the mode, so (Chebyshev) E j^2 is on each side below its value for g_j = e^{-c^2 j(j-1)/2};
    // the mode, counted on both sides, is at most half of what is counted.
    Interval total(1.0, bits());
    Interval squares(0.0, bits());
    Interval term(1.0, bits());
    Interval ratio(1.0, bits());  // g_j / g_{j-1}
    for (long j = 1; j <= count_; ++j) {
        term *= ratio;
        total += term;
        squares += square(Interval::integer(j, bits())) * term;
        ratio *= shrink_;
        // From here on j^2 g_j falls below a geometric series of ratio 4/2^10.
        if (term.upper_double() < 1e-30 && ratio.upper_double() < 0x1p-10) {
            squares += square(Interval::integer(j, bits())) * term;
            break;
        }
    }
    return std::min(all, (8.0 * squares / total).upper_double());
}

double ShiftMixture::steepest() const {
    return (abs(shift_) * Interval::integer(count_, bits())).upper_double();
}

}  // namespace assay::verify::trapezoid
