#include "verify/oracles/lemma_tilting.hpp"

namespace assay::verify::lemma {

namespace {

// I. G. Shevtsova (2010), arbitrary independent summands.
Interval berry_esseen(long bits) {
    return Interval(56.0, bits) / 100.0;
}

}  // namespace

TiltedSum randomised_response(double e0, long T, double tilt, long bits) {
    const Interval loss(e0, bits);
    const Interval theta(tilt, bits);
    const Interval steps = Interval::integer(T, bits);
    const Interval p = 1.0 / (1.0 + exp(-loss));
    const Interval up = p * exp(theta * loss);
    const Interval down = (1.0 - p) * exp(-(theta * loss));
    const Interval mgf = up + down;
    const Interval tilted = up / mgf;
    const Interval other = down / mgf;
    const Interval product = tilted * other;
    const Interval variance = steps * square(loss * 2.0) * product;
    const Interval third =
        steps * power(loss * 2.0, 3) * product * (square(tilted) + square(other));
    return {theta, steps * log(mgf), steps * loss * (tilted - other), variance,
            berry_esseen(bits) * third / (variance * sqrt(variance))};
}

Interval randomised_response_delta(double e0, long T, double eps, long bits) {
    const Interval loss(e0, bits);
    const Interval odds = exp(loss);  // p / (1-p)
    const Interval zero(0.0, bits);
    Interval term = power(1.0 / (1.0 + odds), T);
    Interval sum(0.0, bits);
    for (long k = 0; k <= T; ++k) {
        const Interval total = loss * static_cast<double>(2 * k - T);
        sum += term * max(zero, -expm1(Interval(eps, bits) - total));
        term = term * odds * static_cast<double>(T - k) / static_cast<double>(k + 1);
    }
    return sum;
}

TiltedSum gaussian_steps(double c, long T, double tilt, long bits) {
    const Interval theta(tilt, bits);
    const Interval steps = Interval::integer(T, bits);
    const Interval variance = steps * square(Interval(c, bits));
    // E|Z|^3 = 2 sqrt(2/pi).
    const Interval third = sqrt(Interval(2.0, bits) / Interval::pi(bits)) * 2.0;
    return {theta, theta * (theta + 1.0) * variance / 2.0, variance / 2.0 + theta * variance,
            variance, berry_esseen(bits) * third / sqrt(steps)};
}

Interval closed_form_bound(const TiltedSum& sum, double eps) {
    const Interval& theta = sum.tilt;
    const Interval& m = sum.mean;
    const Interval s = sqrt(sum.variance);
    const Interval higher = theta + 1.0;
    const Interval e(eps, m.bits());
    // theta^theta / (theta+1)^(theta+1), twice; at theta = 0 the last term is C R.
    const Interval variation = theta.is_zero()
                                   ? Interval(1.0, m.bits())
                                   : exp(theta * log(theta) - higher * log(higher)) * 2.0;
    const Interval start = (m - e) / s;
    const Interval first =
        exp(square(theta) * sum.variance / 2.0 - theta * m) * normal_cdf(start - theta * s);
    const Interval second =
        exp(e - higher * m + square(higher) * sum.variance / 2.0) * normal_cdf(start - higher * s);
    return exp(sum.log_mgf) * (first - second - sum.distance * variation * exp(-(theta * e)));
}

Interval window_bound(const TiltedSum& sum, double eps, int count) {
    const long bits = sum.mean.bits();
    const Interval s = sqrt(sum.variance);
    const Interval zero(0.0, bits);
    const Interval e(eps, bits);
    const Interval width = (sum.mean + s * 3.0 - e) / static_cast<double>(count + 1);
    if (!width.is_positive()) return zero;
    Interval total = zero;
    for (int j = 1; j <= count; ++j) {
        const Interval a = e + width * static_cast<double>(j);
        const Interval b = a + width;
        const Interval mass =
            normal_cdf((b - sum.mean) / s) - normal_cdf((a - sum.mean) / s) - sum.distance * 2.0;
        total += -expm1(e - a) * exp(sum.log_mgf - sum.tilt * b) * max(zero, mass);
    }
    return total;
}

Interval event_bound(double c, long T, double eps, double z, long bits) {
    const Interval threshold(z, bits);
    const Interval p = 1.0 - power(normal_cdf(threshold - c), T);
    const Interval q = 1.0 - power(normal_cdf(threshold), T);
    return p - exp(Interval(eps, bits)) * q;
}

}  // namespace assay::verify::lemma
