#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// delta at epsilon of independent Gaussian steps whose squared shifts, in units of the noise, add
/// up to mu^2: Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
[[nodiscard]] inline Interval gaussian_delta(const Interval& mu, const Interval& epsilon) {
    return normal_cdf(mu / 2.0 - epsilon / mu) -
           exp(epsilon) * normal_cdf(-mu / 2.0 - epsilon / mu);
}
[[nodiscard]] inline Interval gaussian_delta(const Interval& mu, double epsilon) {
    return gaussian_delta(mu, Interval(epsilon, mu.bits()));
}

/// Of `count` equal steps of sensitivity 1 and noise sigma.
[[nodiscard]] inline Interval gaussian_steps_delta(double count, double sigma, double epsilon) {
    constexpr long bits = 256;
    return gaussian_delta(sqrt(Interval(count, bits)) / sigma, epsilon);
}

}  // namespace assay::verify
