#include "verify/oracles/trapezoid_moment.hpp"

#include <algorithm>
#include <cmath>

namespace assay::verify::trapezoid {

namespace {

constexpr double most_work = 4e6;  // terms times bits

// With w = X - 1 < 0 for z < c/2: E|w|^j = 2 E[w^j; z > c/2] - E[w^j] for odd j. By the binomial
// theorem and E[X^k; z > c/2] = e^{k(k-1)c^2/2} Phi(kc - c/2), each an exact finite sum.
Interval absolute_moment(double sigma, long j, long bits) {
    const Interval c = Interval(2.0, bits) / sigma;
    const Interval half_square = square(c) / 2.0;
    Interval sum(0.0, bits);
    Interval binomial = Interval::integer(j % 2 == 0 ? 1 : -1, bits);  // C(j,k) (-1)^{j-k}
    for (long k = 0; k <= j; ++k) {
        const Interval index = Interval::integer(k, bits);
        const Interval moment = exp(index * (index - 1.0) * half_square);
        const Interval above = normal_cdf((index - 0.5) * c);
        sum += binomial * moment * (2.0 * above - 1.0);
        binomial = -binomial * Interval::integer(j - k, bits) / (index + 1.0);
    }
    return sum;
}

}  // namespace

Interval log_absolute_moment(double sigma, long j, long bits) {
    Interval best = Interval::whole_line(bits);
    // |w|^j is about c^j, its terms about 2^j.
    const double lost = static_cast<double>(j) * std::max(0.0, std::log2(sigma));
    const double start = static_cast<double>(bits) + 32 + static_cast<double>(j) + lost;
    for (double working = start; working <= 20000 && working * static_cast<double>(j) <= most_work;
         working *= 2) {
        const Interval moment = absolute_moment(sigma, j, static_cast<long>(working));
        if (!moment.is_positive()) continue;
        const Interval answer = log(moment);
        if (!best.is_finite() || answer.relative_width() < best.relative_width()) best = answer;
        if (best.relative_width() <= std::ldexp(1.0, -static_cast<int>(bits))) break;
    }
    return best;
}

}  // namespace assay::verify::trapezoid
