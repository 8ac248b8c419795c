#include "assay/numeric/special_functions.hpp"

#include <cmath>
#include <numbers>

namespace assay {

real expm1_minus(real t) {
    if (std::fabs(t) > 0.5L) return std::expm1(t) - t;  // |value| >= 0.106, terms <= 0.65 + |t|
    // t^2/2! + t^3/3! + ... ; |t| <= 1/2: the term t^19/19! is below 2^-75 of t^2/2.
    real sum = 0.0L;
    for (int k = 19; k >= 3; --k) sum = (1.0L + sum) * t / static_cast<real>(k);
    return 0.5L * t * t * (1.0L + sum);
}

ScaledReal scaled_expm1_minus(real t) {
    return t < 11000.0L ? ScaledReal(expm1_minus(t)) : ScaledReal::exp_of(t);  // t e^-t < 2^-15000
}

real entropy_excess(real x, real log1p_x) {
    // Far from 0 the logarithm alone decides: 1 + e^L (L - 1), at least 0.26 for L < -1, no
    // cancellation for L > 1; x = -1 + (something below its last digit) does no harm there.
    if (log1p_x < -100.0L) return 1.0L;  // e^L |L| < 2^-130
    if (std::fabs(log1p_x) > 1.0L) return 1.0L + std::exp(log1p_x) * (log1p_x - 1.0L);
    if (std::fabs(x) > 0.25L) return (1.0L + x) * log1p_x - x;
    // sum_{k>=2} (-x)^k / (k (k-1)); |x| <= 1/4: the term k = 34 is below 2^-74 of x^2/2.
    real sum = 0.0L;
    for (int k = 33; k >= 2; --k) {
        const auto n = static_cast<real>(k);
        sum = 1.0L / (n * (n - 1.0L)) - x * sum;
    }
    return x * x * sum;
}

real log1p_deficit(real t) {
    if (t < -0.5L || t > 1.0L) return t - std::log1p(t);  // |log(1+t)| is at most 3.6 of it
    // With s = t/(2+t), |s| <= 1/3: log(1+t) = 2 artanh(s) and t - 2s = t s. The terms after
    // s^42/45 are below 2^-70 of the first.
    const real s = t / (2.0L + t);
    const real square = s * s;
    real sum = 0.0L;
    for (int k = 45; k >= 3; k -= 2) sum = sum * square + 1.0L / static_cast<real>(k);
    return s * (t - 2.0L * square * sum);
}

real normal_tail(real z) {
    return 0.5L * std::erfc(z / std::numbers::sqrt2_v<real>);
}

real log_normal_tail(real z) {
    if (z < 100.0L) return std::log(normal_tail(z));
    // Laplace's continued fraction bounds: z/(z^2+1) phi < tail < phi/z; four more terms for z >=
    // 100.
    const real w = 1.0L / (z * z);
    const real series = 1.0L - w * (1.0L - 3.0L * w * (1.0L - 5.0L * w * (1.0L - 7.0L * w)));
    return -0.5L * z * z - std::log(z) - 0.918938533204672741780329736405617639861L +
           std::log(series);
}

}  // namespace assay
